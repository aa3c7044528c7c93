import path from 'node:path';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
  type Stats,
} from 'node:fs';
import {isWorktreeName} from '../../domain/index.ts';
import {namesIn} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {isPathPrefix} from './paths.ts';

const maxWorktrees = 10_000;

type Permissions = Pick<Stats, 'mode' | 'gid'>;

/**
 * The permissions of group and others that a file of the group `gid` may have, so that only users
 * who could read the model can read it. With another group than the model's, only permissions that
 * both group and others had are allowed.
 */
export function permittedLike({mode, gid: ofModel}: Permissions, gid: number): number {
  const [group, others] = [(mode >> 3) & 7, mode & 7];
  const both = group & others;
  return ofModel === gid ? mode & 0o077 : (both << 3) | both;
}

/**
 * The permissions that a worktree may have: those of the checkout and of its git directory, as far
 * as other users can reach them.
 */
export function permittedIn(
  {root, commonDirectory, worktrees}: Pick<Workspace, 'root' | 'commonDirectory' | 'worktrees'>,
  gid: number,
): number {
  return [root, commonDirectory].reduce(
    (permitted, model) =>
      permitted & permittedLike(statSync(model), gid) & reachableAt(model, worktrees, gid),
    0o077,
  );
}

/**
 * A parent directory of the model, but not of the worktrees, that others cannot traverse hides
 * everything below it.
 */
function reachableAt(model: string, worktrees: string, gid: number): number {
  let reachable = 0o077;
  for (
    let directory = path.dirname(model);
    !isPathPrefix(directory, worktrees);
    directory = path.dirname(directory)
  ) {
    const permitted = permittedLike(statSync(directory), gid);
    reachable &= ((permitted & 0o010) === 0 ? 0 : 0o070) | ((permitted & 0o001) === 0 ? 0 : 0o007);
  }

  return reachable;
}

/**
 * Removes permissions that are not allowed and adds none. Links and files of other users are left
 * alone.
 */
export function narrow(file: string, permittedFor: (gid: number) => number): void {
  const descriptor = openOwn(file);
  if (descriptor === undefined) return;
  try {
    const {mode, gid, uid} = fstatSync(descriptor);
    const narrowed = mode & 0o7777 & (permittedFor(gid) | 0o7700);
    if (uid === process.geteuid?.() && narrowed !== (mode & 0o7777))
      fchmodSync(descriptor, narrowed);
  } finally {
    closeSync(descriptor);
  }
}

/** Follows no link and does not block on a FIFO: an agent may have created the file. */
function openOwn(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

/**
 * Restricts the directory of worktrees, and each worktree in it, to the permissions of the
 * repository; also those that an older version made.
 */
export function narrowWorktrees(
  workspace: Pick<Workspace, 'root' | 'commonDirectory' | 'worktrees'>,
): void {
  if (lstatSync(workspace.worktrees, {throwIfNoEntry: false})?.isDirectory() !== true) return;
  const permitted = (gid: number): number => permittedIn(workspace, gid);
  narrow(workspace.worktrees, permitted);
  for (const name of namesIn(workspace.worktrees, {maxEntries: maxWorktrees}))
    if (isWorktreeName(name)) narrow(path.join(workspace.worktrees, name), permitted);
}

/** Creates the directories of a relative path with at most the permissions of the originals. */
export function makeDirectoriesLike(from: string, to: string, relative: string): void {
  if (relative === '.' || relative === '') return;
  makeDirectoriesLike(from, to, path.dirname(relative));
  const model = statSync(path.join(from, relative));
  const directory = path.join(to, relative);
  if (lstatSync(directory, {throwIfNoEntry: false}) === undefined)
    mkdirSync(directory, {mode: (model.mode & 0o777) | 0o700});
  narrow(directory, (gid) => permittedLike(model, gid));
}
