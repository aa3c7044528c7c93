import {Buffer} from 'node:buffer';
import {createHash} from 'node:crypto';
import path from 'node:path';
import {type Disk, isMissing} from './disk.ts';
import {readBytes} from './read-file.ts';

export type BlobReading =
  | {readonly kind: 'whole'; readonly bytes: Buffer}
  | {readonly kind: 'missing' | 'damaged' | 'not-a-name'; readonly text: string};

/** Gives the bytes only if they are what the name says. */
export function readBlob(disk: Disk, directory: string, name: string): BlobReading {
  if (!isBlobName(name))
    return {
      kind: 'not-a-name',
      text: `expected 64 lower-case hex digits, got ${JSON.stringify(name)}`,
    };
  try {
    const bytes = readWhole(disk, path.join(directory, name));
    const actual = blobNameOf(bytes);
    if (actual === name) return {kind: 'whole', bytes};
    return {
      kind: 'damaged',
      text: `blob ${name} holds other bytes than its name says (their sha256 is ${actual})`,
    };
  } catch (error) {
    if (isMissing(error))
      return {kind: 'missing', text: `there is no blob ${name} in ${directory}`};
    return {kind: 'damaged', text: `blob ${name} cannot be read: ${String(error)}`};
  }
}

export function blobNameOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function isBlobName(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

function readWhole(disk: Disk, file: string): Buffer {
  const fd = disk.open(file, 'r');
  try {
    return readBytes(disk, fd, 0, Buffer.allocUnsafe(disk.size(fd)));
  } finally {
    disk.close(fd);
  }
}
