import {sanitizeText, showHiddenInJson} from '../shared/index.ts';

export type TextOptions = {readonly width: number; readonly color?: boolean};

/** What a text is for. Colour only underlines it: the text says the same without. */
export type TextTone = 'title' | 'needs' | 'bad' | 'good' | 'quiet';

export type Paint = (text: string, tone: TextTone) => string;

export function createPaint(color: boolean | undefined): Paint {
  if (color !== true) return (text) => text;
  return (text, tone) => `\u001B[${codes[tone]}m${text}\u001B[0m`;
}

const codes: Readonly<Record<TextTone, number>> = {
  title: 1,
  needs: 33,
  bad: 31,
  good: 32,
  quiet: 2,
};

/**
 * Rows as aligned columns. The last column is not padded, and lines are cut at `width`. Cells are
 * sanitised and stay on one line.
 */
export function formatColumns(
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string {
  const safe = rows.map((row) => row.map((cell) => sanitizeText(cell.replaceAll(/\s+/g, ' '))));
  const widths = (safe[0] ?? []).map((_, index) =>
    Math.max(...safe.map((row) => (row[index] ?? '').length)),
  );
  const lines = safe.map((row) =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return lines
    .map((line) => `${line.length > width ? `${line.slice(0, width - 1)}…` : line}\n`)
    .join('');
}

/** A short age: `3 s`, `5 min`, `2 h`, `4 d`. */
export function formatAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800
    ? `${Math.round(seconds / 3600)} h`
    : `${Math.round(seconds / 86_400)} d`;
}

/** Somebody else's text as one sanitised line. */
export function toSafeLine(text: string): string {
  return sanitizeText(text.replaceAll(/\s+/g, ' ').trim());
}

/** Data for programs as JSON, with hidden characters escaped. */
export function formatJson(data: unknown): string {
  return `${showHiddenInJson(JSON.stringify(data, undefined, 2))}\n`;
}
