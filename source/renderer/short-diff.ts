import {oneLine} from './one-line.ts';

/** The beginning of a change, each line behind its sign, and how much more there is. */
export function shortDiff(diff: string, most = 6): string[] {
  if (diff === '') return [];
  const lines = diff.slice(0, mostCharacters).split('\n');
  const shown = lines
    .slice(0, most)
    .map((line) =>
      `${/^[+-]/.test(line) ? line.charAt(0) : ' '} ${oneLine(line.replace(/^[+-]/, ''), 120)}`.trimEnd(),
    );
  return lines.length <= most && diff.length <= mostCharacters
    ? shown
    : [...shown, `… ${lines.length - most} more lines`];
}

const mostCharacters = 100_000;
