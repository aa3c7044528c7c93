import {Buffer} from 'node:buffer';
import {closeSync, fsyncSync, openSync, renameSync, writeSync} from 'node:fs';
import {dirname} from 'node:path';

/** When this returns, the file holds the value, whatever happens next. A reader never sees a part of it. */
export function writeDurably(file: string, value: object): void {
  const temporary = `${file}.tmp`;
  withFile(temporary, 'w', (fd) => {
    writeWhole(fd, `${JSON.stringify(value)}\n`, 0);
    fsyncSync(fd);
  });
  renameSync(temporary, file);
  withFile(dirname(file), 'r', fsyncSync);
}

/** Gives how much was written. On a full disk the kernel writes a part and calls it a success (faults, finding 14). */
export function writeWhole(fd: number, text: string, position: number): number {
  const bytes = Buffer.from(text);
  const written = writeSync(fd, bytes, 0, bytes.length, position);
  if (written < bytes.length)
    throw Object.assign(new Error(`only ${written} of ${bytes.length} bytes could be written`), {
      code: 'ENOSPC',
    });
  return written;
}

export function withFile<T>(file: string, flags: string, act: (fd: number) => T): T {
  const fd = openSync(file, flags, 0o600);
  try {
    return act(fd);
  } finally {
    closeSync(fd);
  }
}
