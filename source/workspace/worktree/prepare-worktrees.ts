import type {Workspace} from '../open-workspace.ts';
import {discardStage} from './discard-stage.ts';
import {ensureWorktree} from './ensure-worktree.ts';
import {slugOf} from './names.ts';
import {readNote, readNotes} from './note.ts';

/**
 * Makes the worktrees of a plan while a person reads it: detached, out of sight. `ensureWorktree` then only gives each
 * its branch and moves it. One that is in place already is left as it is.
 */
export async function prepareWorktrees(
  workspace: Workspace,
  wishes: readonly {readonly owner: string; readonly from: string}[],
): Promise<void> {
  const ends = await Promise.allSettled(
    wishes.map(({owner, from}) =>
      ensureWorktree(workspace, {owner, from, branch: null, mayRebuild: true, ahead: true}),
    ),
  );
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** What was made ahead and is no longer wanted (the plan was rejected) goes again. Nobody has worked in it. */
export async function discardPrepared(
  workspace: Workspace,
  owners: readonly string[],
): Promise<void> {
  for (const owner of owners) {
    const slug = slugOf(owner);
    await workspace.alone(slug, async () => {
      const note = readNote(workspace, slug);
      if (note?.at === 'staging' || note?.at === 'ready') await discardStage(workspace, note);
    });
  }
}

/** Whose worktrees stand ready, out of sight. */
export function preparedOwners(workspace: Workspace): readonly string[] {
  return readNotes(workspace)
    .filter(({at}) => at === 'staging' || at === 'ready')
    .map(({owner}) => owner);
}
