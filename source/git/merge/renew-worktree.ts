import path from 'node:path';
import {rmSync, mkdirSync, renameSync} from 'node:fs';
import {copyIndex, runOnObjects, withTemporaryIndex} from '../client/plumbing.ts';
import {captureTree} from '../changes/capture-change.ts';
import {backUpNow, backUpObject, moveRef, readRef, settleRef, toBranchRef} from '../commit/refs.ts';
import {makeCommit} from '../commit/commit-objects.ts';
import {refreshWorktree} from '../commit/commit-change.ts';
import {tryReadText} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {waitForLocks} from '../worktrees/live-git.ts';
import {findAdmin, hashTree} from '../worktrees/get-tree.ts';
import {writeWhole} from '../worktrees/records.ts';
import {mergeTrees} from './build-merge.ts';
import {sanitizeText} from '../../shared/index.ts';

export type RenewalOptions = {
  readonly directory: string;
  readonly branch: string | null;
  /** The current base of the work, and its new base. */
  readonly base: string;
  readonly onto: string;
};

/**
 * Rebases the content of a worktree onto another commit, uncommitted and with conflict markers
 * where both sides changed a place. The content before is backed up under a ref, and after a crash
 * it is taken from there, never from a half-written tree.
 */
export function renewWorktree(
  workspace: Workspace,
  {directory, branch, base, onto}: RenewalOptions,
): Promise<{readonly commit: string; readonly tree: string}> {
  return workspace.withKeyLock(directory, async () => {
    const admin = findAdmin(workspace, directory);
    if (admin === undefined)
      throw new Error(
        `expected a worktree of this repository in ${directory}, but git knows none ` +
          'there. Discard the task, or make the worktree again.',
      );
    await waitForLocks([directory, admin]);
    const intent = path.join(workspace.private, 'renewals', `${path.basename(directory)}-${onto}`);
    const before = readRenewal(intent) ?? (await captureTree(workspace, {directory, base})).tree;
    await backUpObject(workspace, path.basename(directory), before);
    writeWhole(intent, before);
    const work = await makeCommit(workspace, {
      parents: [base],
      tree: before,
      message: 'work so far\n',
      at: 0,
    });
    const {tree: merged} = await mergeTrees(workspace, onto, work);
    await backUpObject(workspace, path.basename(directory), merged);
    await withTemporaryIndex(workspace, async (index) => {
      const run = (argv: readonly string[]): Promise<string> =>
        workspace.git(
          directory,
          ['--git-dir', workspace.commonDirectory, '--work-tree', directory, ...argv],
          {index},
        );
      await run(['read-tree', before]);
      await run(['read-tree', '--reset', '-u', merged]);
    });
    if (branch !== null) await moveBranchOnto(workspace, {directory, branch, onto});
    rmSync(intent, {force: true});
    return {commit: onto, tree: await hashTree(workspace, directory)};
  });
}

/** Moves the branch to the new base, so that `git status` shows the work as uncommitted on it. */
async function moveBranchOnto(
  workspace: Workspace,
  {
    directory,
    branch,
    onto,
  }: {readonly directory: string; readonly branch: string; readonly onto: string},
): Promise<void> {
  await workspace.withLock(async () => {
    const ref = toBranchRef(branch);
    const seen = await readRef(workspace, ref);
    if (seen === onto) {
      settleRef(workspace, ref);
      return;
    }

    if (seen !== null) await backUpNow(workspace, branch, seen);
    if ((await moveRef(workspace, {ref, to: onto, from: seen})) === 'outdated')
      throw new Error(
        `expected ${ref} at ${seen ?? 'no commit'}, but somebody moved it just now. Nothing is lost; resume the task.`,
      );
  });
  const tree = (
    await runOnObjects(workspace, ['rev-parse', '--verify', `${onto}^{tree}`], {isRead: true})
  ).trim();
  await refreshWorktree(workspace, {directory, branch, tree});
}

function readRenewal(file: string): string | undefined {
  return tryReadText(file, {maxBytes: 1024})?.trim();
}

/**
 * Checks out a candidate in the merge worktree and removes what earlier candidates and checks left.
 * Ignored files (dependencies) stay.
 */
export function checkoutCandidate(
  workspace: Workspace,
  {directory, commit}: {readonly directory: string; readonly commit: string},
): Promise<void> {
  return workspace.withKeyLock(directory, async () => {
    const admin = findAdmin(workspace, directory);
    if (admin === undefined)
      throw new Error(
        `Expected a worktree of this repository in ${sanitizeText(directory)}, but git ` +
          'knows none there. Make it again, then resume.',
      );
    await waitForLocks([directory, admin]);
    // Programs in the worktree can set index flags that would keep files unchanged; our own index
    // has none.
    const index = path.join(workspace.private, 'candidates', path.basename(directory));
    mkdirSync(path.dirname(index), {recursive: true, mode: 0o700});
    // No git runs in this worktree and it is ours alone, so any lock is stale.
    for (const lock of [
      `${index}.lock`,
      path.join(admin, 'index.lock'),
      path.join(admin, 'HEAD.lock'),
    ])
      rmSync(lock, {force: true});
    const run = (argv: readonly string[]): Promise<string> =>
      workspace.git(directory, ['--git-dir', admin, '--work-tree', directory, ...argv], {index});
    await run(['update-ref', '--no-deref', 'HEAD', commit]);
    await run(['read-tree', '--reset', '-u', commit]);
    await run(['clean', '-ffdq']);
    copyIndex(index, path.join(admin, 'index.orchestra'));
    renameSync(path.join(admin, 'index.orchestra'), path.join(admin, 'index'));
  });
}
