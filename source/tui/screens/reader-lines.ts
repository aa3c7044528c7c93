import type {HouseRow} from '../model/house-rows.ts';
import {line, type Line} from '../model/line.ts';

/** The task list for a screen reader: a sentence for each row, and in words which one is chosen. */
export function readerLines(rows: readonly HouseRow[], selected: string, height: number): Line[] {
  if (rows.length === 0) return [line('Nothing runs here.')];
  const at = Math.max(
    0,
    rows.findIndex(({key}) => key === selected),
  );
  const top = Math.max(0, Math.min(at - Math.floor(height / 2), rows.length - height));
  return rows
    .slice(top, top + height)
    .map(({key, kind, name, title, words}, index) =>
      line(
        `${top + index + 1} of ${rows.length}${key === selected ? ', chosen' : ''}: ${kind} ${name}${title === '' ? '' : ` ${title}`}: ${words}`,
      ),
    );
}
