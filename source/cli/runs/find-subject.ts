import {
  isRunId,
  isTaskId,
  type Run,
  type RunId,
  selectRun,
  selectRuns,
  selectTask,
  type State,
  type Task,
  type TaskId,
} from '../../domain/index.ts';
import {UsageError} from '../repo-paths.ts';

/** The named run; without a name, the only candidate. */
export function findRun(state: State, id: string | undefined): Run {
  const runs = selectRuns(state);
  if (id === undefined) {
    const open = runs.filter(({stage}) => stage.at !== 'accepted' && stage.at !== 'discarded');
    const [only, ...more] = open.length > 0 ? open : runs.slice(-1);
    if (only === undefined)
      throw new UsageError(
        'there is no run yet. Start one: orchestra run "what should be different"',
      );
    if (more.length > 0)
      throw new UsageError(
        `expected one of the open runs: ${open.map((run) => run.id).join(', ')}`,
      );
    return only;
  }

  const run = selectRun(state, parseRunId(id));
  if (run === undefined)
    throw new UsageError(
      `there is no run ${id}. There are: ${runs.map((one) => one.id).join(', ') || 'none yet'}`,
    );
  return run;
}

/** `r1.t2`, or `t2` beside its run. */
export function findTask(state: State, id: string, run?: Run): Task {
  const full = run !== undefined && /^t[1-9]\d*$/.test(id) ? `${run.id}.${id}` : id;
  const task = selectTask(state, parseTaskId(full));
  if (task === undefined) throw new UsageError(`there is no task ${full}. See: orchestra status`);
  return task;
}

export function parseRunId(id: string): RunId {
  if (!isRunId(id)) throw new UsageError(`expected a run such as r1, got ${JSON.stringify(id)}`);
  return id;
}

export function parseTaskId(id: string): TaskId {
  if (!isTaskId(id))
    throw new UsageError(`expected a task such as r1.t2, got ${JSON.stringify(id)}`);
  return id;
}

export function parseSubject(id: string): RunId | TaskId {
  if (!isRunId(id) && !isTaskId(id))
    throw new UsageError(`expected a run or a task such as r1 or r1.t2, got ${JSON.stringify(id)}`);
  return id;
}
