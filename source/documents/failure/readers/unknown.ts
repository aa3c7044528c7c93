import {excerptOf, linesUntil} from '../block-of.ts';
import {place, placeOf} from '../place.ts';
import type {Place, Sighting} from '../sighting.ts';

/** The first line that says `error`; where none does, the first that speaks of a failure in other words. */
export function readErrorLine(lines: readonly string[]): Sighting | undefined {
  let weak: number | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.length < 4 || harmless.test(line) || isWrapper(line)) continue;
    if (strong.test(line)) return errorAt(lines, at);
    if (weak === undefined && weakly.test(line)) weak = at;
  }

  return weak === undefined ? undefined : errorAt(lines, weak);
}

const strong =
  /^\W{0,10}(?:error|fatal|failure|panic|critical|uncaught|unhandled)\b(?:\W|$)|\b(?:error|fatal): |\[(?:error|fatal)\]|\bAssertion .* failed\b|\bERROR\b|\bFATAL\b|Segmentation fault/i;
const weakly =
  /\b(?:errors?|fails?(?!-)|failed|failure|failing|exception|cannot|can't|could not|couldn't|unable to|not found|no such file|denied|refused|invalid|undefined|unexpected|mismatch|aborted|killed|timed out|missing)\b/i;
const harmless =
  /\b(?:0|no|without) (?:errors?|fails?|failures?|failed|failing)\b|\bwarning\b|\bfail(?:ed|ures?|ing)?: ?0\b|\berrors?: ?0\b/i;

/** Their own readers know them; what came before is more telling. */
function isWrapper(line: string): boolean {
  return /^(?:npm (?:error|ERR!)|g?make(?:\[\d+\])?: \*\*\* |\S+:\d+: \*\*\* |> )/.test(line);
}

function errorAt(lines: readonly string[], at: number): Sighting {
  const line = (lines[at] ?? '').trim();
  const after = linesUntil(lines, at + 1, isWrapper, 10);
  return {
    at,
    tool: 'unknown',
    message: [line],
    places: [...spokenPlace(line), ...[line, ...after].flatMap((text) => placeOf(text) ?? [])],
    excerpt: excerptOf(after, 6),
  };
}

/** `check.sh: line 2: …` of shells. */
function spokenPlace(line: string): Place[] {
  const [, file, number] = /^(\S+): line (\d+): /.exec(line) ?? [];
  return file === undefined || !/\.\w+$/.test(file) ? [] : [place(file, number)];
}

/** Nothing looks like an error: the end of the log is all there is to say. */
export function readTail(lines: readonly string[]): Sighting {
  const kept: string[] = [];
  for (let index = lines.length - 1; index >= 0 && kept.length < 10; index -= 1)
    if (lines[index]?.trim() !== '') kept.unshift(lines[index] ?? '');
  if (kept.length === 0)
    return {
      at: 0,
      tool: 'unknown',
      message: ['It failed and printed nothing.'],
      places: [],
      excerpt: [],
    };
  return {
    at: 0,
    tool: 'unknown',
    message: ['No line of the log speaks of an error. It ends with:'],
    places: [],
    excerpt: kept,
  };
}
