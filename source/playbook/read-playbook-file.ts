import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs';
import {mostBytes} from '../documents/index.ts';
import {wordsOf} from './words-of.ts';

/** The bytes of the playbook, and one more than may be read when it is too long: its reader says so. */
export function readPlaybookFile(file: string): {readonly bytes: Uint8Array} | {readonly refused: string} {
  try {
    // A pipe without a writer would hold us up for ever.
    const opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!fstatSync(opened).isFile()) return {refused: `Expected a playbook in ${file}, got something that is not a file.`};
      return {bytes: readUpTo(opened, mostBytes + 1)};
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    return {refused: `Expected a playbook in ${file}, but it cannot be read: ${wordsOf(error)}.`};
  }
}

function readUpTo(opened: number, most: number): Uint8Array {
  const bytes = new Uint8Array(most);
  let length = 0;
  for (;;) {
    const count = readSync(opened, bytes, length, most - length, null);
    length += count;
    if (count === 0 || length === most) return bytes.subarray(0, length);
  }
}
