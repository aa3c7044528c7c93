import {constants, lstatSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {randomBytes} from 'node:crypto';
import path from 'node:path';
import {sanitizeText, sha256Of} from '../../base/index.ts';
import type {SharedFolder} from '../../domain/index.ts';
import {copyRegularFile, tryReadText} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {hashOfFile, readBrought, readFurnished, writeBrought, writeFurnished} from './furnished.ts';
import {leadsInto} from './leads-into.ts';
import {isInside, isThere, slugOf} from './names.ts';
import {makeDirectoriesLike, narrow, permittedLike} from './permissions.ts';
import {forgetPrepared, settleShares} from './prepared-shares.ts';
import {pathOfShare, shareDirectory, type SharedDirectory} from './share-directory.ts';

export type Furniture = {
  /** Patterns as in `.worktreeinclude`, beside what that file says. */
  readonly copy: readonly string[];
  /** Directories of dependencies. */
  readonly share: readonly SharedFolder[];
};

export type Furnishing = {
  readonly copied: number;
  readonly shared: readonly SharedDirectory[];
  readonly notes: readonly string[];
};

export type FurnishOptions = {
  /** Whose worktree it is: what was shared into it ahead is put right first. */
  readonly owner?: string;
  /**
   * Somebody has worked in it: only what the project file has come to name since is brought. What its task has removed does not come
   * back, and what it made stays.
   */
  readonly isUsed?: boolean;
  readonly goOn?: () => void;
};

const includeFile = '.worktreeinclude';
const mostBytes = 256 * 1024;

/**
 * Brings into a worktree what git does not: ignored files that `.worktreeinclude` names, and shared dependencies. What is
 * there already stays as it is. Nothing tracked is copied, nothing from outside of the repository, and no link is followed.
 */
export async function furnishWorktree(
  workspace: Workspace,
  place: string,
  furniture: Furniture,
  options: FurnishOptions = {},
): Promise<Furnishing> {
  const {owner} = options;
  // The same worktree is never furnished twice at a time, nor while it is made or removed.
  return owner === undefined
    ? furnishAlone(workspace, place, furniture, options)
    : workspace.alone(slugOf(owner), () => furnishAlone(workspace, place, furniture, options));
}

/** Whether a worktree that somebody has worked in lacks what the project file names now. Reads our own records; runs nothing. */
export function lacksFurniture(workspace: Workspace, place: string, furniture: Furniture): boolean {
  const {newCopies, newShares} = newEntries(
    furniture,
    readInclude(workspace),
    readBrought(workspace, place),
  );
  return newCopies.length > 0 || newShares.length > 0;
}

function newEntries(
  {copy, share}: Furniture,
  {print}: Include,
  brought: ReadonlySet<string>,
): {readonly newCopies: readonly string[]; readonly newShares: readonly SharedFolder[]} {
  return {
    newCopies: [
      ...copy.map((pattern) => `copy ${pattern}`),
      ...(print === undefined ? [] : [`${includeFile} ${print}`]),
    ].filter((entry) => !brought.has(entry)),
    newShares: share.filter((folder) => !brought.has(entryOf(folder))),
  };
}

async function furnishAlone(
  workspace: Workspace,
  place: string,
  furniture: Furniture,
  {owner, isUsed = false, goOn}: FurnishOptions,
): Promise<Furnishing> {
  const {copy, share} = furniture;
  const brought = new Set(isUsed ? readBrought(workspace, place) : []);
  const include = readInclude(workspace);
  const {newCopies, newShares} = newEntries(furniture, include, brought);
  if (isUsed && newCopies.length === 0 && newShares.length === 0)
    return {copied: 0, shared: [], notes: []};
  const notes = [...include.notes];
  const copied =
    newCopies.length === 0
      ? 0
      : await copyFiles(workspace, place, {copy, include: include.file, isUsed}, notes);
  for (const entry of newCopies) brought.add(entry);

  const shared: SharedDirectory[] =
    owner === undefined || isUsed ? [] : [...(await settleShares(workspace, owner, place, share))];
  for (const folder of newShares) {
    const {
      directory,
      notes: words,
      isThere: stands,
    } = await shareDirectory(workspace, place, folder, goOn === undefined ? {} : {goOn});
    if (directory !== null) shared.push(directory);
    if (directory !== null || stands === true) brought.add(entryOf(folder));
    notes.push(...words);
  }

  writeBrought(workspace, place, brought);
  if (owner !== undefined) forgetPrepared(workspace, owner);
  return {copied, shared, notes};
}

function entryOf(folder: SharedFolder): string {
  return `share ${pathOfShare(folder)}`;
}

type Copies = {
  readonly copy: readonly string[];
  readonly include: string | undefined;
  readonly isUsed: boolean;
};

async function copyFiles(
  workspace: Workspace,
  place: string,
  {copy, include, isUsed}: Copies,
  notes: string[],
): Promise<number> {
  const after: Record<string, string> = {...readFurnished(workspace, place)};
  let copied = 0;
  for (const file of await filesToCopy(workspace, copy, include)) {
    if (isUsed && after[file] !== undefined) continue;
    const problem = copyOne(workspace.root, place, file);
    if (problem !== null) {
      notes.push(`${sanitizeText(file)} was not copied: ${problem}.`);
      continue;
    }

    copied += 1;
    after[file] ??= hashOfFile(path.join(workspace.root, file));
  }

  if (copied > 0) writeFurnished(workspace, place, after);
  return copied;
}

type Include = {readonly file?: string; readonly print?: string; readonly notes: readonly string[]};

function readInclude({root}: Workspace): Include {
  const file = path.join(root, includeFile);
  if (!isThere(file)) return {notes: []};
  const text = tryReadText(file, {maxBytes: mostBytes});
  return text === undefined
    ? {notes: [`${includeFile} is not read: it is no ordinary file of at most 256 kB.`]}
    : {file, print: sha256Of(text), notes: []};
}

/** Git itself matches: once against the patterns, once against what it ignores. */
async function filesToCopy(
  {root, git, private: own}: Workspace,
  copy: readonly string[],
  include: string | undefined,
): Promise<readonly string[]> {
  const patterns = path.join(own, `patterns-${randomBytes(4).toString('hex')}`);
  writeFileSync(patterns, copy.map((pattern) => `${pattern}\n`).join(''));
  try {
    const found = await git(
      root,
      [
        'ls-files',
        '-z',
        '-o',
        '-i',
        ...(include === undefined ? [] : [`--exclude-from=${include}`]),
        `--exclude-from=${patterns}`,
      ],
      {isRead: true},
    );
    if (found === '') return [];
    const ignored = await git(root, ['check-ignore', '-z', '--stdin'], {
      isRead: true,
      input: found,
    }).catch(() => '');
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
  const result = copyRegularFile(from, temporary, {
    maxBytes: Number.MAX_SAFE_INTEGER,
    below: root,
    flags: constants.COPYFILE_FICLONE,
  });
  if (result.at === 'refused') return `it ${result.message}`;
  narrow(temporary, (gid) => permittedLike(stat, gid));
  renameSync(temporary, to);
  return null;
}
