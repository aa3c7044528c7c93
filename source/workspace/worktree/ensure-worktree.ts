import {rmSync} from 'node:fs';
import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {discardStage} from './discard-stage.ts';
import {outwait} from './live-git.ts';
import {isThere, slugOf} from './names.ts';
import {readNote, type Note} from './note.ts';
import {observeWorktree} from './observe-worktree.ts';
import {placeWorktree, type Placed} from './place-worktree.ts';
import {stageWorktree} from './stage-worktree.ts';
import {usedWorktree} from './used-worktree.ts';
import {forgetRemoval} from '../remove/removal.ts';

export type WorktreeWish = {
  /** `r1.t3`, `r1.plan`, `r1.merge`. */
  readonly owner: string;
  /** The branch that it should have, if that name is free; null for none. */
  readonly branch: string | null;
  readonly from: string;
  /** False once a session has run in it: then nothing is ever thrown away. */
  readonly mayRebuild: boolean;
  /** Only builds it, out of sight. */
  readonly ahead?: boolean;
};

export type MadeWorktree = Placed & {
  /** What it was made from; the same on every call. */
  readonly commit: string;
  readonly tree: string;
};

/** Looks what is there (nothing, a part, all of it, something of somebody else's), and does the rest. */
export async function ensureWorktree(
  workspace: Workspace,
  wish: WorktreeWish,
): Promise<MadeWorktree> {
  const slug = slugOf(wish.owner);
  return workspace.alone(slug, async () => {
    const {commit, tree} = await groundOf(workspace, wish.from);
    if (!wish.mayRebuild) return {...(await usedWorktree(workspace, wish.owner)), commit, tree};
    let note = readNote(workspace, slug);
    if (wish.ahead === true && note?.path != null)
      return {path: note.path, branch: note.branch, commit, tree};
    const since = note === undefined || note.at === 'placed' ? undefined : note.began;
    const branch = note?.branch ?? null;
    // Whoever was killed may have left a git that is still at it.
    if (note !== undefined && since !== undefined)
      await outwait([
        note.stage,
        ...(note.admin === null ? [] : [note.admin]),
        ...(branch === null ? [] : [`refs/heads/${branch}`]),
      ]);
    const seen = observeWorktree(workspace, note, {commit, asked: wish.branch});
    if (seen === 'done' && note?.path != null) {
      await withoutStaleLock(note);
      return {path: note.path, branch: note.branch, commit, tree};
    }

    if (note !== undefined && seen === 'absent') {
      await discardStage(workspace, note);
      note = undefined;
    }

    // Something of theirs stands at its place, or they have worked in it: it stays, and a new one gets another name.
    if (seen === 'foreign') note = undefined;
    forgetRemoval(workspace, slug);
    const staged: Note =
      note === undefined
        ? await stageWorktree(workspace, {
            owner: wish.owner,
            commit,
            tree,
            asked: wish.branch,
            branch,
            since,
          })
        : {...note, asked: wish.branch};
    if (wish.ahead === true) return {path: staged.stage, branch: null, commit, tree};
    return {...(await placeWorktree(workspace, staged, since)), commit, tree};
  });
}

export async function groundOf(
  workspace: Workspace,
  from: string,
): Promise<{readonly commit: string; readonly tree: string}> {
  const words = await workspace
    .git(workspace.root, ['rev-parse', '--end-of-options', `${from}^{commit}`, `${from}^{tree}`], {
      isRead: true,
    })
    .catch(() => '');
  const [commit = '', tree = ''] = words
    .split('\n')
    .filter((line) => /^[0-9a-f]{40,64}$/.test(line));
  if (tree === '')
    throw new Error(`Expected "${from}" to be a commit of this repository, but it is none.`);
  return {commit, tree};
}

/** Nobody has worked in it, so a lock in it is a crash's, unless a git is alive in there. */
async function withoutStaleLock({path: place, admin}: Note): Promise<void> {
  if (place === null || admin === null) return;
  const lock = path.join(admin, 'index.lock');
  if (!isThere(lock)) return;
  await outwait([place, admin]);
  rmSync(lock, {force: true});
}
