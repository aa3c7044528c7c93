import {showHiddenInJson} from '../hidden-characters.ts';

/** Data for programs: one object, in which nothing can act on a terminal. */
export function formatJson(data: unknown): string {
  return `${showHiddenInJson(JSON.stringify(data, undefined, 2))}\n`;
}
