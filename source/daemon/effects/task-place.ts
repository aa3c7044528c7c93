import {
  type Run,
  runIdIn,
  selectRun,
  selectTask,
  selectWorktree,
  type Task,
  type TaskId,
  type Worktree,
} from '../../domain/index.ts';
import type {RepositoryAccess, StateReader} from '../daemon-context.ts';
import {fingerprintSetupFiles} from '../../git/index.ts';

export type TaskPlace = {readonly run: Run; readonly task: Task; readonly worktree: Worktree};

/** A task with its run and worktree. Throws if it has no worktree. */
export function selectTaskPlace({state}: StateReader, id: TaskId): TaskPlace {
  const run = selectRun(state(), runIdIn(id));
  const task = selectTask(state(), id);
  const worktree = run === undefined ? undefined : selectWorktree(run, id);
  if (run === undefined || task === undefined || worktree === undefined)
    throw new Error(`${id} has no worktree`);
  return {run, task, worktree};
}

export function selectMergeWorktree(run: Run): Worktree {
  const worktree = selectWorktree(run, `${run.id}.merge`);
  if (worktree === undefined) throw new Error(`${run.id} has no worktree for merges`);
  return worktree;
}

/**
 * The checkout that the run was requested in: its rules and branch count, and summaries go there.
 */
export function selectCheckout(
  {root}: Pick<RepositoryAccess, 'root'>,
  run: Run | undefined,
): string {
  return run?.request.checkout ?? root;
}

/** The branch that merges of the run go to. */
export function selectOwnBranch(run: Run): string {
  const {stage} = run;
  const branch = 'ground' in stage ? stage.ground.ownBranch : undefined;
  return branch ?? `orchestra/${run.id}`;
}

/**
 * Fingerprint of the files that the project's setup command reads in a commit or tree; empty
 * without a setup command.
 */
export async function readSetupFingerprint(
  context: StateReader & Pick<RepositoryAccess, 'workspace'>,
  tree: string,
): Promise<{readonly reads?: string}> {
  const {setup} = context.state().project;
  return setup === undefined
    ? {}
    : {reads: await fingerprintSetupFiles(context.workspace(), {tree, command: setup})};
}
