import {statSync} from 'node:fs';

/** Tells two versions of a file apart without opening it; empty when there is none. Never throws: a circle of links has a print, too. */
export function filePrint(file: string): string {
  try {
    const found = statSync(file, {throwIfNoEntry: false, bigint: true});
    return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs}`;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
}
