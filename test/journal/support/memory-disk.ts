import path from 'node:path';
import {Buffer} from 'node:buffer';
import type {Disk, FileLook} from '../../../source/journal/disk.ts';
import {getError} from './failing-disk.ts';

type Inode = {bytes: Buffer; synced: Buffer; readonly number: bigint; changes: bigint};

export type MemoryDisk = {
  readonly disk: Disk;
  readonly read: (file: string) => Buffer;
  readonly write: (file: string, bytes: Uint8Array) => void;
  readonly names: () => string[];
  /** What was not synced is lost: new names, cuts, and of appended bytes all but a share. */
  readonly cutPower: (retained: number) => void;
};

/**
 * A disk that knows what would survive a power cut: synced bytes, under names whose directory was
 * synced.
 */
export function createMemoryDisk(): MemoryDisk {
  const directories = new Set(['/']);
  const opened = new Map<number, string | Inode>();
  let names = new Map<string, Inode>();
  let durableNames = new Map<string, Inode>();
  let nextFd = 100;
  let nextInode = 1n;
  const createInode = (bytes: Buffer): Inode => ({
    bytes,
    synced: Buffer.from(bytes),
    number: nextInode++,
    changes: 0n,
  });
  const getLook = (inode: Inode): FileLook => ({
    device: 1n,
    inode: inode.number,
    size: inode.bytes.length,
    changed: inode.changes,
    names: [...names.values()].filter((one) => one === inode).length,
  });

  const getInode = (fd: number): Inode => {
    const target = opened.get(fd);
    if (target === undefined || typeof target === 'string') throw getError('EBADF', String(fd));
    return target;
  };

  const named = (file: string): Inode => {
    const inode = names.get(file);
    if (inode === undefined) throw getError('ENOENT', file);
    return inode;
  };

  const sync = (fd: number): Promise<void> => {
    const target = opened.get(fd);
    if (typeof target !== 'string') {
      const inode = getInode(fd);
      inode.synced = inode.bytes;
      return Promise.resolve();
    }

    const isInside = ([file]: [string, Inode]): boolean => path.dirname(file) === target;
    durableNames = new Map([
      ...[...durableNames].filter((entry) => !isInside(entry)),
      ...[...names].filter(isInside),
    ]);
    return Promise.resolve();
  };

  const disk: Disk = {
    open: (file, flags) => {
      if (flags === 'w') {
        if (!directories.has(path.dirname(file))) throw getError('ENOENT', file);
        const inode = names.get(file) ?? createInode(Buffer.alloc(0));
        inode.bytes = Buffer.alloc(0);
        inode.changes += 1n;
        names.set(file, inode);
      }

      nextFd += 1;
      opened.set(nextFd, directories.has(file) ? file : named(file));
      return nextFd;
    },
    close: (fd) => void opened.delete(fd),
    size: (fd) => getInode(fd).bytes.length,
    look: (fd) => getLook(getInode(fd)),
    lookAt: (file) => {
      const inode = names.get(file);
      return inode === undefined ? undefined : getLook(inode);
    },
    read: (fd, into, offset) => getInode(fd).bytes.copy(into, 0, offset),
    write: (fd, bytes) => {
      const inode = getInode(fd);
      inode.bytes = Buffer.concat([inode.bytes, bytes]);
      inode.changes += 1n;
      return bytes.length;
    },
    truncate: (fd, size) => {
      const inode = getInode(fd);
      inode.bytes = inode.bytes.subarray(0, size);
      inode.changes += 1n;
    },
    datasync: sync,
    sync,
    rename: (from, to) => {
      names.set(to, named(from));
      names.delete(from);
    },
    remove: (file) => void names.delete(file),
    list: (directory) => {
      if (!directories.has(directory)) throw getError('ENOENT', directory);
      return [...names.keys()]
        .filter((file) => path.dirname(file) === directory)
        .map((file) => path.basename(file));
    },
    makeDirectory: (directory) => {
      const made: string[] = [];
      for (let parent = directory; !directories.has(parent); parent = path.dirname(parent))
        made.push(parent);
      for (const each of made) directories.add(each);
      return made.at(-1);
    },
  };

  return {
    disk,
    read: (file) => named(file).bytes,
    write: (file, bytes) => {
      disk.makeDirectory(path.dirname(file));
      // What is there rots: it is the same file, and no time says that it changed.
      const inode = names.get(file) ?? createInode(Buffer.alloc(0));
      inode.bytes = Buffer.from(bytes);
      inode.synced = Buffer.from(bytes);
      names.set(file, inode);
      durableNames.set(file, named(file));
    },
    names: () => [...names.keys()],
    cutPower: (retained) => {
      opened.clear();
      names = new Map(durableNames);
      for (const inode of names.values()) {
        const {bytes, synced} = inode;
        const unsynced = bytes.subarray(synced.length);
        inode.bytes = Buffer.concat([
          synced,
          unsynced.subarray(0, Math.round(unsynced.length * retained)),
        ]);
        inode.synced = inode.bytes;
      }
    },
  };
}
