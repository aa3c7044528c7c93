import {excerpt} from '../excerpt.ts';

/** A path for a sentence: on one line, and nothing in it hidden. */
export function shownPath(path: string): string {
  return excerpt(path.replaceAll('\n', String.raw`\n`).replaceAll('\t', String.raw`\t`), 200);
}

/** `a.ts`, or `a.ts and 3 more`. */
export function shownPaths(paths: readonly string[]): string {
  const [first = '', ...rest] = paths;
  return rest.length === 0 ? shownPath(first) : `${shownPath(first)} and ${rest.length} more`;
}
