import type {HouseRow} from '../model/house-rows.ts';
import {blank, ends, fill, fitLine, span, underCursor, type Line} from '../model/line.ts';
import type {Rect} from '../render/rect.ts';

type Entry = {readonly lines: readonly Line[]; readonly key: string};

/** The task list: each run with its tasks, then sessions, then services. Where there is room each has a line for how it fares. What is chosen stays in sight. */
export function listLines(
  rows: readonly HouseRow[],
  selected: string,
  size: Pick<Rect, 'columns' | 'rows'>,
): Line[] {
  const {columns} = size;
  return fill(
    entriesInSight(rows, selected, size).map(({line, key, index}) =>
      key !== '' && key === selected
        ? index === 0
          ? underCursor(line, columns)
          : fitLine(line, columns).map(({text}) => span(text, 'cursor'))
        : line,
    ),
    size,
  );
}

/** Whose line it is. */
export function listKeyAt(
  rows: readonly HouseRow[],
  selected: string,
  size: Pick<Rect, 'columns' | 'rows'>,
  line: number,
): string | undefined {
  const key = entriesInSight(rows, selected, size)[line]?.key;
  return key === '' ? undefined : key;
}

function entriesInSight(
  rows: readonly HouseRow[],
  selected: string,
  {columns, rows: height}: Pick<Rect, 'columns' | 'rows'>,
): {readonly line: Line; readonly key: string; readonly index: number}[] {
  const roomy = entriesOf(rows, columns, true);
  const entries = countOf(roomy) <= height ? roomy : entriesOf(rows, columns, false);
  const lines = entries.flatMap(({lines: own, key}) =>
    own.map((line, index) => ({line, key, index})),
  );
  const at = Math.max(
    0,
    countOf(
      entries.slice(
        0,
        Math.max(
          0,
          entries.findIndex(({key}) => key === selected),
        ),
      ),
    ),
  );
  const top = Math.max(0, Math.min(at - Math.floor(height * 0.7), lines.length - height));
  return lines.slice(top, top + height);
}

function countOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, {lines}) => sum + lines.length, 0);
}

function entriesOf(rows: readonly HouseRow[], columns: number, isRoomy: boolean): Entry[] {
  const entries: Entry[] = [];
  let kind: HouseRow['kind'] | undefined;
  for (const row of rows) {
    const title =
      row.kind === 'session' && kind !== 'session'
        ? 'Sessions'
        : row.kind === 'service' && kind !== 'service'
          ? 'Services'
          : undefined;
    if (kind !== undefined && (title !== undefined || row.kind === 'run'))
      entries.push({lines: [blank], key: ''});
    if (title !== undefined) entries.push({lines: [[span(` ${title}`, 'title')]], key: ''});
    entries.push({lines: linesOf(row, columns, isRoomy), key: row.key});
    kind = row.kind;
  }

  return entries;
}

function linesOf(row: HouseRow, columns: number, isRoomy: boolean): Line[] {
  const {kind, name, title, mark, word, words, tone} = row;
  if (kind === 'run')
    return [
      fitLine([span(` ${mark} `, tone), span(`${name} `, 'title'), span(title, 'title')], columns),
      ...(isRoomy ? [[span(`     ${words}`, tone === 'title' ? 'quiet' : tone)]] : []),
    ];
  const head: Line = [
    span(` ${mark} `, tone),
    span(`${name} `, kind === 'task' ? 'quiet' : 'plain'),
    span(title),
  ];
  return isRoomy && kind === 'task'
    ? [head, [span(`     ${words}`, tone === 'plain' ? 'quiet' : tone)]]
    : [ends(head, [span(` ${word} `, tone)], columns)];
}
