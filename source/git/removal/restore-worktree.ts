import {withTemporaryIndex} from '../client/plumbing.ts';
import type {Workspace} from '../open-workspace.ts';
import {ensureWorktree, resolveBase} from '../worktrees/ensure-worktree.ts';
import type {Placed} from '../worktrees/place-worktree.ts';

export type RestoreOptions = {
  readonly owner: string;
  /** The branch that it had, used if the name is still free. */
  readonly branch: string;
  /** Where the branch was. */
  readonly tip: string;
  /** The ref with the content at the removal; null if that was the content of `tip`. */
  readonly kept: string | null;
};

/**
 * Makes a removed worktree again: its branch at its old tip, and its content on top, uncommitted.
 * Nobody may work in it meanwhile: after a crash the content is laid out again from the ref.
 * Ignored files do not come back.
 */
export async function restoreWorktree(
  workspace: Workspace,
  {owner, branch, tip, kept}: RestoreOptions,
): Promise<Placed> {
  // Before anything is made: without its content it would be another worktree.
  const content = kept === null ? undefined : await resolveBase(workspace, kept);
  const {
    path,
    branch: placed,
    tree,
  } = await ensureWorktree(workspace, {
    owner,
    branch,
    from: tip,
    mayRebuild: true,
  });
  if (content !== undefined && content.tree !== tree)
    await workspace.withKeyLock(path, () =>
      withTemporaryIndex(workspace, async (index) => {
        const run = (argv: readonly string[]): Promise<string> =>
          workspace.git(
            path,
            ['--git-dir', workspace.commonDirectory, '--work-tree', path, ...argv],
            {index},
          );
        await run(['read-tree', tree]);
        await run(['read-tree', '--reset', '-u', content.tree]);
      }),
    );
  return {path, branch: placed};
}
