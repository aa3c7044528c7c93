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
} from 'node:fs';
import path from 'node:path';
import {copyRegularFile, namesIn} from '../../files/index.ts';
import {statAt} from './stat-at.ts';

/** What was seen of a file when it was found free of edits. */
export type Look = string;

export type Put = {
  readonly path: string;
  /** Whether the path is there afterwards. */
  readonly isThere: boolean;
  /** When given, the file has to look like this still. */
  readonly look?: Look;
  /** Told once the path is changed. */
  readonly onDone?: () => void;
};

/** A person saved a file in the moment before it was to be replaced. */
export class EditedMeanwhile extends Error {
  override readonly name = 'EditedMeanwhile';
  readonly path: string;

  constructor(file: string) {
    super(`${file} was edited meanwhile`);
    this.path = file;
  }
}

/** First what goes, then what comes: a file may become a directory, and the other way round. Each path changes in one step. */
export function putFiles(directory: string, staged: string, puts: readonly Put[]): void {
  for (const {path: file, look, onDone} of puts.filter((put) => !put.isThere)) {
    checkLook(directory, file, look);
    const full = path.join(directory, file);
    if (statAt(full)?.isDirectory() === false) rmSync(full, {force: true});
    dropEmptyParents(directory, file);
    onDone?.();
  }

  for (const {path: file, look, onDone} of puts.filter((put) => put.isThere)) {
    checkLook(directory, file, look);
    const full = path.join(directory, file);
    mkdirSync(path.dirname(full), {recursive: true});
    if (statAt(full)?.isDirectory() === true) dropEmptyDirectories(full);
    moveInto(path.join(staged, file), full);
    onDone?.();
  }
}

export function lookAt(directory: string, file: string): Look {
  const full = path.join(directory, file);
  // A directory is in the way of a file only with files in it, and these have looks of their own.
  if (statAt(full)?.isDirectory() !== false) return 'nothing';
  const stat = lstatSync(full, {bigint: true});
  return [stat.ino, stat.mode, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ');
}

function checkLook(directory: string, file: string, look: Look | undefined): void {
  if (look !== undefined && lookAt(directory, file) !== look) throw new EditedMeanwhile(file);
}

function moveInto(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    // Git's directory is on another disk than the checkout: copied beside its place, then one rename as well.
    const beside = `${to}${besideSuffix}`;
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

/** What a crash may leave beside a file. */
export const besideSuffix = '.orchestra-home';

function dropEmptyParents(directory: string, file: string): void {
  for (let place = path.posix.dirname(file); place !== '.'; place = path.posix.dirname(place)) {
    try {
      rmdirSync(path.join(directory, place));
    } catch {
      return;
    }
  }
}

/** Fails where a file is inside: that one is the person's. */
function dropEmptyDirectories(place: string): void {
  for (const entry of namesIn(place, {maxEntries: 1_000_000}))
    dropEmptyDirectories(path.join(place, entry));
  rmdirSync(place);
}
