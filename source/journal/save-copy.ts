import {Buffer} from 'node:buffer';
import type {Disk} from './disk.ts';
import {readBytes} from './read-file.ts';
import {writeDurably} from './write-durably.ts';

/** Copies the first `length` bytes of an open file to another one, durably. */
export async function saveCopy(
  disk: Disk,
  fd: number,
  length: number,
  file: string,
): Promise<void> {
  await writeDurably(disk, file, readBytes(disk, fd, 0, Buffer.allocUnsafe(length)));
}
