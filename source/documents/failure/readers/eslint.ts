import {place} from '../place.ts';
import type {Sighting} from '../sighting.ts';

/** A file, and its problems indented below it. Warnings count only when nothing else is there (`--max-warnings`). */
export function readEslintStylish(lines: readonly string[]): Sighting | undefined {
  let file: string | undefined;
  let warning: Sighting | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^[^\s✖].*\.\w+$/.test(line)) file = line;
    if (line === '') file = undefined;
    if (file === undefined) continue;
    const [, number, column, level, text = ''] =
      /^\s+(\d+):(\d+)\s+(error|warning)\s+(.+)$/.exec(line) ?? [];
    if (level === undefined || (level === 'warning' && warning !== undefined)) continue;
    const found: Sighting = {
      at,
      tool: 'eslint',
      message: [text.trim().replace(/\s{2,}(\S+)$/, ' ($1)')],
      places: [place(file, number, column)],
      excerpt: [],
    };
    if (level === 'error') return found;
    warning = found;
  }

  return lines.some((line) => line.startsWith('ESLint found too many warnings'))
    ? warning
    : undefined;
}
