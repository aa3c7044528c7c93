import path from 'node:path';
import {rmSync} from 'node:fs';
import type {Workspace} from '../open-workspace.ts';
import {discardStaged, stageWorktree} from './stage-worktree.ts';
import {liveGitIn, waitForLocks} from './live-git.ts';
import {isRealDirectory, isThere, toSlug} from './paths.ts';
import {
  readGitLink,
  readLine,
  readNote,
  readNotes,
  readRegistered,
  readRegisteredAt,
  type WorktreeNote,
  writeWhole,
} from './records.ts';
import {type Placed, placeWorktree} from './place-worktree.ts';
import {forgetRemoval} from '../removal/removal.ts';
import {tryReadText} from '../../files/index.ts';

export type WorktreeOptions = {
  /** `r1.t3`, `r1.plan`, `r1.merge`. */
  readonly owner: string;
  /** The requested branch, used if the name is free; null for a detached worktree. */
  readonly branch: string | null;
  readonly from: string;
  /** False once a session has run in it: then nothing is deleted. */
  readonly mayRebuild: boolean;
  /** Only builds it in the private directory. */
  readonly ahead?: boolean;
};

export type MadeWorktree = Placed & {
  /** The commit that it was made from; the same on every call. */
  readonly commit: string;
  readonly tree: string;
};

/**
 * Creates a worktree, or finishes one that a crash left half-made. Directories and branches of
 * others are left alone.
 */
export async function ensureWorktree(
  workspace: Workspace,
  options: WorktreeOptions,
): Promise<MadeWorktree> {
  const slug = toSlug(options.owner);
  return workspace.withKeyLock(slug, async () => {
    const {commit, tree} = await resolveBase(workspace, options.from);
    if (!options.mayRebuild)
      return {...(await repairUsedWorktree(workspace, options.owner)), commit, tree};
    let note = readNote(workspace, slug);
    if (options.ahead === true && note?.path != null)
      return {path: note.path, branch: note.branch, commit, tree};
    const since = note === undefined || note.at === 'placed' ? undefined : note.began;
    const branch = note?.branch ?? null;
    // A killed daemon may have left a git that still runs.
    if (note !== undefined && since !== undefined)
      await waitForLocks([
        note.stage,
        ...(note.admin === null ? [] : [note.admin]),
        ...(branch === null ? [] : [`refs/heads/${branch}`]),
      ]);
    const seen = observeWorktree(workspace, note, {commit, asked: options.branch});
    if (seen === 'done' && note?.path != null) {
      await withoutStaleLock(note);
      return {path: note.path, branch: note.branch, commit, tree};
    }

    if (note !== undefined && seen === 'absent') {
      await discardStaged(workspace, note);
      note = undefined;
    }

    // The path is taken, or the worktree was used: leave it, and make a new one under another name.
    if (seen === 'foreign') note = undefined;
    forgetRemoval(workspace, slug);
    const staged: WorktreeNote =
      note === undefined
        ? await stageWorktree(workspace, {
            owner: options.owner,
            commit,
            tree,
            asked: options.branch,
            branch,
            since,
          })
        : {...note, asked: options.branch};
    if (options.ahead === true) return {path: staged.stage, branch: null, commit, tree};
    return {...(await placeWorktree(workspace, staged, since)), commit, tree};
  });
}

export async function resolveBase(
  workspace: Workspace,
  from: string,
): Promise<{readonly commit: string; readonly tree: string}> {
  const text = await workspace
    .git(workspace.root, ['rev-parse', '--end-of-options', `${from}^{commit}`, `${from}^{tree}`], {
      isRead: true,
    })
    .catch(() => '');
  const [commit = '', tree = ''] = text
    .split('\n')
    .filter((line) => /^[0-9a-f]{40,64}$/.test(line));
  if (tree === '')
    throw new Error(`Expected "${from}" to be a commit of this repository, but it is none.`);
  return {commit, tree};
}

/** Removes the index lock of an unused worktree, which a crash left unless a git runs there. */
async function withoutStaleLock({path: place, admin}: WorktreeNote): Promise<void> {
  if (place === null || admin === null) return;
  const lock = path.join(admin, 'index.lock');
  if (!isThere(lock)) return;
  await waitForLocks([place, admin]);
  rmSync(lock, {force: true});
}

/**
 * `partial` is continued; `absent` may be half-made, and is started over; `foreign` is left alone.
 */
export type WorktreeState = 'absent' | 'partial' | 'done' | 'foreign';

export type ExpectedWorktree = {readonly commit: string; readonly asked: string | null};

/** The state of an unused worktree. Reads files only. */
export function observeWorktree(
  workspace: Workspace,
  note: WorktreeNote | undefined,
  {commit, asked}: ExpectedWorktree,
): WorktreeState {
  if (note === undefined) return 'absent';
  const isStaged = isLinked(note, note.stage);
  if (note.at === 'staging') return 'absent';
  if (note.at === 'ready') return isStaged && note.from === commit ? 'partial' : 'absent';
  const isPlaced =
    note.path !== null &&
    !isThere(note.stage) &&
    readGitLink(note.path) === note.admin &&
    note.admin !== null &&
    isThere(path.join(note.admin, 'HEAD'));
  if (note.at === 'placing') {
    if (isStaged) return note.from === commit && note.asked === asked ? 'partial' : 'absent';
    return isPlaced ? 'partial' : 'absent';
  }

  if (!isPlaced) return note.path !== null && isThere(note.path) ? 'foreign' : 'absent';
  return note.from === commit && note.asked === asked && hasItsHead(workspace, note)
    ? 'done'
    : 'foreign';
}

