import {lstatSync, rmSync} from 'node:fs';
import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {liveGitIn} from './live-git.ts';
import {isThere, slugOf} from './names.ts';
import {readNote} from './note.ts';
import type {Placed} from './place-worktree.ts';
import {lineOf, linkOf, readRegistered} from './registered.ts';
import {writeWhole} from './write-whole.ts';

/**
 * A worktree that somebody has worked in. What can be put right without losing anything is put right; whatever else is
 * wrong with it is told, and left as it is. No git runs in it: what its `.git` file says now may be an agent's choice.
 */
export async function usedWorktree(workspace: Workspace, owner: string): Promise<Placed> {
  const slug = slugOf(owner);
  const note = readNote(workspace, slug);
  const place = note?.path ?? path.join(workspace.worktrees, slug);
  if (!isThere(place))
    throw new Error(
      `Expected the worktree of ${owner} at ${place}, but nothing is there: somebody has removed or moved it. Bring it back, or reset the task to begin anew.`,
    );
  if (!lstatSync(place).isDirectory())
    throw new Error(
      `Expected the worktree of ${owner} at ${place}, but it is no directory any more. Look at it, then reset the task.`,
    );
  const admin =
    note?.admin ?? readRegistered(workspace).find((registered) => registered.path === place)?.admin;
  if (admin === undefined || !isThere(path.join(admin, 'HEAD'))) {
    throw new Error(
      `The files of ${owner} are all at ${place}, but git no longer knows it as a worktree (somebody ran git worktree remove or prune). Nothing was changed. Discard the task to keep its content as a ref and a patch, or reset it.`,
    );
  }

  await workspace.inTurn(() => {
    // Both ways of the link say nothing but where the other end is.
    if (linkOf(place) !== admin && !isDirectory(path.join(place, '.git')))
      writeWhole(path.join(place, '.git'), `gitdir: ${admin}\n`);
    if (lineOf(path.join(admin, 'gitdir')) !== `${place}/.git`)
      writeWhole(path.join(admin, 'gitdir'), `${place}/.git\n`);
    const lock = path.join(admin, 'index.lock');
    if (isThere(lock) && liveGitIn([place, admin]).length === 0) rmSync(lock, {force: true});
    return Promise.resolve();
  });
  if (linkOf(place) !== admin)
    throw new Error(
      `Expected ${place}/.git to be the file that git wrote, but it is a directory: somebody has made a repository of its own there. Nothing was changed. Look at it, then discard or reset the task.`,
    );
  return {path: place, branch: note?.branch ?? branchIn(lineOf(path.join(admin, 'HEAD')))};
}

function isDirectory(file: string): boolean {
  return lstatSync(file, {throwIfNoEntry: false})?.isDirectory() === true;
}

function branchIn(head: string | null): string | null {
  return head?.startsWith('ref: refs/heads/') === true
    ? head.slice('ref: refs/heads/'.length)
    : null;
}
