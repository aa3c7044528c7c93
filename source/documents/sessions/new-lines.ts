import {plainOutputOf} from '../plain-output-of.ts';

/** Lines that were printed before, as far as they are remembered. */
export type SeenLines = ReadonlySet<string>;

const max = {lines: 2000, characters: 300};

/**
 * Whether output says something that was not said before, and what is remembered from then on. A spinner that turns, a clock that
 * goes on and a service that is asked again are nothing new; numbers that count something are.
 */
export function newLines(
  seen: SeenLines,
  output: string,
): {readonly isNew: boolean; readonly seen: SeenLines} {
  // What is drawn over a line comes after a carriage return.
  const lines = plainOutputOf(output)
    .split(/[\r\n]+/)
    .map(essenceOf)
    .filter((line) => line !== '');
  const fresh = [...new Set(lines)].filter((line) => !seen.has(line));
  return {
    isNew: fresh.some((line) => !isRetry.test(line)),
    seen: fresh.length === 0 ? seen : new Set([...seen, ...fresh].slice(-max.lines)),
  };
}

const isRetry =
  /\bretrying\b|\breconnecting\b|\bwill retry\b|\btrying again\b|\bretry (?:in|after)\b|\bbacking off\b/i;

/** A line without what moves by itself. */
function essenceOf(line: string): string {
  return line
    .slice(0, max.characters)
    .replaceAll(/[\u2800-\u28FF|/\\\-–—◐◓◑◒●○◉◌⏳⌛✶✳✢✻✽·•.…*+]/gu, ' ')
    .replaceAll(
      /\b\d{1,2}:\d\d(?::\d\d)?\b|\b\d+(?:[.,]\d+)?\s?(?:ms|s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?)\b/gi,
      ' ',
    )
    .replaceAll(/\s+/g, ' ')
    .trim();
}
