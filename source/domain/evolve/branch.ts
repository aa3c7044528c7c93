import {without} from '../../base/index.ts';
import type {Run} from '../run.ts';
import type {Task} from '../task.ts';
import {cameTooLate, changeRun, type Fit, type Handlers} from './change.ts';

type BranchEvent = 'branch-moved' | 'branch-adopted' | 'branch-restore-asked' | 'branch-restored';

/** The run's own branch in somebody else's hands, until a person has said what holds. */
export const branch: Handlers<BranchEvent> = {
  'branch-moved': (state, event) =>
    changeRun(state, event.run, (run) => {
      const {branch: name, expected, found, relation, at} = event;
      if (run.stage.at !== 'working' && run.stage.at !== 'accepting')
        return cameTooLate(event, run.stage.at);
      const stage: Run['stage'] =
        run.stage.at === 'accepting'
          ? {...without(run.stage, 'commit', 'way', 'into', 'signed'), at: 'working'}
          : run.stage;
      return {
        ...run,
        stage,
        tasks: run.tasks.map(rebuilt),
        moved: {branch: name, expected, found, relation, at},
      };
    }),

  'branch-adopted': (state, event) =>
    changeRun(state, event.run, (run) =>
      run.moved?.found === event.commit && run.moved.relation === 'ahead'
        ? {
            ...without(run, 'moved'),
            head: event.commit,
            adopted: [...(run.adopted ?? []), event.commit],
          }
        : `${event.commit} was not found on top of the branch of ${run.id}`,
    ),

  'branch-restore-asked': (state, event) =>
    changeRun(state, event.run, (run): Fit<Run> =>
      run.moved?.found === event.commit
        ? {...run, moved: {...run.moved, isRestoring: true}}
        : `${event.commit} was not found on the branch of ${run.id}`,
    ),

  'branch-restored': (state, event) =>
    changeRun(state, event.run, (run) =>
      run.moved === undefined ? `the branch of ${run.id} was not moved` : without(run, 'moved'),
    ),
};

/** What was built on the tip that was expected is built again on the one that will hold. */
function rebuilt(task: Task): Task {
  return task.stage.at === 'merging'
    ? {...without(task, 'setupSession'), stage: {...task.stage, step: {at: 'building'}}}
    : task;
}
