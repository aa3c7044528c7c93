import path from 'node:path';
import {constants, lstatSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {randomBytes} from 'node:crypto';
import {sanitizeText, toSha256} from '../../shared/index.ts';
import type {SharedFolder} from '../../domain/index.ts';
import {copyRegularFile, tryReadText} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {
  hashOfFile,
  readBrought,
  readProvisioned,
  writeBrought,
  writeProvisioned,
} from './records.ts';
import {isPathPrefix, isThere, leadsInto, toSlug} from './paths.ts';
import {makeDirectoriesLike, narrow, permittedLike} from './permissions.ts';
import {forgetPrepared, settleShares} from '../sharing/prepared-shares.ts';
import {getSharePath, type SharedDirectory, shareDirectory} from '../sharing/share-directory.ts';

export type Provisions = {
  /** Patterns in addition to those of `.worktreeinclude`. */
  readonly copy: readonly string[];
  /** Dependency directories. */
  readonly share: readonly SharedFolder[];
};

export type ProvisionResult = {
  readonly copied: number;
  readonly shared: readonly SharedDirectory[];
  readonly notes: readonly string[];
};

export type ProvisionOptions = {
  /** Owner of the worktree: its prepared shares are settled first. */
  readonly owner?: string;
  /**
   * The worktree was used: only new entries of the project file are copied. Files that its task
   * removed do not come back, and files that it made stay.
   */
  readonly isUsed?: boolean;
  readonly goOn?: () => void;
};

const includeFile = '.worktreeinclude';
const maxBytes = 256 * 1024;

/**
 * Copies into a worktree what git does not: ignored files that `.worktreeinclude` names, and shared
 * dependencies. Existing files stay. Never copies tracked files or files from outside of the
 * repository, and follows no link.
 */
export async function provisionWorktree(
  workspace: Workspace,
  place: string,
  provisions: Provisions,
  options: ProvisionOptions = {},
): Promise<ProvisionResult> {
  const {owner} = options;
  // The lock excludes a second call, and the creation or removal of the worktree.
  return owner === undefined
    ? provisionLocked(workspace, place, provisions, options)
    : workspace.withKeyLock(toSlug(owner), () =>
        provisionLocked(workspace, place, provisions, options),
      );
}

/**
 * Whether a used worktree lacks entries that the project file names now. Reads our records only.
 */
export function lacksProvisions(
  workspace: Workspace,
  place: string,
  provisions: Provisions,
): boolean {
  const {newCopies, newShares} = findNewEntries(
    provisions,
    readInclude(workspace),
    readBrought(workspace, place),
  );
  return newCopies.length > 0 || newShares.length > 0;
}

/**
 * Whether orchestra itself put this file into the worktree: part of a shared folder, or a copied
 * file that is unchanged.
 */
export function isProvisioned(workspace: Workspace, place: string, file: string): boolean {
  const copied = readProvisioned(workspace, place)[file];
  if (copied !== undefined)
    return isThere(path.join(place, file)) && hashOfFile(path.join(place, file)) === copied;
  const shared = [...readBrought(workspace, place)].flatMap((entry) =>
    entry.startsWith('share ') ? [`${entry.slice('share '.length)}/`] : [],
  );
  // Git names the uppermost directory of which all is ignored.
  return shared.some(
    (folder) => file.startsWith(folder) || (file.endsWith('/') && folder.startsWith(file)),
  );
}

function findNewEntries(
  {copy, share}: Provisions,
  {print}: Include,
  brought: ReadonlySet<string>,
): {readonly newCopies: readonly string[]; readonly newShares: readonly SharedFolder[]} {
  return {
    newCopies: [
      ...copy.map((pattern) => `copy ${pattern}`),
      ...(print === undefined ? [] : [`${includeFile} ${print}`]),
    ].filter((entry) => !brought.has(entry)),
    newShares: share.filter((folder) => !brought.has(toShareEntry(folder))),
  };
}

async function provisionLocked(
  workspace: Workspace,
  place: string,
  provisions: Provisions,
  {owner, isUsed = false, goOn}: ProvisionOptions,
): Promise<ProvisionResult> {
  const {copy, share} = provisions;
  const brought = new Set(isUsed ? readBrought(workspace, place) : []);
  const include = readInclude(workspace);
  const {newCopies, newShares} = findNewEntries(provisions, include, brought);
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
      notes: shareNotes,
      isThere: exists,
    } = await shareDirectory(workspace, place, folder, goOn === undefined ? {} : {goOn});
    if (directory !== null) shared.push(directory);
    if (directory !== null || exists === true) brought.add(toShareEntry(folder));
    notes.push(...shareNotes);
    // Written at once: the next folder may take minutes, and a check of other worktrees must know
    // that this one is ours.
    writeBrought(workspace, place, brought);
  }

  writeBrought(workspace, place, brought);
  if (owner !== undefined) forgetPrepared(workspace, owner);
  return {copied, shared, notes};
}

function toShareEntry(folder: SharedFolder): string {
  return `share ${getSharePath(folder)}`;
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
  const after: Record<string, string> = {...readProvisioned(workspace, place)};
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

  if (copied > 0) writeProvisioned(workspace, place, after);
  return copied;
}

type Include = {readonly file?: string; readonly print?: string; readonly notes: readonly string[]};

function readInclude({root}: Workspace): Include {
  const file = path.join(root, includeFile);
  if (!isThere(file)) return {notes: []};
  const text = tryReadText(file, {maxBytes});
  return text === undefined
    ? {notes: [`${includeFile} is ignored: expected a regular file of at most 256 kB.`]}
    : {file, print: toSha256(text), notes: []};
}

/** Git does the matching: first the patterns, then whether it ignores the file. */
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
  if (!isPathPrefix(root, from) || !isPathPrefix(place, to))
    return 'it is not inside the repository';
  const stat = lstatSync(from, {throwIfNoEntry: false});
  if (stat === undefined) return 'it no longer exists';
  if (!stat.isFile()) return stat.isSymbolicLink() ? 'it is a link' : 'it is not a regular file';
  if (isThere(to)) return null;
  if (!leadsInto(place, to)) return 'a link in the worktree leads outside';
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
