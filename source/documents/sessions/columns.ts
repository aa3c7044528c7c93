import {sanitizeText} from '../../base/index.ts';

/** Rows as aligned columns; the last one is not padded, and is cut where a person's window ends. What is foreign in them cannot act on a terminal or begin a line. */
export function columns(
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

/** `3 s`, `5 min`, `2 h`, `4 d`: an age that is read at a glance. */
export function ageOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800
    ? `${Math.round(seconds / 3600)} h`
    : `${Math.round(seconds / 86_400)} d`;
}
