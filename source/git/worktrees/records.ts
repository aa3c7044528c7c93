import path from 'node:path';
import {rmSync, mkdirSync, lstatSync, readlinkSync} from 'node:fs';
import {createHash} from 'node:crypto';
import {
  namesIn as boundedNamesIn,
  readRegularFile,
  tryReadText,
  writeFileAtomic as write,
} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';

/**
 * The planned worktree of one owner, written to disk before git is called. After kill -9 it has the
 * chosen names, which identify what we made.
 */
export type WorktreeNote = {
  readonly owner: string;
  /** The commit that the worktree is made from. */
  readonly from: string;
  readonly at: 'staging' | 'ready' | 'placing' | 'placed';
  /** Private path where it is built; a half-made one can be deleted. */
  readonly stage: string;
  /** Git's directory for it, once it exists. */
  readonly admin: string | null;
  /** The requested branch; `branch` is the free name that was chosen. */
  readonly asked: string | null;
  readonly branch: string | null;
  readonly path: string | null;
  /** Start of the unfinished attempt: a younger lock may be ours. */
  readonly began: number;
};

export function readNote(workspace: Workspace, slug: string): WorktreeNote | undefined {
  const file = getNoteFile(workspace, slug);
  try {
    // We write this file atomically, so a file that cannot be parsed is not ours.
    return JSON.parse(tryReadText(file, {maxBytes: 1024 * 1024}) ?? '') as WorktreeNote;
  } catch {
    return undefined;
  }
}

export function readNotes(workspace: Workspace): readonly WorktreeNote[] {
  return listNamesThroughLinks(path.join(workspace.private, 'worktrees'))
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readNote(workspace, name.slice(0, -'.json'.length)) ?? []);
}

export function writeNote(workspace: Workspace, slug: string, note: WorktreeNote): WorktreeNote {
  writeWhole(getNoteFile(workspace, slug), `${JSON.stringify(note)}\n`);
  return note;
}

export function dropNote(workspace: Workspace, slug: string): void {
  rmSync(getNoteFile(workspace, slug), {force: true});
}

/** The index that the worktree was made with. No agent could set flags in it that hide a file. */
export function getSeedIndex(workspace: Workspace, slug: string): string {
  return path.join(workspace.private, 'index', slug);
}

function getNoteFile(workspace: Workspace, slug: string): string {
  return path.join(workspace.private, 'worktrees', `${slug}.json`);
}

/**
 * Names in a directory, up to a limit that no repository reaches. The directory may be a link, as
 * hook directories often are.
 */
export function listNamesThroughLinks(directory: string): readonly string[] {
  return boundedNamesIn(directory, {maxEntries: 200_000, links: 'follow'});
}

/** Writes a file atomically and durably. Whatever an agent put at the path is replaced. */
export function writeWhole(file: string, text: string): void {
  mkdirSync(path.dirname(file), {recursive: true, mode: 0o700});
  write(file, text, {isDurable: true});
}

/** A worktree as git registered it. Read from git's files, without running git. */
export type RegisteredWorktree = {
  readonly admin: string;
  /** Registered path of the worktree; null when it is missing (half-made). */
  readonly path: string | null;
  /** `ref: refs/heads/x`, or a commit. */
  readonly head: string | null;
  readonly locked: string | null;
};

export function readRegistered(workspace: Workspace): readonly RegisteredWorktree[] {
  const directory = path.join(workspace.commonDirectory, 'worktrees');
  return listNamesThroughLinks(directory).map((name) =>
    readRegisteredAt(path.join(directory, name)),
  );
}

export function readRegisteredAt(admin: string): RegisteredWorktree {
  const below = path.dirname(admin);
  const gitdir = readLine(path.join(admin, 'gitdir'), below);
  return {
    admin,
    path: gitdir === null ? null : path.dirname(path.resolve(admin, gitdir)),
    head: readLine(path.join(admin, 'HEAD'), below),
    locked: readLine(path.join(admin, 'locked'), below),
  };
}

/** The directory that a worktree's `.git` file names; null when there is no such file. */
export function readGitLink(directory: string): string | null {
  const line = readLine(path.join(directory, '.git'), path.dirname(directory));
  return line?.startsWith('gitdir: ') === true
    ? path.resolve(directory, line.slice('gitdir: '.length))
    : null;
}

/**
 * The trimmed text of a small file, or null. Follows no link below `below`, because agents can
 * write there.
 */
export function readLine(file: string, below: string = path.dirname(file)): string | null {
  const line = (tryReadText(file, {maxBytes: 64 * 1024, below}) ?? '').trim();
  return line === '' ? null : line;
}

/**
 * Files that were copied into a worktree: path → hash of the content then. A removal backs up those
 * that differ.
 */
export type Provisioned = Readonly<Record<string, string>>;

export function readProvisioned(workspace: Workspace, place: string): Provisioned {
  try {
    return JSON.parse(
      tryReadText(getProvisionedFile(workspace, place), {maxBytes: 256 * 1024 * 1024}) ?? '',
    ) as Provisioned;
  } catch {
    return {};
  }
}

export function writeProvisioned(
  workspace: Workspace,
  place: string,
  provisioned: Provisioned,
): void {
  writeWhole(getProvisionedFile(workspace, place), `${JSON.stringify(provisioned)}\n`);
}

function getProvisionedFile(workspace: Workspace, place: string): string {
  return path.join(
    workspace.private,
    'furnished',
    `${createHash('sha256').update(place).digest('hex').slice(0, 24)}.json`,
  );
}

/**
 * Entries of the project file that were copied into a worktree. They are not copied again when its
 * task removes them.
 */
export function readBrought(workspace: Workspace, place: string): ReadonlySet<string> {
  try {
    return new Set(
      JSON.parse(
        tryReadText(getBroughtFile(workspace, place), {maxBytes: 16 * 1024 * 1024}) ?? '',
      ) as readonly string[],
    );
  } catch {
    return new Set();
  }
}

export function writeBrought(
  workspace: Workspace,
  place: string,
  brought: ReadonlySet<string>,
): void {
  writeWhole(getBroughtFile(workspace, place), `${JSON.stringify([...brought])}\n`);
}

export function forgetProvisioned(workspace: Workspace, place: string): void {
  for (const file of [getProvisionedFile(workspace, place), getBroughtFile(workspace, place)])
    rmSync(file, {force: true});
}

function getBroughtFile(workspace: Workspace, place: string): string {
  return getProvisionedFile(workspace, place).replace(/\.json$/, '.entries.json');
}

export function hashOfFile(file: string): string {
  const stat = lstatSync(file);
  if (stat.isSymbolicLink()) return `link ${readlinkSync(file)}`;
  const reading = readRegularFile(file, {maxBytes: 256 * 1024 * 1024});
  if (reading.at === 'read') return createHash('sha256').update(reading.bytes).digest('hex');
  // A copy has another inode than its original, so a large copied file always counts as changed and
  // is backed up.
  return reading.why === 'too-large' ? `large ${stat.size} ${stat.mtimeMs} ${stat.ino}` : 'other';
}
