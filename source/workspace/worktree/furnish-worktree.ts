import {constants, lstatSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {randomBytes} from 'node:crypto';
import path from 'node:path';
import {sanitizeText} from '../../base/index.ts';
import {copyRegularFile} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {hashOfFile, readFurnished, writeFurnished} from './furnished.ts';
import {leadsInto} from './leads-into.ts';
import {isInside, isThere} from './names.ts';
import {makeDirectoriesLike, narrow, permittedLike} from './permissions.ts';
import {shareDirectory, type SharedDirectory, type ShareWish} from './share-directory.ts';

export type Furniture = {
  /** Patterns as in `.worktreeinclude`, beside what that file says. */
  readonly copy: readonly string[];
  /** Directories of dependencies, by path. A hard link only where the project says so: see docs/decisions/0011. */
  readonly share: readonly (string | ShareWish)[];
};

export type Furnishing = {readonly copied: number; readonly shared: readonly SharedDirectory[]; readonly notes: readonly string[]};

const includeFile = '.worktreeinclude';
const mostBytes = 256 * 1024;

/**
 * Brings into a worktree what git does not: ignored files that `.worktreeinclude` names, and shared dependencies. What is
 * there already stays as it is. Nothing tracked is copied, nothing from outside of the repository, and no link is followed.
 */
export async function furnishWorktree(workspace: Workspace, place: string, {copy, share}: Furniture): Promise<Furnishing> {
  const notes: string[] = [];
  const before = readFurnished(workspace, place);
  const after: Record<string, string> = {...before};
  let copied = 0;
  for (const file of await filesToCopy(workspace, copy, notes)) {
    const problem = copyOne(workspace.root, place, file);
    if (problem !== null) {
      notes.push(`${sanitizeText(file)} was not copied: ${problem}.`);
      continue;
    }

    copied += 1;
    after[file] ??= hashOfFile(path.join(workspace.root, file));
  }

  if (copied > 0) writeFurnished(workspace, place, after);
  const shared: SharedDirectory[] = [];
  for (const wish of share) {
    const {directory, notes: words} = await shareDirectory(workspace, place, typeof wish === 'string' ? {path: wish} : wish);
    if (directory !== null) shared.push(directory);
    notes.push(...words);
  }

  return {copied, shared, notes};
}

/** Git itself matches: once against the patterns, once against what it ignores. */
async function filesToCopy(workspace: Workspace, copy: readonly string[], notes: string[]): Promise<readonly string[]> {
  const {root, git} = workspace;
  const include = path.join(root, includeFile);
  const stat = lstatSync(include, {throwIfNoEntry: false});
  const isRead = stat?.isFile() === true && stat.size <= mostBytes;
  if (stat !== undefined && !isRead) notes.push(`${includeFile} is not read: it is no ordinary file of at most 256 kB.`);
  if (!isRead && copy.length === 0) return [];
  const patterns = path.join(workspace.private, `patterns-${randomBytes(4).toString('hex')}`);
  writeFileSync(patterns, copy.map((pattern) => `${pattern}\n`).join(''));
  try {
    const found = await git(root, ['ls-files', '-z', '-o', '-i', ...(isRead ? [`--exclude-from=${include}`] : []), `--exclude-from=${patterns}`], {isRead: true});
    if (found === '') return [];
    const ignored = await git(root, ['check-ignore', '-z', '--stdin'], {isRead: true, input: found}).catch(() => '');
    return ignored.split('\0').filter((file) => file !== '');
  } finally {
    rmSync(patterns, {force: true});
  }
}

function copyOne(root: string, place: string, file: string): string | null {
  const [from, to] = [path.join(root, file), path.join(place, file)];
  if (!isInside(root, from) || !isInside(place, to)) return 'it is not inside of the repository';
  const stat = lstatSync(from, {throwIfNoEntry: false});
  if (stat === undefined) return 'it is gone';
  if (!stat.isFile()) return stat.isSymbolicLink() ? 'it is a link' : 'it is no ordinary file';
  if (isThere(to)) return null;
  if (!leadsInto(place, to)) return 'a link in the worktree leads out of it';
  makeDirectoriesLike(root, place, path.dirname(file));
  const temporary = `${to}.orchestra-${randomBytes(4).toString('hex')}`;
  const result = copyRegularFile(from, temporary, {maxBytes: Number.MAX_SAFE_INTEGER, below: root, flags: constants.COPYFILE_FICLONE});
  if (result.at === 'refused') return `it ${result.message}`;
  narrow(temporary, (gid) => permittedLike(stat, gid));
  renameSync(temporary, to);
  return null;
}
