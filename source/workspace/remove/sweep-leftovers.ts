import type {Workspace} from '../open-workspace.ts';
import {dropAdmin} from '../worktree/discard-stage.ts';
import {liveGitIn} from '../worktree/live-git.ts';
import {deleteTree} from './delete-tree.ts';
import {listLeftovers} from './list-leftovers.ts';

/** Deletes what is ours alone: things begun and never finished, and the trash. Worktrees are not touched: use removeWorktree. */
export async function sweepLeftovers(
  workspace: Workspace,
  known: readonly string[],
): Promise<readonly string[]> {
  const gone: string[] = [];
  for (const {path: place, kind} of listLeftovers(workspace, known)) {
    if (kind === 'worktree' || liveGitIn([place]).length > 0) continue;
    if (kind === 'registration') {
      await workspace.inTurn(() => {
        dropAdmin(workspace, place);
        return Promise.resolve();
      });
    } else if ((await deleteTree(place)).length > 0) continue;
    gone.push(place);
  }

  return gone;
}
