import {namesIn as boundedNamesIn} from '../files/index.ts';

/** What stands in a directory of our own, in order; nothing when it is not there or may not be read. */
export function namesIn(directory: string): string[] {
  return boundedNamesIn(directory, {maxEntries: 1_000_000, links: 'follow'});
}
