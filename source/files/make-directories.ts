import path from 'node:path';
import {mkdirSync, statSync} from 'node:fs';
import {errorCode} from '../shared/index.ts';
import {openDirectory} from './open-directory.ts';

export type MakeDirectoriesOptions = {
  /**
   * A trusted directory: no part of the path below it may be a link. Without it links are followed.
   */
  readonly below?: string;
  /** Of each directory that is made. @default 0o700 */
  readonly mode?: number;
};

/**
 * Makes a directory and its missing parents. Throws where a file, or below `below` a link, is in
 * the way.
 */
export function makeDirectories(
  directory: string,
  {below, mode = 0o700}: MakeDirectoriesOptions = {},
): void {
  makeParents(below ?? directory, mode);
  if (below === undefined) return;
  const parts = path
    .relative(below, directory)
    .split(path.sep)
    .filter((part) => part !== '');
  for (let count = 0; count <= parts.length; count++) {
    const place = openDirectory(below, path.join(below, ...parts.slice(0, count)));
    if (place.at === 'refused')
      throw new Error(`${directory} cannot be created: it ${place.message}. Remove what is there`);
    try {
      const next = parts[count];
      if (next !== undefined) makeUnlessThere(path.join(place.name, next), mode);
    } finally {
      place.close();
    }
  }
}

/** What is there already, a directory, a file or a link, is checked by the next `openDirectory`. */
function makeUnlessThere(directory: string, mode: number): void {
  try {
    mkdirSync(directory, {mode});
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Node's own `recursive` never returns below `/proc`, where no directory can be made. */
function makeParents(directory: string, mode: number): void {
  const missing: string[] = [];
  for (
    let at = directory;
    statSync(at, {throwIfNoEntry: false}) === undefined && path.dirname(at) !== at;
    at = path.dirname(at)
  )
    missing.unshift(at);
  for (const one of missing) makeOne(one, mode);
}

function makeOne(directory: string, mode: number): void {
  try {
    mkdirSync(directory, {mode});
  } catch (error) {
    // Another process may have made it since the check.
    const isThere =
      errorCode(error) === 'EEXIST' &&
      statSync(directory, {throwIfNoEntry: false})?.isDirectory() === true;
    if (!isThere) throw error;
  }
}
