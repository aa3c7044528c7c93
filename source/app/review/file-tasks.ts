import type {Run, Task} from '../../domain/index.ts';
import {pathMatcher} from '../../shared/index.ts';

/**
 * The number of the task that changed a file of the run's diff.
 *
 * Each task's own change, as it passed its checks, names its files: the task that was merged last
 * wins. A path that no change names (a merge or a person made it) belongs to the only merged task
 * that planned it, or to none.
 */
export function selectFileTasks({tasks}: Run): (path: string) => number | undefined {
  const merged = tasks
    .flatMap((task) => (task.stage.at === 'merged' ? [{task, since: task.stage.since}] : []))
    .sort((one, other) => one.since - other.since)
    .map(({task}) => task);
  // A merged task that got a new attempt is under way again; what was merged of it counts less
  // than what is merged now.
  const reopened = tasks.filter(({stage}) => stage.at !== 'merged' && stage.at !== 'discarded');
  const changed = new Map(
    [...reopened, ...merged].flatMap((task) =>
      listChangedPaths(task).map((path) => [path, toTaskNumber(task)] as const),
    ),
  );
  const planned = merged.map((task) => ({
    number: toTaskNumber(task),
    matches: pathMatcher(task.planned.files),
  }));
  return (path) => {
    const own = changed.get(path);
    if (own !== undefined) return own;
    const [one, ...others] = planned.filter(({matches}) => matches(path));
    return others.length === 0 ? one?.number : undefined;
  };
}

/** `r1.t2` is task 2. */
export function toTaskNumber({id}: Pick<Task, 'id'>): number {
  return Number(id.slice(id.lastIndexOf('t') + 1));
}

function listChangedPaths({attempts}: Task): readonly string[] {
  const step = attempts.findLast((attempt) => attempt.step.at === 'passed')?.step;
  return step?.at === 'passed' ? step.change.files.map(({path}) => path) : [];
}
