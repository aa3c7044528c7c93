import {blockOf, indentOf, linesUntil} from '../block-of.ts';
import {placeOf} from '../place.ts';
import type {Place, Sighting} from '../sighting.ts';
import {firstFrom, lastBefore} from './scan.ts';
import {lastTraceBefore} from './stack-traces.ts';

const failed = /^(\s*)✖ (.+?)(?: \([\d.]+ms\))$/;

/** The spec reporter (and dot): `✖ test (1.2ms)`, its error below it, or in the list at the end. */
export function readNodeTest(lines: readonly string[]): Sighting | undefined {
  const at = lines.findIndex((line) => failed.test(line));
  if (at === -1) return undefined;
  const list = firstFrom(lines, at, (line) => line === '✖ failing tests:');
  const listed =
    list === undefined ? undefined : firstFrom(lines, list + 1, (line) => failed.test(line));
  const entry = hasError(lines, at) || listed === undefined ? at : listed;
  const name = failed.exec(lines[at] ?? '')?.[2] ?? '';
  const body = linesUntil(
    lines,
    entry + 1,
    (line) => line.trim() !== '' && indentOf(line) <= indentOf(lines[entry] ?? ''),
  );
  const block = blockOf(body);
  // A file that fails as a whole: why is what it printed before.
  const trace = /^'?test failed'?$/.test(block.message[0] ?? '')
    ? lastTraceBefore(lines, at)
    : undefined;
  if (trace !== undefined) return {...trace, at: Math.min(trace.at, at), tool: 'node:test'};
  return {
    at,
    tool: 'node:test',
    test: [...suitesOf(lines, at), name].join(' > '),
    message: block.message,
    excerpt: block.excerpt,
    places: [...block.places, ...declared(lines, listed)],
  };
}

function hasError(lines: readonly string[], at: number): boolean {
  return indentOf(lines[at + 1] ?? '') > indentOf(lines[at] ?? '');
}

function suitesOf(lines: readonly string[], at: number): string[] {
  const suites: string[] = [];
  let indent = indentOf(lines[at] ?? '');
  for (let index = at - 1; index >= 0 && indent > 0; index -= 1) {
    const suite = /^\s*▶ (.+)$/.exec(lines[index] ?? '')?.[1];
    if (suite === undefined || indentOf(lines[index] ?? '') >= indent) continue;
    suites.unshift(suite);
    indent = indentOf(lines[index] ?? '');
  }

  return suites;
}

/** `test at test/two.js:4:1`, above the entry of the list. */
function declared(lines: readonly string[], listed: number | undefined): Place[] {
  const line =
    listed === undefined
      ? undefined
      : lastBefore(lines, listed, (before) => before.startsWith('test at '));
  const found = line === undefined ? undefined : placeOf(lines[line] ?? '');
  return found === undefined ? [] : [found];
}
