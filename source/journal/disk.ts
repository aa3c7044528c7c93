import fs from 'node:fs';

/**
 * The few file operations that the journal is made of, so that a test can let any of them fail.
 * What ends in the page cache is done at once (2 µs); what waits for the device is a promise, because the process
 * that keeps the journal also answers key presses.
 */
export type Disk = {
  readonly open: (file: string, flags: string | number) => number;
  readonly close: (fd: number) => void;
  readonly size: (fd: number) => number;
  /** Which file the descriptor stands for, and how it is now. */
  readonly look: (fd: number) => FileLook;
  /** The same of a name; nothing if there is none. */
  readonly lookAt: (file: string) => FileLook | undefined;
  /** Gives the number of bytes read; 0 at the end of the file. */
  readonly read: (fd: number, into: Uint8Array, offset: number) => number;
  /** Gives the number of bytes written, which may be fewer than asked without any error. */
  readonly write: (fd: number, bytes: Uint8Array) => number;
  readonly truncate: (fd: number, size: number) => void;
  readonly datasync: (fd: number) => Promise<void>;
  readonly sync: (fd: number) => Promise<void>;
  readonly rename: (from: string, to: string) => void;
  readonly remove: (file: string) => void;
  readonly list: (directory: string) => string[];
  /** Makes missing parents too; gives the topmost directory that it made. */
  readonly makeDirectory: (directory: string) => string | undefined;
};

/** Device and inode together are one file, whatever it is called. */
export type FileLook = {
  readonly device: bigint;
  readonly inode: bigint;
  readonly size: number;
  /** When its content was changed, in nanoseconds. */
  readonly changed: bigint;
  /** How many names it has; without one it goes when the last descriptor is closed. */
  readonly names: number;
};

export const realDisk: Disk = {
  open: openRegular,
  close: (fd) => {
    fs.closeSync(fd);
  },
  size: (fd) => fs.fstatSync(fd).size,
  look: (fd) => lookOf(fs.fstatSync(fd, {bigint: true})),
  lookAt: (file) => {
    const stat = fs.statSync(file, {bigint: true, throwIfNoEntry: false});
    return stat === undefined ? undefined : lookOf(stat);
  },
  read: (fd, into, offset) => fs.readSync(fd, into, 0, into.length, offset),
  write: (fd, bytes) => fs.writeSync(fd, bytes),
  truncate: (fd, size) => {
    fs.ftruncateSync(fd, size);
  },
  datasync: (fd) =>
    settled((done) => {
      fs.fdatasync(fd, done);
    }),
  sync: (fd) =>
    settled((done) => {
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

/** A pipe or a device in the place of a file would be waited for, or read without end. Without O_NONBLOCK already opening it would wait. */
function openRegular(file: string, flags: string | number): number {
  const fd = fs.openSync(file, numberOf(flags) | fs.constants.O_NONBLOCK, 0o600);
  const stat = fs.fstatSync(fd);
  if (stat.isFile() || stat.isDirectory()) return fd;
  fs.closeSync(fd);
  throw new Error(
    `expected a regular file at ${file}, got something else (a pipe, a device or a socket); move it away`,
  );
}

function numberOf(flags: string | number): number {
  const {O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC} = fs.constants;
  if (typeof flags === 'number') return flags;
  if (flags === 'r') return O_RDONLY;
  if (flags === 'w') return O_WRONLY | O_CREAT | O_TRUNC;
  throw new RangeError(
    `expected to open a file to read ("r") or to write it anew ("w"), got ${JSON.stringify(flags)}`,
  );
}

function lookOf({dev, ino, size, mtimeNs, nlink}: fs.BigIntStats): FileLook {
  return {device: dev, inode: ino, size: Number(size), changed: mtimeNs, names: Number(nlink)};
}

export function isSameFile(one: FileLook, other: FileLook): boolean {
  return one.device === other.device && one.inode === other.inode;
}

export function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** A directory that is not there is empty. */
export function namesIn(disk: Disk, directory: string): string[] {
  try {
    return disk.list(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export function isFull(error: unknown): boolean {
  return codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function settled(start: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
