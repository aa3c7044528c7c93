import {mkdirSync, renameSync, rmSync} from 'node:fs';
import path from 'node:path';
import {sanitizeText} from '../../base/index.ts';
import {copyIndex} from '../git/copy-index.ts';
import type {Workspace} from '../open-workspace.ts';
import {outwait} from '../worktree/live-git.ts';
import {adminOf} from '../worktree/tree-of.ts';

/** Puts a candidate into the merge worktree, exactly: what an earlier one or its checks left is gone, what git ignores (dependencies) stays. */
export function checkoutCandidate(
  workspace: Workspace,
  {directory, commit}: {readonly directory: string; readonly commit: string},
): Promise<void> {
  return workspace.alone(directory, async () => {
    const admin = adminOf(workspace, directory);
    if (admin === undefined)
      throw new Error(
        `Expected a worktree of this repository in ${sanitizeText(directory)}, but git knows none there. Make it again, then go on.`,
      );
    await outwait([directory, admin]);
    // What runs there could set flags in its index that leave files as they are; ours has none, and knows what it wrote last.
    const index = path.join(workspace.private, 'candidates', path.basename(directory));
    mkdirSync(path.dirname(index), {recursive: true, mode: 0o700});
    // Nobody is at work in it, and it is ours alone: a lock is what a crash left.
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
