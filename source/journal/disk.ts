import path from 'node:path';
import fs from 'node:fs';
import {errorCode} from '../shared/index.ts';

/** Left only by a crash; removed at the next start. */
export const temporarySuffix = '.tmp';

/**
 * When this returns, the file has all its bytes even after a power cut. A reader never sees a part
 * of it.
 */
export async function writeFileDurably(disk: Disk, file: string, bytes: Uint8Array): Promise<void> {
  const temporary = file + temporarySuffix;
  try {
    await withFile(disk, temporary, 'w', async (fd) => {
      writeFully(disk, fd, bytes);
      await disk.sync(fd);
    });
    disk.rename(temporary, file);
  } catch (error) {
    removeIfPossible(disk, temporary);
    throw error;
  }

  await syncDirectory(disk, path.dirname(file));
}

/**
 * One write, whole or an error: on a full disk the kernel writes a part and calls it a success
 * (faults, finding 14).
 */
export function writeFully(disk: Disk, fd: number, bytes: Uint8Array): void {
  const written = disk.write(fd, bytes);
  if (written === bytes.length) return;
  throw Object.assign(
    new Error(`ENOSPC: only ${written} of ${bytes.length} bytes could be written`),
    {code: 'ENOSPC'},
  );
}

/** A new name in a directory survives a power cut only when the directory itself is synced. */
export async function syncDirectory(disk: Disk, directory: string): Promise<void> {
  await withFile(disk, directory, 'r', (fd) => disk.sync(fd));
}

/** Makes the directory durably: each new name is synced in its parent. */
export async function makeDirectoryDurably(disk: Disk, directory: string): Promise<void> {
  const topmost = disk.makeDirectory(directory);
  if (topmost === undefined) return;
  for (let made = directory; made.length >= topmost.length; made = path.dirname(made))
    await syncDirectory(disk, path.dirname(made));
}

/** For cleanup after another failure, which is the one to report. */
export function removeIfPossible(disk: Disk, file: string): void {
  try {
    disk.remove(file);
  } catch {
    // Removed at the next start.
  }
}

async function withFile(
  disk: Disk,
  file: string,
  flags: string,
  act: (fd: number) => Promise<void>,
): Promise<void> {
  const fd = disk.open(file, flags);
  try {
    await act(fd);
  } finally {
    disk.close(fd);
  }
}

/**
 * The file operations that the journal uses, so that a test can let any of them fail. Operations
 * that end in the page cache are synchronous (2 µs); those that wait for the device return a
 * promise, because the same process also answers key presses.
 */
export type Disk = {
  readonly open: (file: string, flags: string | number) => number;
  readonly close: (fd: number) => void;
  readonly size: (fd: number) => number;
  /** The identity and the present state of an open file. */
  readonly look: (fd: number) => FileLook;
  /** The same for a path; `undefined` if there is no file. */
  readonly lookAt: (file: string) => FileLook | undefined;
  /** Returns the number of bytes read; 0 at the end of the file. */
  readonly read: (fd: number, into: Uint8Array, offset: number) => number;
  /** Returns the number of bytes written, which may be fewer than given, without an error. */
  readonly write: (fd: number, bytes: Uint8Array) => number;
  readonly truncate: (fd: number, size: number) => void;
  readonly datasync: (fd: number) => Promise<void>;
  readonly sync: (fd: number) => Promise<void>;
  readonly rename: (from: string, to: string) => void;
  readonly remove: (file: string) => void;
  readonly list: (directory: string) => string[];
  /** Makes missing parents too; returns the topmost directory that it made. */
  readonly makeDirectory: (directory: string) => string | undefined;
};

/** Device and inode together identify a file, whatever its name. */
export type FileLook = {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: number;
  /** Time of the last change of its content, in nanoseconds. */
  readonly changed: bigint;
  /** Number of names (links). A file without one vanishes when its last descriptor is closed. */
  readonly names: number;
};

export const realDisk: Disk = {
  open: openRegular,
  close: (fd) => {
    fs.closeSync(fd);
  },
  size: (fd) => fs.fstatSync(fd).size,
  look: (fd) => toFileLook(fs.fstatSync(fd, {bigint: true})),
  lookAt: (file) => {
    const stat = fs.statSync(file, {bigint: true, throwIfNoEntry: false});
    return stat === undefined ? undefined : toFileLook(stat);
  },
  read: (fd, into, offset) => fs.readSync(fd, into, 0, into.length, offset),
  write: (fd, bytes) => fs.writeSync(fd, bytes),
  truncate: (fd, size) => {
    fs.ftruncateSync(fd, size);
  },
  datasync: (fd) =>
    promisify((done) => {
      fs.fdatasync(fd, done);
    }),
  sync: (fd) =>
    promisify((done) => {
      fs.fsync(fd, done);
    }),
  rename: (from, to) => {
    fs.renameSync(from, to);
  },
  remove: (file) => {
    fs.rmSync(file, {force: true});
  },
  list: (directory) => fs.readdirSync(directory),
  makeDirectory: (directory) => fs.mkdirSync(directory, {recursive: true, mode: 0o700}),
};

/**
 * A pipe or a device in place of the file would block or never end; without O_NONBLOCK even opening
 * it would block.
 */
function openRegular(file: string, flags: string | number): number {
  const fd = fs.openSync(file, toOpenFlags(flags) | fs.constants.O_NONBLOCK, 0o600);
  const stat = fs.fstatSync(fd);
  if (stat.isFile() || stat.isDirectory()) return fd;
  fs.closeSync(fd);
  throw new Error(
    `expected a regular file at ${file}, got something else (a pipe, a device or a socket); move it away`,
  );
}

function toOpenFlags(flags: string | number): number {
  const {O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC} = fs.constants;
  if (typeof flags === 'number') return flags;
  if (flags === 'r') return O_RDONLY;
  if (flags === 'w') return O_WRONLY | O_CREAT | O_TRUNC;
  throw new RangeError(
    `expected to open a file to read ("r") or to write it anew ("w"), got ${JSON.stringify(flags)}`,
  );
}

function toFileLook({dev, ino, size, mtimeNs, nlink}: fs.BigIntStats): FileLook {
  return {device: dev, inode: ino, size: Number(size), changed: mtimeNs, names: Number(nlink)};
}

export function isSameFile(one: FileLook, other: FileLook): boolean {
  return one.device === other.device && one.inode === other.inode;
}

export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}

/** A missing directory counts as empty. */
export function listNames(disk: Disk, directory: string): string[] {
  try {
    return disk.list(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export function isFull(error: unknown): boolean {
  return errorCode(error) === 'ENOSPC' || errorCode(error) === 'EDQUOT';
}

function promisify(start: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
