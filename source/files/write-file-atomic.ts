import path from 'node:path';
import {randomBytes} from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {errorCode, errorText} from '../shared/index.ts';
import {openDirectory} from './open-directory.ts';
import {makeDirectories} from './make-directories.ts';

export type WriteOptions = {
  /** `usual`: the mode that new files of this process get. @default 0o600 */
  readonly mode?: number | 'usual';
  /**
   * A trusted directory: no part of the path below it may be a link. Missing directories below it
   * are made.
   */
  readonly below?: string;
  /** Synced before it gets its name. */
  readonly isDurable?: boolean;
  /** Fails if there is anything of that name, also a link to nothing. */
  readonly isNew?: boolean;
};

const systemCall =
  /, (?:open|write|lstat|stat|scandir|rename|mkdir|unlink|read|realpath|readlink|chmod)/;

/**
 * Writes a file whole or not at all. An existing file is replaced, never written through, so that a
 * planted link or pipe is neither followed nor waited for. Throws when it cannot.
 */
export function writeFileAtomic(
  file: string,
  content: Uint8Array | string,
  {mode = 0o600, below, isDurable = false, isNew = false}: WriteOptions = {},
): void {
  if (below === undefined) {
    writeIn(path.dirname(file), file, content, {mode, isDurable, isNew});
    return;
  }

  makeDirectories(path.dirname(file), {below});
  const place = openDirectory(below, path.dirname(file));
  if (place.at === 'refused') throw new Error(`${file} cannot be written: it ${place.message}`);
  try {
    writeIn(place.name, file, content, {mode, isDurable, isNew});
  } finally {
    place.close();
  }
}

function writeIn(
  place: string,
  file: string,
  content: Uint8Array | string,
  {mode, isDurable, isNew}: Required<Omit<WriteOptions, 'below'>>,
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

    // Unlike renaming, a hard link never replaces what is there.
    if (isNew) {
      linkSync(temporary.path, path.join(place, name));
      rmSync(temporary.path, {force: true});
    } else {
      renameSync(temporary.path, path.join(place, name));
    }
  } catch (error) {
    rmSync(temporary.path, {force: true});
    if (errorCode(error) === 'EEXIST')
      throw new Error(`${file} is there already; nothing was written`, {cause: error});
    if (errorCode(error) === 'EISDIR')
      throw new Error(`${file} cannot be written: a directory is in its place. Remove it`, {
        cause: error,
      });
    throw error;
  }
}

/**
 * Uses one fixed name, so that a crash leaves at most one file behind; a random one if that name
 * stays taken.
 */
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
        errorCode(error) ?? '',
      );
      if (!isTaken || count === 3) throw error;
    }
  }
}

/** Writes a file atomically. Returns what went wrong as text, or undefined on success. */
export function tryWriteFile(file: string, content: string): string | undefined {
  try {
    writeFileAtomic(file, content);
    return undefined;
  } catch (error) {
    return formatSystemError(error);
  }
}

/**
 * Removes a file if it can. A file that cannot be removed cannot be replaced either, so the write
 * that follows fails.
 */
export function tryRemoveFile(file: string): void {
  try {
    rmSync(file, {force: true});
  } catch {
    // The write that follows reports it.
  }
}

/** A system error as short text, without the call and the paths that Node appends. */
export function formatSystemError(error: unknown): string {
  const message = errorText(error);
  return message.split(systemCall, 1)[0] ?? message;
}
