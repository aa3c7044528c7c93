import type {Disk} from '../../../source/journal/disk.ts';

export type Fault = {
  /** The operation that fails, counted from 1. */
  readonly at: number;
  readonly kind: 'ENOSPC' | 'EIO' | 'short-write';
  /** Whether all later operations fail as well. */
  readonly lasts: boolean;
};

export type FailingDisk = {
  readonly disk: Disk;
  readonly wasHit: () => boolean;
  /** Descriptors that nobody has closed. */
  readonly openFiles: () => number;
};

/** A disk on which one operation fails, or all from one on. */
export function createFailingDisk(under: Disk, {at, kind, lasts}: Fault): FailingDisk {
  const opened = new Set<number>();
  let count = 0;
  const fails = (): boolean => {
    count += 1;
    return lasts ? count >= at : count === at;
  };
  const check = (name: string): void => {
    if (kind !== 'short-write' && fails()) throw getError(kind, name);
  };
  const disk: Disk = {
    open: (file, flags) => {
      check('open');
      const fd = under.open(file, flags);
      opened.add(fd);
      return fd;
    },
    close: (fd) => {
      // As in the kernel: close may report an error, but the descriptor is gone.
      under.close(fd);
      opened.delete(fd);
      check('close');
    },
    write: (fd, bytes) => {
      check('write');
      const isShort = kind === 'short-write' && fails();
      return under.write(fd, isShort ? bytes.subarray(0, bytes.length / 2) : bytes);
    },
    datasync: async (fd) => {
      check('fdatasync');
      await under.datasync(fd);
    },
    sync: async (fd) => {
      check('fsync');
      await under.sync(fd);
    },
    size: (fd) => (check('fstat'), under.size(fd)),
    look: (fd) => (check('fstat'), under.look(fd)),
    lookAt: (file) => (check('stat'), under.lookAt(file)),
    read: (fd, into, offset) => (check('read'), under.read(fd, into, offset)),
    truncate: (fd, size) => {
      check('ftruncate');
      under.truncate(fd, size);
    },
    rename: (from, to) => {
      check('rename');
      under.rename(from, to);
    },
    remove: (file) => {
      check('unlink');
      under.remove(file);
    },
    list: (directory) => (check('readdir'), under.list(directory)),
    makeDirectory: (directory) => (check('mkdir'), under.makeDirectory(directory)),
  };
  return {disk, wasHit: () => count >= at, openFiles: () => opened.size};
}

export function getError(code: string, name: string): Error {
  return Object.assign(new Error(`${code}: injected, ${name}`), {code});
}
