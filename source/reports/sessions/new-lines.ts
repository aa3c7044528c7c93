import {toPlainOutput} from '../../shared/index.ts';

/** The most recent lines that were printed before. */
export type SeenLines = ReadonlySet<string>;

const max = {lines: 2000, characters: 300};

/**
 * Whether output has a line that was not printed before, and the lines to remember from now on. A
 * turning spinner, a running clock and a retry message are not new; a changed counter is.
 */
export function newLines(
  seen: SeenLines,
  output: string,
): {readonly isNew: boolean; readonly seen: SeenLines} {
  // A line that is drawn over starts after a carriage return.
  const lines = toPlainOutput(output)
    .split(/[\r\n]+/)
    .map(normalizeLine)
    .filter((line) => line !== '');
  const fresh = [...new Set(lines)].filter((line) => !seen.has(line));
  return {
    isNew: fresh.some((line) => !isRetry.test(line)),
    seen: fresh.length === 0 ? seen : new Set([...seen, ...fresh].slice(-max.lines)),
  };
}

const isRetry =
  /\bretrying\b|\breconnecting\b|\bwill retry\b|\btrying again\b|\bretry (?:in|after)\b|\bbacking off\b/i;

/** A line without spinners, times and durations. */
function normalizeLine(line: string): string {
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