function isLinked({admin}: WorktreeNote, directory: string): boolean {
  return (
    admin !== null && readGitLink(directory) === admin && readRegisteredAt(admin).path === directory
  );
}

function hasItsHead(workspace: Workspace, {admin, branch, from}: WorktreeNote): boolean {
  if (admin === null) return false;
  const head = readLine(path.join(admin, 'HEAD'));
  if (branch === null) return head === from;
  if (head !== `ref: refs/heads/${branch}`) return false;
  return readTip(workspace, `refs/heads/${branch}`) === from;
}

function readTip({commonDirectory}: Workspace, ref: string): string | undefined {
  const loose = readLine(path.join(commonDirectory, ...ref.split('/')));
  if (loose !== null) return loose;
  return tryReadText(path.join(commonDirectory, 'packed-refs'), {
    maxBytes: 256 * 1024 * 1024,
    links: 'follow',
  })
    ?.split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(' ', 1)[0];
}

/**
 * Repairs git's links of a used worktree, which loses nothing. Other problems are thrown with what
 * to do. Runs no git in it: an agent may have chosen the content of its `.git` file.
 */
export async function repairUsedWorktree(workspace: Workspace, owner: string): Promise<Placed> {
  const slug = toSlug(owner);
  const note = readNote(workspace, slug);
  const place = note?.path ?? path.join(workspace.worktrees, slug);
  if (!isThere(place))
    throw new Error(
      `Expected the worktree of ${owner} at ${place}, but nothing is there: somebody has ` +
        'removed or moved it. Bring it back, or reset the task to begin anew.',
    );
  if (!isRealDirectory(place))
    throw new Error(
      `Expected the worktree of ${owner} at ${place}, but it is no directory any more. ` +
        'Look at it, then reset the task.',
    );
  const admin =
    note?.admin ?? readRegistered(workspace).find((registered) => registered.path === place)?.admin;
  if (admin === undefined || !isThere(path.join(admin, 'HEAD'))) {
    throw new Error(
      `The files of ${owner} are all at ${place}, but git no longer knows it as a ` +
        'worktree (somebody ran git worktree remove or prune). Nothing was changed. ' +
        'Discard the task to keep its content as a ref and a patch, or reset it.',
    );
  }

  await workspace.withLock(() => {
    // Both files contain only the path of the other.
    if (readGitLink(place) !== admin && !isRealDirectory(path.join(place, '.git')))
      writeWhole(path.join(place, '.git'), `gitdir: ${admin}\n`);
    if (readLine(path.join(admin, 'gitdir')) !== `${place}/.git`)
      writeWhole(path.join(admin, 'gitdir'), `${place}/.git\n`);
    const lock = path.join(admin, 'index.lock');
    if (isThere(lock) && liveGitIn([place, admin]).length === 0) rmSync(lock, {force: true});
    return Promise.resolve();
  });
  if (readGitLink(place) !== admin)
    throw new Error(
      `Expected ${place}/.git to be the file that git wrote, but it is a directory: ` +
        'somebody has made a repository of its own there. Nothing was changed. Look at it, ' +
        'then discard or reset the task.',
    );
  return {path: place, branch: note?.branch ?? parseBranch(readLine(path.join(admin, 'HEAD')))};
}

function parseBranch(head: string | null): string | null {
  return head?.startsWith('ref: refs/heads/') === true
    ? head.slice('ref: refs/heads/'.length)
    : null;
}

/**
 * Builds the worktrees of a plan in the private directory while the person reads it.
 * `ensureWorktree` then only gives each its branch and moves it. Worktrees that are in place
 * already stay.
 */
export async function prepareWorktrees(
  workspace: Workspace,
  worktrees: readonly {readonly owner: string; readonly from: string}[],
): Promise<void> {
  const ends = await Promise.allSettled(
    worktrees.map(({owner, from}) =>
      ensureWorktree(workspace, {owner, from, branch: null, mayRebuild: true, ahead: true}),
    ),
  );
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Deletes prepared worktrees of a rejected plan. They were never used. */
export async function discardPrepared(
  workspace: Workspace,
  owners: readonly string[],
): Promise<void> {
  for (const owner of owners) {
    const slug = toSlug(owner);
    await workspace.withKeyLock(slug, async () => {
      const note = readNote(workspace, slug);
      if (note?.at === 'staging' || note?.at === 'ready') await discardStaged(workspace, note);
    });
  }
}

/** Owners of the prepared worktrees. */
export function preparedOwners(workspace: Workspace): readonly string[] {
  return readNotes(workspace)
    .filter(({at}) => at === 'staging' || at === 'ready')
    .map(({owner}) => owner);
}
