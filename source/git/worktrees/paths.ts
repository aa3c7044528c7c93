import path from 'node:path';
import {lstatSync, type BigIntStats, type Stats, existsSync, realpathSync} from 'node:fs';
import type {Workspace} from '../open-workspace.ts';

/** `r1.t3` → `r1-t3`: the name of a worktree's directory and of its files. */
export function toSlug(owner: string): string {
  const slug = owner.toLowerCase().replaceAll('.', '-');
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(slug))
    throw new Error(
      `Expected an owner like r1.t3, r1.plan or r1.merge, got "${owner}". A worktree is named after it.`,
    );
  return slug;
}

/** The first free name of `r1-t3`, `r1-t3-2`, `r1-t3-3` … */
export function firstFree(name: string, isFree: (name: string) => boolean): string {
  for (let number = 1; number < 100; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (isFree(candidate)) return candidate;
  }

  throw new Error(
    `Expected one of ${name}, ${name}-2 … ${name}-99 to be free, but all of them are ` +
      'taken. Remove some of them ("orchestra gc" lists what can be removed).',
  );
}

/** Whether a path is a directory itself, not a link to one. */
export function isRealDirectory(file: string): boolean {
  return lstatSync(file, {throwIfNoEntry: false})?.isDirectory() === true;
}

/** Whether a path exists, also as a dangling link. */
export function isThere(file: string): boolean {
  return lstatBig(file) !== undefined;
}

/**
 * Stats of a path without following links; undefined when it does not exist or a parent is not a
 * directory.
 */
export function lstatBig(file: string): BigIntStats | undefined {
  try {
    return lstatSync(file, {bigint: true, throwIfNoEntry: false});
  } catch {
    return undefined;
  }
}

/**
 * A private directory on the same disk as the worktrees, so that a move between both is one rename.
 */
export function getOwnPlace(workspace: Workspace, name: 'making' | 'trash'): string {
  const beside =
    lstatSync(workspace.worktrees, {throwIfNoEntry: false}) ??
    lstatSync(path.dirname(workspace.worktrees));
  const isSameDisk = beside.dev === lstatSync(workspace.private).dev;
  return isSameDisk
    ? path.join(workspace.private, name)
    : path.join(workspace.worktrees, `.orchestra-${name}`);
}

export function isPathPrefix(directory: string, file: string): boolean {
  return (
    file === directory ||
    file.startsWith(directory.endsWith(path.sep) ? directory : `${directory}${path.sep}`)
  );
}

/**
 * Stats of a path without following links; undefined when it or a parent directory does not exist.
 * Other errors are thrown.
 */
export function statAt(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Whether the deepest existing parent of `to` really is inside of `place`. */
export function leadsInto(place: string, to: string): boolean {
  let parent = path.dirname(to);
  while (!existsSync(parent)) {
    // mkdir would create the target of a dangling link.
    if (isThere(parent)) return false;
    parent = path.dirname(parent);
  }

  return isPathPrefix(realpathSync(place), realpathSync(parent));
}
