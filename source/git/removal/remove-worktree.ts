import path from 'node:path';
import {randomBytes} from 'node:crypto';
import {mkdirSync, renameSync, rmSync} from 'node:fs';
import type {Workspace} from '../open-workspace.ts';
import {dropAdmin} from '../worktrees/stage-worktree.ts';
import {formatProcesses, stayingIn, waitForLocks} from '../worktrees/live-git.ts';
import {getOwnPlace, isThere, toSlug} from '../worktrees/paths.ts';
import {
  dropNote,
  forgetProvisioned,
  getSeedIndex,
  readGitLink,
  readLine,
  readNote,
  readRegistered,
} from '../worktrees/records.ts';
import {retryPastLocks} from '../client/plumbing.ts';
import {captureContent, findAdmin} from '../worktrees/get-tree.ts';
import {dropGitView} from '../private-views/git-view.ts';
import {deleteTree} from './leftovers.ts';
import {backUpWork, nextNumber, readTipOfBranch} from './back-up-work.ts';
import {
  type Dropped,
  readRemoval,
  type Removal,
  type RemovalOptions,
  writeRemoval,
} from './removal.ts';

export type Removed = {
  /** The ref with everything that was not merged. */
  readonly backup: string | null;
  readonly patch: string | null;
  /** How to restore it: sentences and commands. */
  readonly how: readonly string[];
  /** Ignored files that were deleted with it. */
  readonly dropped: readonly Dropped[];
};

/**
 * Backs up everything that is not merged, also new files, as a ref and a patch; then moves the
 * worktree to the trash; then deletes it. After kill -9 at any point, its content is in the
 * worktree, in the trash or in the ref, and a repeated call continues.
 */
export async function removeWorktree(
  workspace: Workspace,
  options: RemovalOptions,
): Promise<Removed> {
  const slug = toSlug(options.owner);
  return workspace.withKeyLock(slug, async () => {
    const found = readRemoval(workspace, slug);
    if (found?.at === 'done' && found.path === options.path && !isThere(options.path))
      return toRemoved(found);
    const since = found?.at === 'done' ? undefined : found?.began;
    // A killed daemon may have left a git that still reads there.
    if (found !== undefined && since !== undefined) await waitForLocks([found.path, found.trash]);
    let removal: Removal =
      found === undefined || found.at === 'done' ? await beginRemoval(workspace, options) : found;
    if (removal.at === 'keeping') {
      await expectNobodyIn(options);
      removal = writeRemoval(workspace, slug, {
        ...(await backUpWork(workspace, removal, options, removal.path, since)),
        at: 'kept',
      });
    }

    if (removal.at === 'kept') removal = await moveAway(workspace, removal, options);
    if (removal.at === 'trashed') removal = await finishRemoval(workspace, removal, options, since);
    return toRemoved(removal);
  });
}

async function beginRemoval(workspace: Workspace, options: RemovalOptions): Promise<Removal> {
  await expectNobodyIn(options);
  const slug = toSlug(options.owner);
  const note = readNote(workspace, slug);
  const admin =
    note?.path === options.path ? note.admin : (findAdmin(workspace, options.path) ?? null);
  return writeRemoval(workspace, slug, {
    owner: options.owner,
    path: options.path,
    branch: options.branch,
    admin,
    at: 'keeping',
    number: await nextNumber(workspace, options.owner),
    began: workspace.now(),
    trash: path.join(getOwnPlace(workspace, 'trash'), `${slug}-${randomBytes(5).toString('hex')}`),
    tip: null,
    tree: null,
    kept: null,
    patch: null,
    how: [],
    dropped: [],
    mayDropBranch: false,
  });
}

async function expectNobodyIn({owner, path: place, isLive}: RemovalOptions): Promise<void> {
  if ((await isLive?.(place)) === true)
    throw new Error(
      `Expected no process in ${place}, but a session of ${owner} runs there. Stop it first.`,
    );
  const live = await stayingIn(place);
  if (live.length > 0)
    throw new Error(
      `Expected no process in ${place}, but ${formatProcesses(live)} runs there. End it first; nothing was removed.`,
    );
}

async function moveAway(
  workspace: Workspace,
  removal: Removal,
  options: RemovalOptions,
): Promise<Removal> {
  await expectNobodyIn(options);
  return workspace.withLock(() => {
    mkdirSync(path.dirname(removal.trash), {recursive: true, mode: 0o700});
    if (isThere(removal.path) && !isThere(removal.trash)) renameSync(removal.path, removal.trash);
    return Promise.resolve(
      writeRemoval(workspace, toSlug(removal.owner), {...removal, at: 'trashed'}),
    );
  });
}

async function finishRemoval(
  workspace: Workspace,
  found: Removal,
  options: RemovalOptions,
  since: number | undefined,
): Promise<Removal> {
  const slug = toSlug(found.owner);
  let removal = found;
  // A process can write between the backup and the move: back up what it added.
  if (
    removal.tree !== null &&
    isThere(removal.trash) &&
    isThere(path.join(removal.trash, '.git'))
  ) {
    const {tree} = await captureContent(workspace, removal.trash, getSeedIndex(workspace, slug));
    if (tree !== removal.tree) {
      const again = await backUpWork(
        workspace,
        {...removal, number: await nextNumber(workspace, removal.owner)},
        options,
        removal.trash,
        since,
      );
      removal = writeRemoval(workspace, slug, {...again, how: [...removal.how, ...again.how]});
    }
  }

  const notes = await workspace.withLock(async () => {
    const branchNotes = await dropBranch(workspace, removal, since);
    // Skip when another worktree uses git's directory meanwhile.
    if (
      removal.admin !== null &&
      (readLine(path.join(removal.admin, 'gitdir')) ?? `${removal.path}/.git`) ===
        `${removal.path}/.git` &&
      readGitLink(removal.path) !== removal.admin
    )
      dropAdmin(workspace, removal.admin);
    return branchNotes;
  });
  const rest = await deleteTree(removal.trash);
  if (readNote(workspace, slug)?.path === removal.path) dropNote(workspace, slug);
  rmSync(getSeedIndex(workspace, slug), {force: true});
  dropGitView(workspace, removal.owner);
  forgetProvisioned(workspace, removal.path);
  return writeRemoval(workspace, slug, {
    ...removal,
    at: 'done',
    how: [...removal.how, ...notes, ...rest],
  });
}

/**
 * Deletes the branch if it is merged or backed up, has not moved since, and is not checked out
 * elsewhere.
 */
async function dropBranch(
  workspace: Workspace,
  {branch, tip, admin, mayDropBranch}: Removal,
  since: number | undefined,
): Promise<readonly string[]> {
  if (branch === null || tip === null || !mayDropBranch) return [];
  const now = await readTipOfBranch(workspace, branch);
  if (now === null) return [];
  const heads = [
    readLine(path.join(workspace.commonDirectory, 'HEAD')),
    ...readRegistered(workspace)
      .filter((one) => one.admin !== admin)
      .map(({head}) => head),
  ];
  if (now !== tip || heads.includes(`ref: refs/heads/${branch}`))
    return [
      `The branch ${branch} is still there: ${now === tip ? 'it is checked out elsewhere' : 'it has moved since'}.`,
    ];
  await retryPastLocks(workspace, since, () =>
    workspace.git(workspace.root, ['update-ref', '-d', `refs/heads/${branch}`, tip]),
  );
  return [];
}

function toRemoved({kept, patch, how, dropped}: Removal): Removed {
  return {backup: kept, patch, how, dropped};
}
