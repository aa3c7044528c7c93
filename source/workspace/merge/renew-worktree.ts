import {rmSync} from 'node:fs';
import path from 'node:path';
import {aside} from '../change/aside.ts';
import {captureTree} from '../change/capture-change.ts';
import {keepNow, keepObject} from '../change/keep-object.ts';
import {withIndex} from '../change/with-index.ts';
import {makeCommit} from '../commit/make-commit.ts';
import {moveRef, readRef, refOf, settleRef} from '../commit/refs.ts';
import {refreshWorktree} from '../commit/refresh-worktree.ts';
import {tryReadText} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {outwait} from '../worktree/live-git.ts';
import {adminOf, treeOf} from '../worktree/tree-of.ts';
import {writeWhole} from '../worktree/write-whole.ts';
import {mergeTrees} from './build-merge.ts';

export type RenewalWish = {
  readonly directory: string;
  readonly branch: string | null;
  /** The commit that the work stands on now, and the one that it shall stand on. */
  readonly base: string;
  readonly onto: string;
};

/**
 * Lays what stands in a worktree over another commit: what both sides changed is there with conflict markers, uncommitted.
 * What was there before is kept under a ref. After a crash the work is taken from that ref, never from a half-laid tree.
 */
export function renewWorktree(
  workspace: Workspace,
  {directory, branch, base, onto}: RenewalWish,
): Promise<{readonly commit: string; readonly tree: string}> {
  return workspace.alone(directory, async () => {
    const admin = adminOf(workspace, directory);
    if (admin === undefined)
      throw new Error(
        `expected a worktree of this repository in ${directory}, but git knows none there. Discard the task, or make the worktree again.`,
      );
    await outwait([directory, admin]);
    const intent = path.join(workspace.private, 'renewals', `${path.basename(directory)}-${onto}`);
    const before = readIntent(intent) ?? (await captureTree(workspace, {directory, base})).tree;
    await keepObject(workspace, path.basename(directory), before);
    writeWhole(intent, before);
    const work = await makeCommit(workspace, {
      parents: [base],
      tree: before,
      message: 'work so far\n',
      at: 0,
    });
    const {tree: merged} = await mergeTrees(workspace, onto, work);
    await keepObject(workspace, path.basename(directory), merged);
    await withIndex(workspace, async (index) => {
      const run = (argv: readonly string[]): Promise<string> =>
        workspace.git(
          directory,
          ['--git-dir', workspace.commonDirectory, '--work-tree', directory, ...argv],
          {index},
        );
      await run(['read-tree', before]);
      await run(['read-tree', '--reset', '-u', merged]);
    });
    if (branch !== null) await standOn(workspace, {directory, branch, onto});
    rmSync(intent, {force: true});
    return {commit: onto, tree: await treeOf(workspace, directory)};
  });
}

/** The branch is at the new commit and the work is uncommitted on it, as `git status` then says. */
async function standOn(
  workspace: Workspace,
  {
    directory,
    branch,
    onto,
  }: {readonly directory: string; readonly branch: string; readonly onto: string},
): Promise<void> {
  await workspace.inTurn(async () => {
    const ref = refOf(branch);
    const seen = await readRef(workspace, ref);
    if (seen === onto) {
      settleRef(workspace, ref);
      return;
    }

    if (seen !== null) await keepNow(workspace, branch, seen);
    if ((await moveRef(workspace, {ref, to: onto, from: seen})) === 'outdated')
      throw new Error(
        `expected ${ref} at ${seen ?? 'nothing'}, but somebody moved it at this moment. Nothing is lost; resume the task.`,
      );
  });
  const tree = (
    await aside(workspace, ['rev-parse', '--verify', `${onto}^{tree}`], {isRead: true})
  ).trim();
  await refreshWorktree(workspace, {directory, branch, tree});
}

function readIntent(file: string): string | undefined {
  return tryReadText(file, {maxBytes: 1024})?.trim();
}
