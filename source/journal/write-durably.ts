import path from 'node:path';
import type {Disk} from './disk.ts';

/** Left behind only by a crash; swept at the next start. */
export const temporarySuffix = '.tmp';

/** When this returns, the file is there with all its bytes, whatever happens next. A reader never sees a part of it. */
export async function writeDurably(disk: Disk, file: string, bytes: Uint8Array): Promise<void> {
  const temporary = file + temporarySuffix;
  try {
    await withFile(disk, temporary, 'w', async (fd) => {
      writeWhole(disk, fd, bytes);
      await disk.sync(fd);
    });
    disk.rename(temporary, file);
  } catch (error) {
    removeIfPossible(disk, temporary);
    throw error;
  }

  await syncDirectory(disk, path.dirname(file));
}

/** One write, whole or an error: on a full disk the kernel writes a part and calls it a success (faults, finding 14). */
export function writeWhole(disk: Disk, fd: number, bytes: Uint8Array): void {
  const written = disk.write(fd, bytes);
  if (written === bytes.length) return;
  throw Object.assign(
    new Error(`ENOSPC: only ${written} of ${bytes.length} bytes could be written`),
    {code: 'ENOSPC'},
  );
}

/** A new name in a directory survives a power cut only when the directory itself is synced. */
export async function syncDirectory(disk: Disk, directory: string): Promise<void> {
  await withFile(disk, directory, 'r', (fd) => disk.sync(fd));
}

/** Makes the directory so that it lasts: each new name is synced in its parent. */
export async function makeDirectoryDurably(disk: Disk, directory: string): Promise<void> {
  const topmost = disk.makeDirectory(directory);
  if (topmost === undefined) return;
  for (let made = directory; made.length >= topmost.length; made = path.dirname(made))
    await syncDirectory(disk, path.dirname(made));
}

/** For clean-up after another failure, which is the one to report. */
export function removeIfPossible(disk: Disk, file: string): void {
  try {
    disk.remove(file);
  } catch {
    // It is swept at the next start.
  }
}

async function withFile(
  disk: Disk,
  file: string,
  flags: string,
  act: (fd: number) => Promise<void>,
): Promise<void> {
  const fd = disk.open(file, flags);
  try {
    await act(fd);
  } finally {
    disk.close(fd);
  }
}
