import path from 'node:path';
import {
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  closeSync,
  fsyncSync,
  openSync,
} from 'node:fs';
import {copyRegularFile, namesIn, readRegularFile} from '../../files/index.ts';
import {statAt} from '../worktrees/paths.ts';
import {
  type CheckoutPaths,
  runInCheckout,
  runOnObjects,
  withTemporaryIndex,
} from '../client/plumbing.ts';
import type {Workspace} from '../open-workspace.ts';
import type {Difference} from '../changes/differences.ts';

/** Stamp of a file at the time when it had no edits. */
export type FileStamp = string;

export type Put = {
  readonly path: string;
  /** Whether the path exists afterwards. */
  readonly isThere: boolean;
  /** The stamp that the file must still have; not checked when absent. */
  readonly look?: FileStamp;
  /** Called once the path is changed. */
  readonly onDone?: () => void;
};

/** The person saved a file right before it was replaced. */
export class EditedMeanwhileError extends Error {
  override readonly name = 'EditedMeanwhile';
  readonly path: string;

  constructor(file: string) {
    super(`${file} was edited meanwhile`);
    this.path = file;
  }
}

/**
 * Deletes before it creates, because a file can become a directory and the other way round. Each
 * path changes atomically.
 */
export function putFiles(directory: string, staged: string, puts: readonly Put[]): void {
  for (const {path: file, look, onDone} of puts.filter((put) => !put.isThere)) {
    expectUnedited(directory, file, look);
    const full = path.join(directory, file);
    if (statAt(full)?.isDirectory() === false) rmSync(full, {force: true});
    dropEmptyParents(directory, file);
    onDone?.();
  }

  for (const {path: file, look, onDone} of puts.filter((put) => put.isThere)) {
    expectUnedited(directory, file, look);
    const full = path.join(directory, file);
    mkdirSync(path.dirname(full), {recursive: true});
    if (statAt(full)?.isDirectory() === true) dropEmptyDirectories(full);
    moveInto(path.join(staged, file), full);
    onDone?.();
  }
}

export function readFileStamp(directory: string, file: string): FileStamp {
  const full = path.join(directory, file);
  // A directory blocks a file only with files in it, and those have stamps of their own.
  if (statAt(full)?.isDirectory() !== false) return 'nothing';
  const stat = lstatSync(full, {bigint: true});
  return [stat.ino, stat.mode, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ');
}

function expectUnedited(directory: string, file: string, look: FileStamp | undefined): void {
  if (look !== undefined && readFileStamp(directory, file) !== look)
    throw new EditedMeanwhileError(file);
}

function moveInto(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    // Git's directory is on another disk than the checkout: copy next to the target, then rename.
    const beside = `${to}${temporaryFileSuffix}`;
    rmSync(beside, {force: true});
    const stat = lstatSync(from);
    if (stat.isSymbolicLink()) {
      symlinkSync(readlinkSync(from), beside);
    } else {
      const copied = copyRegularFile(from, beside, {
        maxBytes: Number.MAX_SAFE_INTEGER,
        flags: constants.COPYFILE_FICLONE,
      });
      if (copied.at === 'refused') throw new Error(`${from} ${copied.message}`, {cause: error});
      chmodSync(beside, stat.mode & 0o777);
    }

    renameSync(beside, to);
  }
}

/** Suffix of temporary files that a crash can leave beside a file. */
export const temporaryFileSuffix = '.orchestra-home';

function dropEmptyParents(directory: string, file: string): void {
  for (let place = path.posix.dirname(file); place !== '.'; place = path.posix.dirname(place)) {
    try {
      rmdirSync(path.join(directory, place));
    } catch {
      return;
    }
  }
}

/** Fails when a file is inside: it belongs to the person. */
function dropEmptyDirectories(place: string): void {
  for (const entry of namesIn(place, {maxEntries: 1_000_000}))
    dropEmptyDirectories(path.join(place, entry));
  rmdirSync(place);
}

/**
 * Writes files of a commit into a staging directory inside of git's directory, as a checkout would:
 * line ends, modes and links, with the commit's attributes. Each file then moves to its path by one
 * rename.
 */
