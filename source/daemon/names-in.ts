import {readdirSync} from 'node:fs';

/** What stands in a directory, in order; nothing when it is not there or may not be read. */
export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory).toSorted();
  } catch {
    return [];
  }
}
