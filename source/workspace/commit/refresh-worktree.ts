import {linkSync, renameSync, rmSync} from 'node:fs';
import path from 'node:path';
import {tryReadText, writeWhole} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {withIndex} from '../change/with-index.ts';
import {copyIndex, tryCopyIndex} from '../git/copy-index.ts';
import {liveGitIn} from '../worktree/live-git.ts';
import {adminOf} from '../worktree/tree-of.ts';
import {refOf} from './refs.ts';

/**
 * After a commit that was made beside it, a worktree is on its branch and has the commit's tree as its index: `git status`
 * there tells the truth. Files are not touched. When git is at work there its index is left alone: it is convenience, not record.
 */
export async function refreshWorktree(
  workspace: Workspace,
  {
    directory,
    branch,
    tree,
  }: {readonly directory: string; readonly branch: string; readonly tree: string},
): Promise<void> {
  const admin = adminOf(workspace, directory);
  if (admin === undefined || liveGitIn([directory, admin]).length > 0) return;
  const head = `ref: ${refOf(branch)}\n`;
  const below = workspace.commonDirectory;
  if (tryReadText(path.join(admin, 'HEAD'), {maxBytes: 64 * 1024, below}) !== head)
    writeWhole(path.join(admin, 'HEAD'), head, {below, isDurable: true});
  await withIndex(workspace, async (index) => {
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
    // A broken index of an agent's making is no reason to fail: then all is read anew.
    await run(['read-tree', '--reset', tree]).catch(async () => {
      rmSync(index, {force: true});
      await run(['read-tree', tree]);
    });
    await run(['update-index', '-q', '--refresh']);
    const fresh = path.join(admin, 'index.orchestra');
    const lock = path.join(admin, 'index.lock');
    copyIndex(index, fresh);
    // No git is alive here, so what lies there was left by one that died.
    rmSync(lock, {force: true});
    linkSync(fresh, lock);
    rmSync(fresh, {force: true});
    renameSync(lock, own);
  });
}