export async function stageFiles(
  workspace: Workspace,
  {gitDirectory}: CheckoutPaths,
  {commit, paths}: {readonly commit: string; readonly paths: readonly string[]},
): Promise<string> {
  const staged = getStagingDirectory(gitDirectory, commit);
  rmSync(staged, {recursive: true, force: true});
  mkdirSync(staged, {recursive: true, mode: 0o700});
  if (paths.length === 0) return staged;
  await withTemporaryIndex(workspace, async (index) => {
    await runOnObjects(workspace, ['read-tree', commit], {index});
    await workspace.git(
      staged,
      [
        '--git-dir',
        workspace.commonDirectory,
        '--work-tree',
        staged,
        'checkout-index',
        '-f',
        '-q',
        '-z',
        '--stdin',
      ],
      {index, input: paths.map((file) => `${file}\0`).join('')},
    );
  });
  for (const file of paths) {
    const full = path.join(staged, file);
    const stat = statAt(full);
    if (stat === undefined)
      throw new Error(
        `Expected git to write ${full}, but it is not there. Nothing of yours was changed; try again.`,
      );
    if (stat.isFile()) syncFile(full);
  }

  return staged;
}

export function dropStaged(gitDirectory: string): void {
  rmSync(path.join(gitDirectory, 'orchestra-home'), {recursive: true, force: true});
}

function getStagingDirectory(gitDirectory: string, commit: string): string {
  return path.join(gitDirectory, 'orchestra-home', commit);
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export type PathState = 'old' | 'new' | 'half' | 'edited';

/**
 * The state of a path in a checkout after a crash: the old content, the new content, in between
 * (missing, or the beginning of the new file), or an edit of the person.
 */
export async function readPathState(
  workspace: Workspace,
  place: CheckoutPaths,
  {
    difference,
    stagedOld,
    stagedNew,
  }: {readonly difference: Difference; readonly stagedOld: string; readonly stagedNew: string},
): Promise<PathState> {
  const file = difference.path;
  const now = readBytesAt(path.join(place.directory, file));
  const before = difference.old === null ? undefined : readBytesAt(path.join(stagedOld, file));
  const after = difference.new === null ? undefined : readBytesAt(path.join(stagedNew, file));
  if (hasSameBytes(now, before)) return 'old';
  if (hasSameBytes(now, after)) return 'new';
  if (now === undefined) return 'half';
  if (
    now.kind === after?.kind &&
    now.bytes.length < after.bytes.length &&
    after.bytes.subarray(0, now.bytes.length).equals(now.bytes)
  )
    return 'half';
  // Line ends may differ from those that a checkout writes and still match the commit.
  if (
    now.kind === before?.kind &&
    now.kind !== 'link' &&
    now.kind !== 'other' &&
    difference.old !== null &&
    (await hashFile(workspace, place, file)) === difference.old.object
  )
    return 'old';
  return 'edited';
}

type PathBytes = {readonly kind: 'link' | 'file' | 'program' | 'other'; readonly bytes: Buffer};

/** A directory counts as missing: its files have paths of their own. */
function readBytesAt(full: string): PathBytes | undefined {
  const stat = statAt(full);
  if (stat === undefined || stat.isDirectory()) return undefined;
  if (stat.isSymbolicLink()) return {kind: 'link', bytes: readlinkSync(full, {encoding: 'buffer'})};
  const reading = readRegularFile(full, {maxBytes: 4 * 1024 ** 3});
  // A pipe or a device counts as an edit.
  if (reading.at === 'refused') return {kind: 'other', bytes: Buffer.alloc(0)};
  return {kind: (reading.mode & 0o100) === 0 ? 'file' : 'program', bytes: reading.bytes};
}

function hasSameBytes(one: PathBytes | undefined, other: PathBytes | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.kind === other.kind && one.bytes.equals(other.bytes);
}

async function hashFile(workspace: Workspace, place: CheckoutPaths, file: string): Promise<string> {
  return (
    await runInCheckout(workspace, place, ['hash-object', '--', path.join(place.directory, file)], {
      isRead: true,
    })
  ).trim();
}
