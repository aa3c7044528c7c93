import {lutimesSync, statSync} from 'node:fs';
import {copyRegularFile, type FileRefusal} from '../../files/index.ts';

/** As many files as git itself can hold. */
const maxBytes = 4 * 1024 ** 3;

/** A copy that git believes no more than the index itself. Throws where there is no index. */
export function copyIndex(from: string, to: string): void {
  const result = tryCopyIndex(from, to);
  if (result.at === 'refused') throw new Error(`${from} ${result.message}`);
}

/** The same of an index that an agent may have exchanged for something else. */
export function tryCopyIndex(from: string, to: string): {readonly at: 'copied'} | FileRefusal {
  const result = copyRegularFile(from, to, {maxBytes});
  if (result.at === 'copied') dateAs(from, to);
  return result;
}

/**
 * Git looks at the content of a file only if it may have been written in the second in which its index was written: it compares the
 * file's time with the index's. With a later time a copy of the index would hide what changed in that second and kept its size.
 */
export function dateAs(from: string, to: string): void {
  const second = Math.floor(statSync(from).mtimeMs / 1000);
  lutimesSync(to, second, second);
}
