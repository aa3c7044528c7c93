import path from 'node:path';
import {linkSync, renameSync, rmSync} from 'node:fs';
import type {Workspace} from '../open-workspace.ts';
import {copyIndex, tryCopyIndex, withTemporaryIndex} from '../client/plumbing.ts';
import {backUpNow, isAncestor, moveRef, readRef, settleRef, toBranchRef} from './refs.ts';
import {makeCommit, readCommit} from './commit-objects.ts';
import {tryReadText, writeFileAtomic} from '../../files/index.ts';
import {liveGitIn} from '../worktrees/live-git.ts';
import {findAdmin} from '../worktrees/get-tree.ts';

export type CommitOptions = {
  readonly branch: string;
  readonly parent: string;
  readonly tree: string;
  readonly message: string;
  /**
   * Milliseconds since 1970, fixed when the commit was decided: a repeated call makes the same
   * commit.
   */
  readonly at: number;
  /** The worktree of the branch. Its index is updated; its files are not touched. */
  readonly directory?: string;
};

/**
 * Makes one commit on the task's branch; repeated calls change nothing. Commits that an agent made
 * there are backed up under a ref and replaced.
 */
export function commitChange(
  workspace: Workspace,
  {branch, parent, tree, message, at, directory}: CommitOptions,
): Promise<string> {
  return workspace.withLock(async () => {
    const ref = toBranchRef(branch);
    const seen = await readRef(workspace, ref);
    const isDone = seen !== null && (await isSameCommit(workspace, seen, {parent, tree, message}));
    const commit = isDone
      ? seen
      : await makeCommit(workspace, {parents: [parent], tree, message, at});
    const isOnBranch = seen !== null && (isDone || (await isAncestor(workspace, commit, seen)));
    if (isOnBranch) settleRef(workspace, ref);
    else {
      if (seen !== null && seen !== parent) await backUpNow(workspace, branch, seen);
      if ((await moveRef(workspace, {ref, to: commit, from: seen})) === 'outdated') {
        throw new Error(
          `Expected ${ref} at ${seen ?? 'no commit'}, but somebody moved it just now. Nothing is lost; commit again.`,
        );
      }
    }

    if (directory !== undefined) await refreshWorktree(workspace, {directory, branch, tree});
    return commit;
  });
}

/**
 * Ignores author and committer: the person may have changed their name in git's configuration
 * since.
 */
async function isSameCommit(
  workspace: Workspace,
  seen: string,
  {
    parent,
    tree,
    message,
  }: {readonly parent: string; readonly tree: string; readonly message: string},
): Promise<boolean> {
  const commit = await readCommit(workspace, seen);
  return (
    commit.message === message &&
    commit.tree === tree &&
    commit.parents.length === 1 &&
    commit.parents[0] === parent
  );
}

/**
 * Puts a worktree on its branch with the commit's tree as its index, so that `git status` there is
 * right after a commit that was made outside of it. Files are not touched. The index is left alone
 * while a git runs there: it is a convenience, not a record.
 */
export async function refreshWorktree(
  workspace: Workspace,
  {
    directory,
    branch,
    tree,
  }: {readonly directory: string; readonly branch: string; readonly tree: string},
): Promise<void> {
  const admin = findAdmin(workspace, directory);
  if (admin === undefined || liveGitIn([directory, admin]).length > 0) return;
  const head = `ref: ${toBranchRef(branch)}\n`;
  const below = workspace.commonDirectory;
  if (tryReadText(path.join(admin, 'HEAD'), {maxBytes: 64 * 1024, below}) !== head)
    writeFileAtomic(path.join(admin, 'HEAD'), head, {below, isDurable: true});
  await withTemporaryIndex(workspace, async (index) => {
    const own = path.join(admin, 'index');
    tryCopyIndex(own, index);
    const run = (argv: readonly string[]): Promise<string> =>
      workspace.git(
        directory,
        [
          '--git-dir',
          workspace.commonDirectory,
          '--work-tree',
          directory,
          '-c',
          'core.splitIndex=false',
          ...argv,
        ],
        {index},
      );
    // An agent may have broken the index: build it from nothing then.
    await run(['read-tree', '--reset', tree]).catch(async () => {
      rmSync(index, {force: true});
      await run(['read-tree', tree]);
    });
    await run(['update-index', '-q', '--refresh']);
    const fresh = path.join(admin, 'index.orchestra');
    const lock = path.join(admin, 'index.lock');
    copyIndex(index, fresh);
    // No git runs here, so an existing lock is stale.
    rmSync(lock, {force: true});
    linkSync(fresh, lock);
    rmSync(fresh, {force: true});
    renameSync(lock, own);
  });
}
