import {randomBytes} from 'node:crypto';
import {type Disk, isMissing} from './disk.ts';
import {removeIfPossible, writeWhole} from './write-durably.ts';

const reserveSize = 1024 * 1024;
/** Room beside the reserve; without it a full disk would be left and met again with every record. */
const headroom = 64 * 1024;

/** Makes the reserve if it is not there; fails when the disk has no room for it. It need not survive a power cut. */
export function keepReserve(disk: Disk, file: string): void {
  if (sizeOf(disk, file) === reserveSize) return;
  try {
    const fd = disk.open(file, 'w');
    try {
      // Random, because a file system that compresses would keep no room for zeros.
      writeWhole(disk, fd, randomBytes(reserveSize + headroom));
      disk.truncate(fd, reserveSize);
    } finally {
      disk.close(fd);
    }
  } catch (error) {
    removeIfPossible(disk, file);
    throw error;
  }
}

function sizeOf(disk: Disk, file: string): number {
  try {
    const fd = disk.open(file, 'r');
    try {
      return disk.size(fd);
    } finally {
      disk.close(fd);
    }
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}
