import {randomBytes} from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {openPlace} from './open-place.ts';
import {codeOf} from './refusal.ts';

export type WriteOptions = {
  /** `usual`: what new files of this process get. @default 0o600 */
  readonly mode?: number | 'usual';
  /** A directory that is trusted: below it no part of the path may be a link. Directories that are missing below it are made. */
  readonly below?: string;
  /** On the disk before it has its name. */
  readonly isDurable?: boolean;
};

/**
 * Writes a file whole or not at all: what stood at its name is replaced, never written through, so that neither a link nor a pipe
 * that somebody put there is followed or waited for. Throws when it cannot.
 */
export function writeWhole(
  file: string,
  content: Uint8Array | string,
  {mode = 0o600, below, isDurable = false}: WriteOptions = {},
): void {
  if (below === undefined) {
    writeIn(path.dirname(file), file, content, {mode, isDurable});
    return;
  }

  makeDirectories(path.dirname(file), {below});
  const place = openPlace(below, path.dirname(file));
  if (place.at === 'refused') throw new Error(`${file} cannot be written: it ${place.message}`);
  try {
    writeIn(place.name, file, content, {mode, isDurable});
  } finally {
    place.close();
  }
}

/** Makes the directories that are missing below a trusted one. Throws where a link or a file is in the way. */
export function makeDirectories(
  directory: string,
  {below, mode = 0o700}: {readonly below: string; readonly mode?: number},
): void {
  const parts = path
    .relative(below, directory)
    .split(path.sep)
    .filter((part) => part !== '');
  mkdirSync(below, {recursive: true, mode});
  for (let count = 0; count <= parts.length; count++) {
    const current = path.join(below, ...parts.slice(0, count));
    const place = openPlace(below, current);
    if (place.at === 'refused')
      throw new Error(
        `${directory} cannot be made: it ${place.message}. Remove what is in the way`,
      );
    try {
      const next = parts[count];
      if (next !== undefined) makeOne(path.join(place.name, next), mode);
    } finally {
      place.close();
    }
  }
}

function makeOne(directory: string, mode: number): void {
  try {
    mkdirSync(directory, {mode});
  } catch (error) {
    // What it is that is there, is looked at next.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function writeIn(
  place: string,
  file: string,
  content: Uint8Array | string,
  {mode, isDurable}: {readonly mode: number | 'usual'; readonly isDurable: boolean},
): void {
  const name = path.basename(file);
  const temporary = createTemporary(place, name, mode === 'usual' ? 0o666 : mode);
  try {
    try {
      writeFileSync(temporary.opened, content);
      if (mode !== 'usual') fchmodSync(temporary.opened, mode);
      if (isDurable) fsyncSync(temporary.opened);
    } finally {
      closeSync(temporary.opened);
    }

    renameSync(temporary.path, path.join(place, name));
  } catch (error) {
    rmSync(temporary.path, {force: true});
    if (codeOf(error) === 'EISDIR')
      throw new Error(`${file} cannot be written: a directory is in its place. Remove it`, {
        cause: error,
      });
    throw error;
  }
}

/** The same name each time, so that a crash leaves at most one behind; another one where somebody keeps that name taken. */
function createTemporary(
  place: string,
  name: string,
  mode: number,
): {readonly path: string; readonly opened: number} {
  const usual = `.${name.slice(0, 200)}.tmp`;
  for (let count = 0; ; count++) {
    const temporary = path.join(
      place,
      count === 0 ? usual : `${usual}-${randomBytes(6).toString('hex')}`,
    );
    try {
      rmSync(temporary, {force: true});
      return {
        path: temporary,
        opened: openSync(
          temporary,
          constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
          mode,
        ),
      };
    } catch (error) {
      const isTaken = ['EEXIST', 'EISDIR', 'ERR_FS_EISDIR', 'ENOTEMPTY', 'EPERM'].includes(
        codeOf(error) ?? '',
      );
      if (!isTaken || count === 3) throw error;
    }
  }
}
