import {toNfc} from '../to-nfc.ts';

/**
 * A path as globs are tried on it: in the spelling in which plans and rules are kept, and without the characters that a
 * wildcard passes over. picomatch's `**` is made of dots, and a dot matches no line end: `src/api/**` would miss a file
 * whose name has one.
 */
export function matchable(path: string): string {
  return toNfc(path).replaceAll(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]/g, '\uFFFD');
}
