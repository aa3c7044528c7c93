import {closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync} from 'node:fs';
import path from 'node:path';

/** A reader sees the file as it was or as it is now, never a part of it. */
export function writeWhole(file: string, text: string): void {
  mkdirSync(path.dirname(file), {recursive: true, mode: 0o700});
  const temporary = `${file}.tmp`;
  const descriptor = openSync(temporary, 'w', 0o600);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }

  renameSync(temporary, file);
}
