import {rmSync} from 'node:fs';
import {errorText} from '../shared/index.ts';
import {writeFileAtomic} from './write-file-atomic.ts';

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

const systemCall =
  /, (?:open|write|lstat|stat|scandir|rename|mkdir|unlink|read|realpath|readlink|chmod)/;
