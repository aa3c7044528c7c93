import path from 'node:path';
import {randomBytes} from 'node:crypto';
import {Buffer} from 'node:buffer';
import {constants} from 'node:fs';
import {
  type Disk,
  type FileLook,
  isMissing,
  isSameFile,
  makeDirectoryDurably,
  removeIfPossible,
  syncDirectory,
  writeFully,
  writeFileDurably,
} from './disk.ts';
import type {RecordPosition} from './encode-records.ts';
import {type JournalPaths, readBytes} from './read-journal.ts';

const reserveSize = 1024 * 1024;
/** Space beside the reserve; without it a disk would count as full again with every record. */
const headroom = 64 * 1024;

/**
 * Makes the reserve if it is missing; throws when the disk has no space for it. It need not survive
 * a power cut.
 */
export function maintainReserve(disk: Disk, file: string): void {
  if (readSize(disk, file) === reserveSize) return;
  try {
    const fd = disk.open(file, 'w');
    try {
      // Random bytes: a file system with compression would reserve no space for zeros.
      writeFully(disk, fd, randomBytes(reserveSize + headroom));
      disk.truncate(fd, reserveSize);
    } finally {
      disk.close(fd);
    }
  } catch (error) {
    removeIfPossible(disk, file);
    throw error;
  }
}

function readSize(disk: Disk, file: string): number {
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

/** The file at the journal's path is not ours to change. */
export class ForeignFile extends Error {
  override readonly name = 'ForeignFile';
}

export type Settling = {
  readonly disk: Disk;
  readonly files: JournalPaths;
  readonly place: RecordPosition;
  readonly tornCopy: string | undefined;
  /** The file that was read or written before; `undefined` if there was none. */
  readonly found: FileLook | undefined;
  /** The last bytes that were written and not acknowledged. */
  readonly rejected: Buffer | undefined;
};

/**
 * Makes the journal file end at `place`, durably, and returns a descriptor for appending. The bytes
 * after `place` are first copied to `tornCopy`; without one they must be `rejected`. Any other file
 * is left unchanged (`ForeignFile`).
 */
export async function settleFile({
  disk,
  files,
  place,
  tornCopy,
  found,
  rejected,
}: Settling): Promise<number> {
  if (found !== undefined && disk.lookAt(files.journal) === undefined)
    throw new ForeignFile(
      `${files.journal} is gone: it, or its directory, was removed or renamed while the daemon ran`,
    );
  await makeDirectoryDurably(disk, files.blobs);
  // First, because on a full disk this step fails, before anything was changed.
  maintainReserve(disk, files.reserve);
  if (place.offset === 0 && !disk.list(files.directory).includes(path.basename(files.journal))) {
    await writeFileDurably(disk, files.journal, new Uint8Array());
  }

  const fd = disk.open(files.journal, constants.O_RDWR | constants.O_APPEND);
  try {
    const there = disk.look(fd);
    // An empty file may be our own, from before a later step failed.
    const isOurs = found === undefined ? there.size === 0 : isSameFile(there, found);
    if (!isOurs)
      throw new ForeignFile(`${files.journal} was replaced by another file while the daemon ran`);
    const surplus = there.size - place.offset;
    if (surplus < 0)
      throw new ForeignFile(
        `${files.journal} should have ${place.offset} bytes, but has ${there.size}: ` +
          'something else wrote to it while the daemon ran',
      );
    if (surplus > 0) {
      const tail = readBytes(disk, fd, place.offset, Buffer.allocUnsafe(surplus));
      if (tornCopy !== undefined) await writeFileDurably(disk, tornCopy, tail);
      else if (rejected?.subarray(0, surplus).equals(tail) !== true)
        throw new ForeignFile(
          `${files.journal} has ${surplus} bytes after its last record that the daemon did not write`,
        );
      disk.truncate(fd, place.offset);
    }

    // A process that was killed between write and sync left records that are trusted from now on.
    await disk.datasync(fd);
    await syncDirectory(disk, files.directory);
    return fd;
  } catch (error) {
    disk.close(fd);
    throw error;
  }
}
