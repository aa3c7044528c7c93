import {sanitizeText} from '../../base/index.ts';

/** Rows as aligned columns; the last one is not padded. What is foreign in them cannot act on a terminal or begin a line. */
export function columns(rows: readonly (readonly string[])[]): string {
  const safe = rows.map((row) => row.map((cell) => sanitizeText(cell.replaceAll(/\s+/g, ' '))));
  const widths = (safe[0] ?? []).map((_, index) => Math.max(...safe.map((row) => (row[index] ?? '').length)));
  return safe.map((row) => `${row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join('  ').trimEnd()}\n`).join('');
}

/** `3 s`, `5 min`, `2 h`, `4 d`: an age that is read at a glance. */
export function ageOf(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}
