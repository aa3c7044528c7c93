import {blockOf, linesUntil} from '../block-of.ts';
import {place, placeOf} from '../place.ts';
import type {Sighting} from '../sighting.ts';
import {firstFrom, lastBefore} from './scan.ts';

/** The list under `2 failing`; its titles stand on several lines and end with a colon. */
export function readMocha(lines: readonly string[]): Sighting | undefined {
  const exception = lines.findIndex((line) => /^\s*Exception during run: /.test(line));
  if (exception !== -1) return crash(lines, exception);
  const failing = lines.findIndex((line) => /^ {2}\d+ failing$/.test(line));
  if (failing === -1) return undefined;
  const entry = firstFrom(lines, failing + 1, (line) => /^ {2}1\) \S/.test(line), 5);
  if (entry === undefined) return undefined;
  const last = firstFrom(lines, entry, (line) => line.endsWith(':'), 20) ?? entry;
  const titles = lines.slice(entry, last + 1).map((line) => line.trim());
  const test = titles.join(' > ').replace(/^1\) /, '').replace(/:$/, '');
  const summary = lastBefore(lines, failing, (line) => /^\s*\d+ passing\b/.test(line)) ?? failing;
  const inline = firstFrom(lines, runStart(lines, summary), (line) => /^\s+1\) \S/.test(line));
  const block = blockOf(
    linesUntil(
      lines,
      last + 1,
      (line) => /^ {2}2\) \S/.test(line) || /^npm (?:error|ERR!)/.test(line),
    ),
  );
  // A test that took too long has no frame; its file stands in the message.
  const [, file] = /^Error: Timeout .* \((\S+)\)$/.exec(block.message[0] ?? '') ?? [];
  return {
    at: Math.min(inline ?? failing, failing),
    tool: 'mocha',
    test,
    ...block,
    places: [...block.places, ...(file === undefined ? [] : [place(file)])],
  };
}

/** What npm printed before the tests is not the list of mocha. */
function runStart(lines: readonly string[], summary: number): number {
  return lastBefore(lines, summary, (line) => line.startsWith('> ')) ?? 0;
}

function crash(lines: readonly string[], at: number): Sighting {
  const body = linesUntil(lines, at, () => false, 40).map((line, index) =>
    index === 0 ? line.replace(/^\s*Exception during run: /, '') : line,
  );
  const error = body.findIndex((line) => /^\w*Error\b/.test(line));
  const {message, places} = blockOf(body.slice(Math.max(error, 0)));
  const spoken = placeOf(body[0] ?? '');
  return {
    at,
    tool: 'mocha',
    message,
    places: [...(spoken === undefined ? [] : [spoken]), ...places],
    excerpt: error > 0 ? body.slice(1, error).filter((line) => line.trim() !== '') : [],
  };
}
