import {randomBytes} from 'node:crypto';
import {mkdirSync, renameSync, rmSync} from 'node:fs';
import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {dropAdmin} from '../worktree/discard-stage.ts';
import {nameOf, outwait, stayingIn} from '../worktree/live-git.ts';
import {isThere, ownPlaceOf, slugOf} from '../worktree/names.ts';
import {dropNote, readNote, seedIndexOf} from '../worktree/note.ts';
import {pastLocks} from '../worktree/past-locks.ts';
import {lineOf, linkOf, readRegistered} from '../worktree/registered.ts';
import {adminOf, contentOf} from '../worktree/tree-of.ts';
import {forgetFurnished} from '../worktree/furnished.ts';
import {dropGitView} from '../view/git-view.ts';
import {deleteTree} from './delete-tree.ts';
import {keepWork, nextNumber, tipOfBranch} from './keep-work.ts';
import {
  readRemoval,
  writeRemoval,
  type Dropped,
  type Removal,
  type RemovalWish,
} from './removal.ts';

export type Removed = {
  /** The ref that holds everything that was not merged. */
  readonly kept: string | null;
  readonly patch: string | null;
  /** How to get it back, in sentences and commands. */
  readonly how: readonly string[];
  /** What git ignores and went with it. */
  readonly dropped: readonly Dropped[];
};

/**
 * Keeps first (a ref and a patch of everything that is not merged, new files too), then moves it out of the way, then
 * deletes. After kill -9 at any point, what was in it is in the worktree, in the trash or in the ref; asked again, it goes on.
 */
export async function removeWorktree(workspace: Workspace, wish: RemovalWish): Promise<Removed> {
  const slug = slugOf(wish.owner);
  return workspace.alone(slug, async () => {
    const found = readRemoval(workspace, slug);
    if (found?.at === 'done' && found.path === wish.path && !isThere(wish.path))
      return answerOf(found);
    const since = found?.at === 'done' ? undefined : found?.began;
    // Whoever was killed may have left a git that is still reading in there.
    if (found !== undefined && since !== undefined) await outwait([found.path, found.trash]);
    let removal: Removal =
      found === undefined || found.at === 'done' ? await begin(workspace, wish) : found;
    if (removal.at === 'keeping') {
      await checkNobodyIn(wish);
      removal = writeRemoval(workspace, slug, {
        ...(await keepWork(workspace, removal, wish, removal.path, since)),
        at: 'kept',
      });
    }

    if (removal.at === 'kept') removal = await moveAway(workspace, removal, wish);
    if (removal.at === 'trashed') removal = await finish(workspace, removal, wish, since);
    return answerOf(removal);
  });
}

async function begin(workspace: Workspace, wish: RemovalWish): Promise<Removal> {
  await checkNobodyIn(wish);
  const slug = slugOf(wish.owner);
  const note = readNote(workspace, slug);
  const admin = note?.path === wish.path ? note.admin : (adminOf(workspace, wish.path) ?? null);
  return writeRemoval(workspace, slug, {
    owner: wish.owner,
    path: wish.path,
    branch: wish.branch,
    admin,
    at: 'keeping',
    number: await nextNumber(workspace, wish.owner),
    began: workspace.now(),
    trash: path.join(ownPlaceOf(workspace, 'trash'), `${slug}-${randomBytes(5).toString('hex')}`),
    tip: null,
    tree: null,
    kept: null,
    patch: null,
    how: [],
    dropped: [],
    mayDropBranch: false,
  });
}

async function checkNobodyIn({owner, path: place, isLive}: RemovalWish): Promise<void> {
  if ((await isLive?.(place)) === true)
    throw new Error(
      `Expected nobody at work in ${place}, but a session of ${owner} still is. Stop it first.`,
    );
  const live = await stayingIn(place);
  if (live.length > 0)
    throw new Error(
      `Expected nobody at work in ${place}, but ${nameOf(live)} is in there. End it first; nothing was removed.`,
    );
}

async function moveAway(
  workspace: Workspace,
  removal: Removal,
  wish: RemovalWish,
): Promise<Removal> {
  await checkNobodyIn(wish);
  return workspace.inTurn(() => {
    mkdirSync(path.dirname(removal.trash), {recursive: true, mode: 0o700});
    if (isThere(removal.path) && !isThere(removal.trash)) renameSync(removal.path, removal.trash);
    return Promise.resolve(
      writeRemoval(workspace, slugOf(removal.owner), {...removal, at: 'trashed'}),
    );
  });
}

async function finish(
  workspace: Workspace,
  found: Removal,
  wish: RemovalWish,
  since: number | undefined,
): Promise<Removal> {
  const slug = slugOf(found.owner);
  let removal = found;
  // Whoever wrote in the moment between keeping and moving has written into the trash: that is kept too.
  if (
    removal.tree !== null &&
    isThere(removal.trash) &&
    isThere(path.join(removal.trash, '.git'))
  ) {
    const {tree} = await contentOf(workspace, removal.trash, seedIndexOf(workspace, slug));
    if (tree !== removal.tree) {
      const again = await keepWork(
        workspace,
        {...removal, number: await nextNumber(workspace, removal.owner)},
        wish,
        removal.trash,
        since,
      );
      removal = writeRemoval(workspace, slug, {...again, how: [...removal.how, ...again.how]});
    }
  }

  const words = await workspace.inTurn(async () => {
    const branchWords = await dropBranch(workspace, removal, since);
    // A directory that somebody else took the name of in the meantime stays theirs.
    if (
      removal.admin !== null &&
      (lineOf(path.join(removal.admin, 'gitdir')) ?? `${removal.path}/.git`) ===
        `${removal.path}/.git` &&
      linkOf(removal.path) !== removal.admin
    )
      dropAdmin(workspace, removal.admin);
    return branchWords;
  });
  const rest = await deleteTree(removal.trash);
  if (readNote(workspace, slug)?.path === removal.path) dropNote(workspace, slug);
  rmSync(seedIndexOf(workspace, slug), {force: true});
  dropGitView(workspace, removal.owner);
  forgetFurnished(workspace, removal.path);
  return writeRemoval(workspace, slug, {
    ...removal,
    at: 'done',
    how: [...removal.how, ...words, ...rest],
  });
}

/** Only what is merged or kept, only as it was then, and only when nobody stands on it. */
async function dropBranch(
  workspace: Workspace,
  {branch, tip, admin, mayDropBranch}: Removal,
  since: number | undefined,
): Promise<readonly string[]> {
  if (branch === null || tip === null || !mayDropBranch) return [];
  const now = await tipOfBranch(workspace, branch);
  if (now === null) return [];
  const heads = [
    lineOf(path.join(workspace.commonDirectory, 'HEAD')),
    ...readRegistered(workspace)
      .filter((one) => one.admin !== admin)
      .map(({head}) => head),
  ];
  if (now !== tip || heads.includes(`ref: refs/heads/${branch}`))
    return [
      `The branch ${branch} is still there: ${now === tip ? 'it is checked out elsewhere' : 'it has moved since'}.`,
    ];
  await pastLocks(workspace, since, () =>
    workspace.git(workspace.root, ['update-ref', '-d', `refs/heads/${branch}`, tip]),
  );
  return [];
}

function answerOf({kept, patch, how, dropped}: Removal): Removed {
  return {kept, patch, how, dropped};
}
