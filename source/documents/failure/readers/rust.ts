import {excerptOf, linesUntil, placesOf} from '../block-of.ts';
import {place} from '../place.ts';
import type {Sighting} from '../sighting.ts';
import {lastBefore} from './scan.ts';
import {rustPanic} from './stack-traces.ts';

/** `---- module::test stdout ----` */
export function readCargoTest(lines: readonly string[]): Sighting | undefined {
  const entry = lines.findIndex((line) => /^---- .+ stdout ----$/.test(line));
  if (entry === -1) return undefined;
  const test = (lines[entry] ?? '').slice(5, -12);
  const at = lastBefore(lines, entry, (line) => /^running \d+ tests?$/.test(line)) ?? entry;
  const body = linesUntil(lines, entry + 1, (line) => /^(?:---- .+ ----|failures:)$/.test(line));
  const panic = body.findIndex((line) => line.includes(' panicked at '));
  const found = panic === -1 ? undefined : rustPanic(body, panic);
  if (found !== undefined)
    return {...found, at, tool: 'cargo test', test, excerpt: excerptOf(body.slice(0, panic), 6)};
  return {
    at,
    tool: 'cargo test',
    test,
    message: body.filter((line) => line !== '').slice(0, 8),
    places: placesOf(body),
    excerpt: [],
  };
}

/** `error[E0308]: …` with an arrow to its place. An error without a place is a summary (`could not compile`). */
export function readRustc(lines: readonly string[]): Sighting | undefined {
  for (let at = 0; at < lines.length; at += 1) {
    if (!/^error(?:\[E\d+\])?: /.test(lines[at] ?? '')) continue;
    const body = linesUntil(
      lines,
      at + 1,
      (line) => line === '' || /^(?:error|warning)\b/.test(line),
      40,
    );
    const arrow = body.findIndex((line) => /^\s*--> /.test(line));
    const [, file, line, column] = /^\s*--> (.+):(\d+):(\d+)$/.exec(body[arrow] ?? '') ?? [];
    if (arrow === -1 || arrow > 3 || file === undefined) continue;
    return {
      at,
      tool: 'rustc',
      message: [lines[at] ?? '', ...body.slice(0, arrow)],
      places: [place(file, line, column)],
      excerpt: excerptOf(
        body.slice(arrow + 1).filter((text) => !/^\s*\|$/.test(text)),
        12,
      ),
    };
  }

  return undefined;
}
