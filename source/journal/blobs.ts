import path from 'node:path';
import {Buffer} from 'node:buffer';
import {createHash} from 'node:crypto';
import {
  type Disk,
  isMissing,
  makeDirectoryDurably,
  syncDirectory,
  writeFileDurably,
} from './disk.ts';
import {readBytes} from './read-journal.ts';

export type Blobs = {
  /**
   * Resolves with the name. Storing the same bytes again is harmless and repairs a damaged copy.
   */
  readonly put: (bytes: Uint8Array) => Promise<string>;
  readonly read: (name: string) => BlobReadResult;
};

export function createBlobs(disk: Disk, directory: string): Blobs {
  const underWay = new Map<string, Promise<void>>();
  const read = (name: string): BlobReadResult => readBlob(disk, directory, name);
  const write = async (name: string, bytes: Uint8Array): Promise<void> => {
    // The directory sync of an existing copy may have failed the last time.
    if (read(name).kind === 'whole') await syncDirectory(disk, directory);
    else await writeAnew(name, bytes);
  };

  const writeAnew = async (name: string, bytes: Uint8Array): Promise<void> => {
    // It may have been removed since the start; a record must not name a missing blob.
    await makeDirectoryDurably(disk, directory);
    await writeFileDurably(disk, path.join(directory, name), bytes);
  };

  return {
    put: async (bytes) => {
      const name = toBlobName(bytes);
      // Two writers of one blob would share a temporary file.
      const writing = underWay.get(name) ?? write(name, bytes).finally(() => underWay.delete(name));
      underWay.set(name, writing);
      await writing;
      return name;
    },
    read,
  };
}

export type BlobReadResult =
  | {readonly kind: 'whole'; readonly bytes: Buffer}
  | {readonly kind: 'missing' | 'damaged' | 'not-a-name'; readonly text: string};

/** Returns the bytes only if they match their name. */
export function readBlob(disk: Disk, directory: string, name: string): BlobReadResult {
  if (!isBlobName(name))
    return {
      kind: 'not-a-name',
      text: `expected 64 lower-case hex digits, got ${JSON.stringify(name)}`,
    };
  try {
    const bytes = readWhole(disk, path.join(directory, name));
    const actual = toBlobName(bytes);
    if (actual === name) return {kind: 'whole', bytes};
    return {
      kind: 'damaged',
      text: `the content of blob ${name} does not match its name (its sha256 is ${actual})`,
    };
  } catch (error) {
    if (isMissing(error))
      return {kind: 'missing', text: `there is no blob ${name} in ${directory}`};
    return {kind: 'damaged', text: `blob ${name} cannot be read: ${String(error)}`};
  }
}

export function toBlobName(bytes: Uint8Array): string {
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
