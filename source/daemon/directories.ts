import {statSync} from 'node:fs';
import {namesIn} from '../files/index.ts';

/**
 * The entries of a directory that only the daemon writes, sorted; none if it is missing or
 * unreadable.
 */
export function listOwnNames(directory: string): string[] {
  return namesIn(directory, {maxEntries: 1_000_000, links: 'follow'});
}

/** Follows links. */
export function isDirectory(directory: string): boolean {
  return statSync(directory, {throwIfNoEntry: false})?.isDirectory() === true;
}
