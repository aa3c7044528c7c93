import type {SidebarRow} from '../model/sidebar-rows.ts';
import {blank, ends, fill, fitLine, type Line, span, underCursor} from '../model/line.ts';
import type {Rect} from '../render/frame.ts';

type Entry = {readonly lines: readonly Line[]; readonly key: string};

/**
 * The sidebar: runs with their tasks, sessions, services. If there is space, each has a second line
 * with its status. The selected row stays visible.
 */
export function sidebarLines(
  rows: readonly SidebarRow[],
  selected: string,
  size: Pick<Rect, 'columns' | 'rows'>,
): Line[] {
  const {columns} = size;
  return fill(
    entriesInSight(rows, selected, size).map(({line, key, index}) => {
      if (key === '' || key !== selected) return line;
      return index === 0
        ? underCursor(line, columns)
        : fitLine(line, columns).map(({text}) => span(text, 'cursor'));
    }),
    size,
  );
}

/** The key of the row on a line. */
export function sidebarKeyAt(
  rows: readonly SidebarRow[],
  selected: string,
  size: Pick<Rect, 'columns' | 'rows'>,
  line: number,
): string | undefined {
  const key = entriesInSight(rows, selected, size)[line]?.key;
  return key === '' ? undefined : key;
}

function entriesInSight(
  rows: readonly SidebarRow[],
  selected: string,
  {columns, rows: height}: Pick<Rect, 'columns' | 'rows'>,
): {readonly line: Line; readonly key: string; readonly index: number}[] {
  const roomy = toEntries(rows, columns, true);
  const entries = countLines(roomy) <= height ? roomy : toEntries(rows, columns, false);
  const lines = entries.flatMap(({lines: own, key}) =>
    own.map((line, index) => ({line, key, index})),
  );
  const at = Math.max(
    0,
    countLines(
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

function countLines(entries: readonly Entry[]): number {
  return entries.reduce((sum, {lines}) => sum + lines.length, 0);
}

const groupTitles: Partial<Record<SidebarRow['kind'], string>> = {
  session: 'Sessions',
  service: 'Services',
};

function toEntries(rows: readonly SidebarRow[], columns: number, isRoomy: boolean): Entry[] {
  const entries: Entry[] = [];
  let kind: SidebarRow['kind'] | undefined;
  for (const row of rows) {
    const title = row.kind === kind ? undefined : groupTitles[row.kind];
    if (kind !== undefined && (title !== undefined || row.kind === 'run'))
      entries.push({lines: [blank], key: ''});
    if (title !== undefined) entries.push({lines: [[span(` ${title}`, 'title')]], key: ''});
    entries.push({lines: toLines(row, columns, isRoomy), key: row.key});
    kind = row.kind;
  }

  return entries;
}

function toLines(row: SidebarRow, columns: number, isRoomy: boolean): Line[] {
  const {kind, name, title, mark, word, text, tone} = row;
  if (kind === 'run')
    return [
      fitLine([span(` ${mark} `, tone), span(`${name} `, 'title'), span(title, 'title')], columns),
      ...(isRoomy ? [[span(`     ${text}`, tone === 'title' ? 'quiet' : tone)]] : []),
    ];
  const head: Line = [
    span(` ${mark} `, tone),
    span(`${name} `, kind === 'task' ? 'quiet' : 'plain'),
    span(title),
  ];
  return isRoomy && kind === 'task'
    ? [head, [span(`     ${text}`, tone === 'plain' ? 'quiet' : tone)]]
    : [ends(head, [span(` ${word} `, tone)], columns)];
}
