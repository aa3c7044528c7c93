import {blockOf, linesUntil} from '../block-of.ts';
import type {Sighting} from '../sighting.ts';
import {lastBefore} from './scan.ts';

/** The first entry of `Failed Suites`, `Failed Tests` or `Unhandled Errors`; vitest lists them in this order, each in order of time. */
export function readVitest(lines: readonly string[]): Sighting | undefined {
  const section = lines.findIndex((line) =>
    /^⎯{2,} ?(?:Failed (?:Suites|Tests) \d+|Unhandled (?:Rejection|Error|Exception)\b|Uncaught Exception|Startup Error|Typecheck Error)/.test(
      line,
    ),
  );
  if (section === -1) return undefined;
  const header = lastBefore(lines, section, (line) => / (?:RUN|DEV) {2}v\d/.test(line));
  let start = section + 1;
  // One error in several tests is printed once, under all their names.
  const names: string[] = [];
  for (; start < lines.length; start += 1) {
    const name = /^ FAIL {2}(.+)$/.exec(lines[start] ?? '')?.[1];
    if (name === undefined && lines[start]?.trim() !== '') break;
    if (name !== undefined) names.push(name);
  }

  const test = names[0]?.replace(/ \[ .* \]$/, '');
  const block = blockOf(
    linesUntil(lines, start, (line) => /^⎯{3,}/.test(line) || line.startsWith(' FAIL  ')),
  );
  return {
    at: header ?? section,
    tool: 'vitest',
    ...block,
    ...(test !== undefined && {test}),
    places: [...parseError(lines, start), ...block.places],
  };
}

/** A file that cannot be parsed is pointed at by a drawing, and the frames are all those of the tool. */
function parseError(lines: readonly string[], start: number): Sighting['places'] {
  const drawing = lines
    .slice(start, start + 12)
    .find((line) => /^\s*╭─\[ \S+:\d+:\d+ \]$/.test(line));
  const [, file, line, column] = /\[ (\S+):(\d+):(\d+) \]/.exec(drawing ?? '') ?? [];
  return file === undefined ? [] : [{file, line: Number(line), column: Number(column)}];
}
