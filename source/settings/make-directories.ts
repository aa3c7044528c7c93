import {mkdirSync, statSync} from 'node:fs';
import path from 'node:path';

/** Makes a directory and those above it that are missing. Node's own `recursive` tries for ever below `/proc`, where what is to be made never is. */
export function makeDirectories(directory: string, mode: number): void {
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
    // Somebody else made it at the same moment.
    if (
      (error as NodeJS.ErrnoException).code !== 'EEXIST' ||
      statSync(directory, {throwIfNoEntry: false})?.isDirectory() !== true
    )
      throw error;
  }
}
