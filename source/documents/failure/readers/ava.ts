import {blockOf, linesUntil} from '../block-of.ts';
import {placeOf} from '../place.ts';
import type {Sighting} from '../sighting.ts';
import {firstFrom} from './scan.ts';

export function readAva(lines: readonly string[]): Sighting | undefined {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const uncaught = /^ {2}(?:Uncaught exception|Unhandled rejection) in (\S+)$/.exec(line)?.[1];
    if (uncaught !== undefined) {
      const {message, places} = blockOf(
        linesUntil(lines, at + 1, (end) => /^ {2}(?:✘|─)/.test(end)),
      );
      return {at, tool: 'ava', message, places: [...places, {file: uncaught}], excerpt: []};
    }

    if (/^ {2}✘ Timed out/.test(line)) return timeout(lines, at);
    const fail = /^ {2}✘ \[fail\]: (.+)$/.exec(line)?.[1];
    if (fail !== undefined) return failure(lines, at, fail);
  }

  return undefined;
}

/** The details follow the list, under `─`, each with the test's name as its title. */
function failure(lines: readonly string[], at: number, fail: string): Sighting {
  const ruler = firstFrom(lines, at, (line) => /^ {2}─+$/.test(line));
  const title =
    ruler === undefined ? undefined : firstFrom(lines, ruler + 1, (line) => line.trim() !== '', 5);
  if (title === undefined)
    return {at, tool: 'ava', test: fail, message: [], places: [], excerpt: []};
  const name = (lines[title] ?? '').trim();
  const body = linesUntil(
    lines,
    title + 1,
    (line) => /^ {2}(?:─+$|› )/.test(line) && !/^ {2}› \S+:\d+/.test(line),
  );
  const ends = body.findIndex((line) => /^ {2}› /.test(line));
  const own = ends === -1 ? untilGap(body) : body.slice(0, ends + 1);
  const place = placeOf(own.find((line) => line.trim() !== '') ?? '');
  const code = own.filter((line) => /^ {3}\d+: /.test(line));
  const rest = own.filter((line) => !/^ {3}\d+: /.test(line) && !/^ {2}\S+\.\w+:\d+$/.test(line));
  // An error is shown as an object first, and then with its stack.
  const stack = rest.findIndex((line) => /^\s*\w*(?:Error|Exception)\b.*: /.test(line));
  const block = blockOf(
    rest.some((line) => line.trim() === 'Error thrown in test:') && stack !== -1
      ? rest.slice(stack)
      : rest,
  );
  return {
    at,
    tool: 'ava',
    test: name,
    message: block.message,
    places: [...(place === undefined ? [] : [place]), ...block.places],
    excerpt: [...block.excerpt, ...code],
  };
}

/** Two failures are kept apart by two empty lines. */
function untilGap(body: readonly string[]): readonly string[] {
  const gap = body.findIndex((line, index) => index > 1 && line === '' && body[index + 1] === '');
  return gap === -1 ? body : body.slice(0, gap);
}

function timeout(lines: readonly string[], at: number): Sighting {
  const rest = lines.slice(at + 1, at + 12);
  const test = rest
    .map((line) => /^ {2}◌ (.+)$/.exec(line)?.[1])
    .find((name) => name !== undefined);
  const file = rest
    .map((line) => /pending in (\S+)$/.exec(line)?.[1])
    .find((name) => name !== undefined);
  return {
    at,
    tool: 'ava',
    ...(test !== undefined && {test}),
    message: [(lines[at] ?? '').trim().slice(2)],
    places: file === undefined ? [] : [{file}],
    excerpt: [],
  };
}
