import {blockOf, linesUntil} from '../block-of.ts';
import type {Sighting} from '../sighting.ts';
import {lastBefore} from './scan.ts';

/** `1) Class::test` under `There was 1 failure:`, or the drawing of --testdox. */
export function readPhpunit(lines: readonly string[]): Sighting | undefined {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const listed = /^1\) (\S+::\S.*)$/.exec(line)?.[1];
    const drawn = /^ ✘ (.+?)(?: \[[\d.]+ ms\])?$/.exec(line)?.[1];
    if (listed !== undefined)
      return {
        ...found(
          lines,
          at,
          linesUntil(lines, at + 1, (end) => /^(?:\d+\) \S+::|(?:FAILURES|ERRORS)!|--$)/.test(end)),
        ),
        test: listed,
      };
    if (drawn === undefined || !/^ {3}[│┐]/.test(lines[at + 1] ?? '')) continue;
    const suite = lastBefore(lines, at, (before) => /^\S/.test(before));
    const body = linesUntil(lines, at + 1, (end) => !/^ {3}[│┐├┴╵┊]/.test(end)).map((text) =>
      text.replace(/^ {3}. ?/, ''),
    );
    return {...found(lines, at, body), test: `${lines[suite ?? -1] ?? ''} > ${drawn}`};
  }

  return undefined;
}

function found(lines: readonly string[], at: number, body: readonly string[]): Sighting {
  return {
    at: lastBefore(lines, at, (line) => line.startsWith('PHPUnit ')) ?? at,
    tool: 'phpunit',
    ...blockOf(body),
  };
}
