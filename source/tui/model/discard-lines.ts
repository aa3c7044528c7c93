import {isTaskId, runIdIn, runOf, type RunId, type State, type TaskId} from '../../domain/index.ts';

/** What happens when it is discarded, and what stays: read before it is done. */
export function discardLines(state: State, what: RunId | TaskId): string[] {
  const run = runOf(state, runIdIn(what));
  if (run === undefined) return [];
  const own = isTaskId(what) ? what.slice(run.id.length + 1) : undefined;
  const later =
    own === undefined
      ? []
      : dependentsOf(
          run.tasks.map(({planned}) => planned),
          own,
        );
  const merged = run.tasks.filter(({stage}) => stage.at === 'merged').length;
  return [
    ...(own === undefined && merged > 0
      ? [
          `${merged} merged ${merged === 1 ? 'task stays' : 'tasks stay'} in the run's own branch, and not in yours.`,
        ]
      : []),
    ...(later.length === 0
      ? []
      : [`Discarded with it, because they build on it: ${later.join(', ')}.`]),
    'What was done is kept in a ref that git finds again; your own branch and files are not touched.',
  ];
}

function dependentsOf(
  tasks: readonly {readonly id: string; readonly after: readonly string[]}[],
  id: string,
): string[] {
  const found = new Set([id]);
  for (const task of tasks) if (task.after.some((one) => found.has(one))) found.add(task.id);
  return [...found].filter((one) => one !== id);
}
