import {closeSync, constants, fchmodSync, openSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';

/**
 * Writes a file whole or not at all. The name of the half-written one is always the same, so that whoever does it again
 * after a crash leaves none behind. It is made anew each time: nothing that somebody put there is followed. Without
 * a mode it is what new files get.
 */
export function writeWhole(file: string, content: Uint8Array | string, mode?: number): void {
  const half = path.join(path.dirname(file), `.${path.basename(file).slice(0, 200)}.playbook-half`);
  rmSync(half, {force: true});
  const opened = openSync(half, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, mode ?? 0o666);
  try {
    writeFileSync(opened, content);
    if (mode !== undefined) fchmodSync(opened, mode);
  } finally {
    closeSync(opened);
  }

  renameSync(half, file);
}
