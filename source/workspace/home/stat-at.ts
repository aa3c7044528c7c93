import {lstatSync, type Stats} from 'node:fs';

/** What is at a path; undefined for nothing, also where a file stands in the place of its directory. */
export function statAt(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
