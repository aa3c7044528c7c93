import {Buffer} from 'node:buffer';
import {constants} from 'node:fs';
import path from 'node:path';
import {type Disk, type FileLook, isSameFile} from './disk.ts';
import type {Place} from './entry.ts';
import type {Files} from './files-of.ts';
import {keepReserve} from './keep-reserve.ts';
import {readBytes} from './read-file.ts';
import {makeDirectoryDurably, syncDirectory, writeDurably} from './write-durably.ts';

/** What stands at the journal's path is not ours to change. */
export class ForeignFile extends Error {
  override readonly name = 'ForeignFile';
}

export type Settling = {
  readonly disk: Disk;
  readonly files: Files;
  readonly place: Place;
  readonly tornCopy: string | undefined;
  /** The file that was read or written before; nothing if there was none. */
  readonly found: FileLook | undefined;
  /** What was written last and not acknowledged. */
  readonly refused: Buffer | undefined;
};

/**
 * Makes the journal file end at `place`, durably, and gives a descriptor to append with. What stands behind `place` goes to
 * `tornCopy` first; without one it must be what was refused. Anything else is somebody's: it is left as it is (`ForeignFile`).
 */
export async function settleFile({
  disk,
  files,
  place,
  tornCopy,
  found,
  refused,
}: Settling): Promise<number> {
  if (found !== undefined && disk.lookAt(files.journal) === undefined)
    throw new ForeignFile(
      `${files.journal} is gone: it, or its directory, was removed or renamed while the daemon ran`,
    );
  await makeDirectoryDurably(disk, files.blobs);
  // First of all, because on a full disk this is the step that fails, before anything was touched.
  keepReserve(disk, files.reserve);
  if (place.offset === 0 && !disk.list(files.directory).includes(path.basename(files.journal))) {
    await writeDurably(disk, files.journal, new Uint8Array());
  }

  const fd = disk.open(files.journal, constants.O_RDWR | constants.O_APPEND);
  try {
    const there = disk.look(fd);
    // One without a byte in it may be the one that was made here before a later step failed.
    const isOurs = found === undefined ? there.size === 0 : isSameFile(there, found);
    if (!isOurs)
      throw new ForeignFile(`${files.journal} was replaced by another file while the daemon ran`);
    const surplus = there.size - place.offset;
    if (surplus < 0)
      throw new ForeignFile(
        `${files.journal} should have ${place.offset} bytes, but has ${there.size}: something else wrote to it while the daemon ran`,
      );
    if (surplus > 0) {
      const tail = readBytes(disk, fd, place.offset, Buffer.allocUnsafe(surplus));
      if (tornCopy !== undefined) await writeDurably(disk, tornCopy, tail);
      else if (refused?.subarray(0, surplus).equals(tail) !== true)
        throw new ForeignFile(
          `${files.journal} has ${surplus} bytes after its last record that the daemon did not write`,
        );
      disk.truncate(fd, place.offset);
    }

    // A process that was killed between write and sync left records that are believed from now on.
    await disk.datasync(fd);
    await syncDirectory(disk, files.directory);
    return fd;
  } catch (error) {
    disk.close(fd);
    throw error;
  }
}
