import {lstatSync, type BigIntStats} from 'node:fs';
import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';

/** `r1.t3` → `r1-t3`: what directories and files of ours are called. */
export function slugOf(owner: string): string {
  const slug = owner.toLowerCase().replaceAll('.', '-');
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(slug))
    throw new Error(
      `Expected an owner like r1.t3, r1.plan or r1.merge, got "${owner}". A worktree is named after it.`,
    );
  return slug;
}

/** `r1-t3`, `r1-t3-2`, `r1-t3-3` …: the first of them that nothing stands in the way of. */
export function firstFree(name: string, isFree: (name: string) => boolean): string {
  for (let number = 1; number < 100; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (isFree(candidate)) return candidate;
  }

  throw new Error(
    `Expected one of ${name}, ${name}-2 … ${name}-99 to be free, but all of them are taken. Remove some of them ("orchestra gc" shows what may go).`,
  );
}

/** Whether something is there, be it a link that leads nowhere. */
export function isThere(file: string): boolean {
  return lookAt(file) !== undefined;
}

/** What stands there itself, links not followed. Nothing, also when a directory on the way is none (any more). */
export function lookAt(file: string): BigIntStats | undefined {
  try {
    return lstatSync(file, {bigint: true, throwIfNoEntry: false});
  } catch {
    return undefined;
  }
}

/** A place of our own on the disk where worktrees stand, so that moving from one to the other is one rename. */
export function ownPlaceOf(workspace: Workspace, name: 'making' | 'trash'): string {
  const beside =
    lstatSync(workspace.worktrees, {throwIfNoEntry: false}) ??
    lstatSync(path.dirname(workspace.worktrees));
  const isSameDisk = beside.dev === lstatSync(workspace.private).dev;
  return isSameDisk
    ? path.join(workspace.private, name)
    : path.join(workspace.worktrees, `.orchestra-${name}`);
}

export function isInside(directory: string, file: string): boolean {
  return (
    file === directory ||
    file.startsWith(directory.endsWith(path.sep) ? directory : `${directory}${path.sep}`)
  );
}
