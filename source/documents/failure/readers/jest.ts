import {blockOf, linesUntil} from '../block-of.ts';
import {placeOf} from '../place.ts';
import type {Sighting} from '../sighting.ts';
import {firstFrom} from './scan.ts';

/** `FAIL file`, and under it `  ● test`. */
export function readJest(lines: readonly string[]): Sighting | undefined {
  for (let fail = 0; fail < lines.length; fail += 1) {
    const file = /^ ?FAIL +(?:\S+ )?(\S+\.\w+)(?: \([\d.]+ m?s.*\))?$/.exec(lines[fail] ?? '')?.[1];
    if (file === undefined) continue;
    const bullet = firstFrom(
      lines,
      fail + 1,
      (line) => /^ {2}● (?!Console$)/.test(line) || isNextFile(line),
    );
    if (bullet === undefined || isNextFile(lines[bullet] ?? '')) continue;
    const test = (lines[bullet] ?? '').slice(4);
    const body = linesUntil(
      lines,
      bullet + 1,
      (line) =>
        /^ {2}● /.test(line) ||
        isNextFile(line) ||
        /^(?:Test Suites:| › |Snapshot Summary)/.test(line),
    );
    const details = body.findIndex((line) => line.trim() === 'Details:');
    const block = blockOf(details === -1 ? body : body.slice(details + 1));
    // Without a frame of its own (a file that cannot be parsed) the message tells the place.
    const places = [
      ...block.places,
      ...block.message.flatMap((line) => placeOf(line) ?? []),
      {file},
    ];
    return {
      at: fail,
      tool: 'jest',
      ...block,
      test: test === 'Test suite failed to run' ? file : `${file} › ${test}`,
      places,
    };
  }

  return undefined;
}

function isNextFile(line: string): boolean {
  return /^ ?(?:FAIL|PASS) +\S/.test(line);
}
