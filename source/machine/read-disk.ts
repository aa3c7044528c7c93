import {statfsSync} from 'node:fs';
import path from 'node:path';

export type Disk = {
  readonly path: string;
  /** Bytes that this user may still write. */
  readonly free: number;
  readonly total: number;
};

/** The disk of the nearest directory upwards that exists; nothing when the kernel does not say. */
export function readDisk(directory: string): Disk | undefined {
  try {
    const {bavail, blocks, bsize} = statfsSync(directory);
    return {path: directory, free: bavail * bsize, total: blocks * bsize};
  } catch {
    const parent = path.dirname(directory);
    return parent === directory ? undefined : readDisk(parent);
  }
}
