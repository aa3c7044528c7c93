import {Buffer} from 'node:buffer';
import {constants} from 'node:fs';
import path from 'node:path';
import type {Disk} from './disk.ts';
import type {Place} from './entry.ts';
import type {Files} from './files-of.ts';
import {keepReserve} from './keep-reserve.ts';
import {readBytes} from './read-file.ts';
import {makeDirectoryDurably, syncDirectory, writeDurably} from './write-durably.ts';

/**
 * Makes the journal file end at `place`, durably, and gives a descriptor to append with.
 * What stands behind `place` goes to `tornCopy` first; without one it belongs to an append that was refused.
 */
export async function settleFile(disk: Disk, files: Files, place: Place, tornCopy: string | undefined): Promise<number> {
  await makeDirectoryDurably(disk, files.blobs);
  // First of all, because on a full disk this is the step that fails, before anything was touched.
  keepReserve(disk, files.reserve);
  if (place.offset === 0 && !disk.list(files.directory).includes(path.basename(files.journal))) {
    await writeDurably(disk, files.journal, new Uint8Array());
  }

  const fd = disk.open(files.journal, constants.O_RDWR | constants.O_APPEND);
  try {
    const surplus = disk.size(fd) - place.offset;
    if (surplus > 0) {
      if (tornCopy !== undefined) await writeDurably(disk, tornCopy, readBytes(disk, fd, place.offset, Buffer.allocUnsafe(surplus)));
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
