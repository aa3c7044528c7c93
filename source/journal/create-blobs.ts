import path from 'node:path';
import type {Disk} from './disk.ts';
import {type BlobReading, blobNameOf, readBlob} from './read-blob.ts';
import {makeDirectoryDurably, syncDirectory, writeDurably} from './write-durably.ts';

export type Blobs = {
  /** Resolves with the name. Putting the same bytes again is harmless, and mends a damaged copy. */
  readonly put: (bytes: Uint8Array) => Promise<string>;
  readonly read: (name: string) => BlobReading;
};

export function createBlobs(disk: Disk, directory: string): Blobs {
  const underWay = new Map<string, Promise<void>>();
  const read = (name: string): BlobReading => readBlob(disk, directory, name);
  const write = async (name: string, bytes: Uint8Array): Promise<void> => {
    // A copy that is there may still lack its directory sync, if that failed the last time.
    if (read(name).kind === 'whole') await syncDirectory(disk, directory);
    else await writeAnew(name, bytes);
  };

  const writeAnew = async (name: string, bytes: Uint8Array): Promise<void> => {
    // Somebody may have removed it since the start; what is named from now on has to be there.
    await makeDirectoryDurably(disk, directory);
    await writeDurably(disk, path.join(directory, name), bytes);
  };

  return {
    put: async (bytes) => {
      const name = blobNameOf(bytes);
      // Two writers of one blob would share a temporary file.
      const writing = underWay.get(name) ?? write(name, bytes).finally(() => underWay.delete(name));
      underWay.set(name, writing);
      await writing;
      return name;
    },
    read,
  };
}
