import {isUndecided, type Run, selectCountedTasks, type State} from '../../domain/index.ts';
import {selectTrack} from '../../reports/index.ts';
import {selectTaskLabel} from './task-label.ts';

/** What goes on in some runs, in numbers. */
export type TaskCounts = {
  /** Runs whose plan is being written. */
  readonly plans: number;
  /** Tasks whose agent is at work, or that the person took over. */
  readonly works: number;
  /** Tasks whose change is judged, checked or merged. */
  readonly checks: number;
  /** Tasks that wait for another task, a service or a free slot. */
  readonly waits: number;
  readonly merged: number;
  /** Without discarded tasks, and of several variants one. */
  readonly all: number;
};

export function countTasks(state: State, runs: readonly Run[], now: number): TaskCounts {
  const tasks = runs.flatMap((run) =>
    run.tasks.map((task) => {
      const {sign} = selectTaskLabel(state, run, task, now);
      return {
        sign,
        waitsForPick: isUndecided(run, task) && task.stage.at === 'validated',
        isAtWork: sign === 'yours' || selectTrack(state, task).work === 'active',
        isCounted: sign !== 'discarded' && selectCountedTasks(run).includes(task),
      };
    }),
  );
  const moving = tasks.filter(
    ({sign, waitsForPick}) => sign === 'works' || (sign === 'yours' && !waitsForPick),
  );
  const works = moving.filter(({isAtWork}) => isAtWork).length;
  return {
    plans: runs.filter(({stage}) => stage.at === 'surveying' || stage.at === 'planning').length,
    works,
    checks: moving.length - works,
    waits: tasks.filter(({sign}) => sign === 'waits').length,
    merged: tasks.filter(({sign}) => sign === 'merged').length,
    all: tasks.filter(({isCounted}) => isCounted).length,
  };
}
