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

export const realDisk: Disk = {
  open: (file, flags) => fs.openSync(file, flags, 0o600),
  close: (fd) => {
    fs.closeSync(fd);
  },
  size: (fd) => fs.fstatSync(fd).size,
  read: (fd, into, offset) => fs.readSync(fd, into, 0, into.length, offset),
  write: (fd, bytes) => fs.writeSync(fd, bytes),
  truncate: (fd, size) => {
    fs.ftruncateSync(fd, size);
  },
  datasync: (fd) => settled((done) => {
    fs.fdatasync(fd, done);
  }),
  sync: (fd) => settled((done) => {
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
