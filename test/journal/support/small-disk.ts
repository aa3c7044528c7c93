import {type Disk, realDisk} from '../../../source/journal/disk.ts';
import {getError} from './failing-disk.ts';

export type SmallDisk = {
  readonly disk: Disk;
  readonly setFreeSpace: (bytes: number) => void;
};

/**
 * Real files on a disk with little room. When it runs out, it behaves as the kernel does: a short
 * write, then ENOSPC.
 */
export function createSmallDisk(): SmallDisk {
  const names = new Map<number, string>();
  const sizes = new Map<string, number>();
  let space = Number.POSITIVE_INFINITY;
  const resize = (file: string, size: number): void => {
    space -= size - (sizes.get(file) ?? 0);
    sizes.set(file, size);
  };

  return {
    setFreeSpace: (bytes) => {
      space = bytes;
    },
    disk: {
      ...realDisk,
      open: (file, flags) => {
        const fd = realDisk.open(file, flags);
        names.set(fd, file);
        if (flags === 'w') resize(file, 0);
        return fd;
      },
      write: (fd, bytes) => {
        if (bytes.length > 0 && space <= 0) throw getError('ENOSPC', 'write');
        const file = names.get(fd)!;
        const written = realDisk.write(fd, bytes.subarray(0, Math.min(bytes.length, space)));
        resize(file, (sizes.get(file) ?? 0) + written);
        return written;
      },
      truncate: (fd, size) => {
        realDisk.truncate(fd, size);
        resize(names.get(fd)!, size);
      },
      rename: (from, to) => {
        realDisk.rename(from, to);
        sizes.set(to, sizes.get(from) ?? 0);
        sizes.delete(from);
      },
      remove: (file) => {
        realDisk.remove(file);
        resize(file, 0);
      },
    },
  };
}
