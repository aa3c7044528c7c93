import {
  runIdIn,
  runOf,
  taskOf,
  worktreeOf,
  type Run,
  type Task,
  type TaskId,
  type Worktree,
} from '../../domain/index.ts';
import type {Workshop} from '../workshop.ts';

export type TaskPlace = {readonly run: Run; readonly task: Task; readonly worktree: Worktree};

/** The task with its run and its worktree; without one there is nothing that could be done for it. */
export function placeOfTask({state}: Pick<Workshop, 'state'>, id: TaskId): TaskPlace {
  const run = runOf(state(), runIdIn(id));
  const task = taskOf(state(), id);
  const worktree = run === undefined ? undefined : worktreeOf(run, id);
  if (run === undefined || task === undefined || worktree === undefined)
    throw new Error(`${id} has no worktree`);
  return {run, task, worktree};
}

export function mergePlaceOf(run: Run): Worktree {
  const worktree = worktreeOf(run, `${run.id}.merge`);
  if (worktree === undefined) throw new Error(`${run.id} has no worktree for merges`);
  return worktree;
}

/** Where the person asked for it: its rules and its branch count, and its summaries go there. */
export function checkoutOf({root}: Pick<Workshop, 'root'>, run: Run | undefined): string {
  return run?.request.checkout ?? root;
}

/** Where merges of the run go. */
export function ownBranchOf(run: Run): string {
  const {stage} = run;
  const branch = 'ground' in stage ? stage.ground.ownBranch : undefined;
  return branch ?? `orchestra/${run.id}`;
}
