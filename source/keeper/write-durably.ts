import {Buffer} from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';

/** When this returns, the file holds the value, whatever happens next. A reader never sees a part of it. */
export function writeDurably(file: string, value: object): void {
  const temporary = `${file}.tmp`;
  withFile(temporary, 'w', (fd) => {
    writeWhole(fd, `${JSON.stringify(value)}\n`, 0);
    fs.fsyncSync(fd);
  });
  fs.renameSync(temporary, file);
  withFile(path.dirname(file), 'r', fs.fsyncSync);
}

/** Gives how much was written. On a full disk the kernel writes a part and calls it a success (faults, finding 14). */
export function writeWhole(fd: number, text: string, position: number): number {
  const bytes = Buffer.from(text);
  const written = fs.writeSync(fd, bytes, 0, bytes.length, position);
  if (written < bytes.length) throw Object.assign(new Error(`only ${written} of ${bytes.length} bytes could be written`), {code: 'ENOSPC'});
  return written;
}

export function withFile<T>(file: string, flags: string, act: (fd: number) => T): T {
  const fd = fs.openSync(file, flags, 0o600);
  try {
    return act(fd);
  } finally {
    fs.closeSync(fd);
  }
}
