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
import path from 'node:path';
import {isWorktreeName} from '../../domain/index.ts';
import {namesIn} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {isInside} from './names.ts';

const maxWorktrees = 10_000;

type Permissions = Pick<Stats, 'mode' | 'gid'>;

/**
 * What group and others may be given in a file of the group `gid`, so that nobody reads it who could not read the model. A
 * file of another group has other members: then only what everybody had may be given to anybody.
 */
export function permittedLike({mode, gid: ofModel}: Permissions, gid: number): number {
  const [group, others] = [(mode >> 3) & 7, mode & 7];
  const both = group & others;
  return ofModel === gid ? mode & 0o077 : (both << 3) | both;
}

/** What a worktree may show at most: what the repository shows, its git directory too, as far as others can come to it. */
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

/** A directory on the way to the model that is not on the way to the worktrees, and that others cannot pass, hides all below it. */
function reachableAt(model: string, worktrees: string, gid: number): number {
  let reachable = 0o077;
  for (
    let directory = path.dirname(model);
    !isInside(directory, worktrees);
    directory = path.dirname(directory)
  ) {
    const permitted = permittedLike(statSync(directory), gid);
    reachable &= ((permitted & 0o010) === 0 ? 0 : 0o070) | ((permitted & 0o001) === 0 ? 0 : 0o007);
  }

  return reachable;
}

/** Takes away what is not permitted; gives nothing. What is a link, or another user's, is left as it is. */
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

/** No link is followed, and nothing that would block is waited for: an agent may have put it there. */
function openOwn(file: string): number | undefined {
  try {
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

/** The directory of all worktrees, and each of ours in it, show no more than the repository does; also those that an older version made. */
export function narrowWorktrees(
  workspace: Pick<Workspace, 'root' | 'commonDirectory' | 'worktrees'>,
): void {
  if (lstatSync(workspace.worktrees, {throwIfNoEntry: false})?.isDirectory() !== true) return;
  const permitted = (gid: number): number => permittedIn(workspace, gid);
  narrow(workspace.worktrees, permitted);
  for (const name of namesIn(workspace.worktrees, {maxEntries: maxWorktrees}))
    if (isWorktreeName(name)) narrow(path.join(workspace.worktrees, name), permitted);
}

/** Makes the directories of a relative path as they are in the original: none of them shows more than there. */
export function makeDirectoriesLike(from: string, to: string, relative: string): void {
  if (relative === '.' || relative === '') return;
  makeDirectoriesLike(from, to, path.dirname(relative));
  const model = statSync(path.join(from, relative));
  const directory = path.join(to, relative);
  if (lstatSync(directory, {throwIfNoEntry: false}) === undefined)
    mkdirSync(directory, {mode: (model.mode & 0o777) | 0o700});
  narrow(directory, (gid) => permittedLike(model, gid));
}
