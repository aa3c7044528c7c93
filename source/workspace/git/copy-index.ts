import {copyFileSync, statSync, utimesSync} from 'node:fs';

/** A copy that git believes no more than the index itself. */
export function copyIndex(from: string, to: string): void {
  copyFileSync(from, to);
  dateAs(from, to);
}

/**
 * Git looks at the content of a file only if it may have been written in the second in which its index was written: it compares the
 * file's time with the index's. With a later time a copy of the index would hide what changed in that second and kept its size.
 */
export function dateAs(from: string, to: string): void {
  const second = Math.floor(statSync(from).mtimeMs / 1000);
  utimesSync(to, second, second);
}
