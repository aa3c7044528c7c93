import type {EventOf} from '../event.ts';
import {isTaskId} from '../ids.ts';
import type {Run, RunBefore} from '../run.ts';

/** What an undo of the accept needs; nothing if no branch was moved. */
export function toAcceptUndo(
  stage: Extract<Run['stage'], {readonly at: 'accepting'}>,
  {commit, from, into, at}: EventOf<'run-accepted'>,
): Pick<Run, 'undoable'> {
  const branch = into ?? stage.ground.branch;
  if (from === undefined || from === commit || branch === null) return {};
  const {ground, proposal, approval} = stage;
  return {
    undoable: {
      kind: 'accept',
      at,
      branch,
      from,
      stage: {at: 'working', ground, proposal, approval},
    },
  };
}

/** The part of a run that a discard changes. */
export function toRunBefore(run: Run): RunBefore {
  const {stage, tasks, hold, trouble, exhausted, parked, moved} = run;
  return {
    stage,
    tasks,
    ...(hold === undefined ? {} : {hold}),
    ...(trouble === undefined ? {} : {trouble}),
    ...(exhausted === undefined ? {} : {exhausted}),
    ...(parked === undefined ? {} : {parked}),
    ...(moved === undefined ? {} : {moved}),
  };
}

/** Remembers the worktree of a discarded task, which an undo can make again. */
export function rememberRemoved(
  run: Run,
  {owner, kept, tip, at}: EventOf<'worktree-removed'>,
): Run {
  const worktree = run.worktrees.find((one) => one.owner === owner);
  const task = run.tasks.find(({id}) => id === owner);
  if (worktree === undefined || task?.stage.at !== 'discarded' || !isTaskId(owner)) return run;
  const {branch, commit, tree, reads} = worktree;
  return {
    ...run,
    removed: [
      ...(run.removed ?? []).filter((one) => one.owner !== owner),
      {
        owner,
        branch,
        commit,
        tree,
        ...(reads === undefined ? {} : {reads}),
        kept,
        ...(tip === undefined ? {} : {tip}),
        at,
      },
    ],
  };
}

export function withReturned(run: Run, owner: string): Run {
  return run.removed === undefined
    ? run
    : {
        ...run,
        removed: run.removed.map((one) =>
          one.owner === owner ? {...one, isBack: true as const} : one,
        ),
      };
}
