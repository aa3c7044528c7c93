import {blank, breakLine, fitLine, span, type Line, type Tone} from '../model/line.ts';
import type {DiffComment} from '../model/model.ts';
import type {DiffFile, DiffLine} from '../model/read-diff.ts';
import type {Highlight} from './highlight.ts';
import {paragraph} from './words.ts';

/** One row of a diff on the screen, and the line that a comment on it is about. */
export type DiffRow = {readonly row: Line; readonly at?: {readonly line: number; readonly source: string}};

export type DiffRowsOptions = {
  readonly columns: number;
  readonly isSplit: boolean;
  readonly comments: readonly DiffComment[];
  readonly highlight: Highlight | undefined;
  /** The rows that are in sight: only those are coloured. */
  readonly from: number;
  readonly to: number;
};

export function diffRows(file: DiffFile, options: DiffRowsOptions): DiffRow[] {
  const rows: DiffRow[] = [];
  for (const hunk of hunksOf(file.lines)) {
    const plain = rowsOfHunk(hunk, options, undefined);
    const isSeen = rows.length < options.to && rows.length + plain.length > options.from;
    rows.push(...(isSeen && options.highlight !== undefined ? rowsOfHunk(hunk, options, colour(hunk, file.path, options.highlight)) : plain));
  }

  return rows;
}

/** Lines from one `@@` to the next. */
function hunksOf(lines: readonly DiffLine[]): DiffLine[][] {
  const hunks: DiffLine[][] = [];
  for (const line of lines) {
    if (line.kind === 'hunk' || hunks.length === 0) hunks.push([line]);
    else hunks.at(-1)?.push(line);
  }

  return hunks;
}

type Coloured = ReadonlyMap<DiffLine, Line>;

/** Old and new text are coloured each by itself, so that a comment that begins in one does not run into the other. */
function colour(hunk: readonly DiffLine[], path: string, highlight: Highlight): Coloured {
  const side = (kind: 'added' | 'removed'): [DiffLine, Line][] => {
    const own = hunk.filter((line) => line.kind === kind || line.kind === 'context');
    const lines = highlight(own.map(({text}) => text), path);
    return own.map((line, index) => [line, lines[index] ?? []]);
  };

  return new Map([...side('removed'), ...side('added')]);
}

function rowsOfHunk(hunk: readonly DiffLine[], options: DiffRowsOptions, coloured: Coloured | undefined): DiffRow[] {
  return options.isSplit ? splitRows(hunk, options, coloured) : hunk.flatMap((line) => [...unifiedRows(line, options, coloured), ...commentRows(line, options)]);
}

function unifiedRows(line: DiffLine, {columns}: DiffRowsOptions, coloured: Coloured | undefined): DiffRow[] {
  if (line.kind === 'hunk') return [{row: [span(line.text, 'accent')]}];
  if (line.kind === 'note') return [{row: [span(`          ${line.text}`, 'quiet')]}];
  const numbers = `${'old' in line ? String(line.old).padStart(4) : '    '} ${'new' in line ? String(line.new).padStart(4) : '    '} `;
  return breakLine(textOf(line, coloured), columns - numbers.length - 2).map((row, index) => ({
    row: [span(index === 0 ? numbers : ' '.repeat(numbers.length), 'quiet'), span(index === 0 ? `${signs[line.kind]} ` : '  ', toneOf(line)), ...row],
    at: placeOf(line),
  }));
}

const signs = {added: '+', removed: '-', context: ' '} as const;

function toneOf({kind}: DiffLine): Tone {
  return kind === 'added' || kind === 'removed' ? kind : 'plain';
}

function textOf(line: DiffLine, coloured: Coloured | undefined): Line {
  return coloured?.get(line) ?? [span(line.text, toneOf(line))];
}

function placeOf(line: DiffLine): {readonly line: number; readonly source: string} {
  return {line: 'new' in line ? line.new : 'old' in line ? line.old : 0, source: line.text};
}

function commentRows(line: DiffLine, {comments, columns}: DiffRowsOptions): DiffRow[] {
  if (line.kind === 'hunk' || line.kind === 'note') return [];
  const at = placeOf(line);
  return comments.filter((one) => one.line === at.line && one.source === at.source).flatMap(({text}) => paragraph(text, columns - 13, {first: 'you: ', tone: 'needs'}).map((row) => ({row: [span('         > ', 'needs'), ...row], at})));
}

/** What was removed on the left, what came instead on the right, as long as either lasts. */
function splitRows(hunk: readonly DiffLine[], options: DiffRowsOptions, coloured: Coloured | undefined): DiffRow[] {
  const half = Math.floor((options.columns - 1) / 2);
  const rows: DiffRow[] = [];
  let index = 0;
  while (index < hunk.length) {
    const line = hunk[index];
    if (line === undefined) break;
    if (line.kind === 'hunk' || line.kind === 'note') {
      rows.push(...unifiedRows(line, options, coloured));
      index += 1;
      continue;
    }

    if (line.kind === 'context') {
      rows.push(...pairRows(line, line, half, coloured), ...commentRows(line, options));
      index += 1;
      continue;
    }

    const run = hunk.slice(index, index + runLength(hunk, index));
    const [removed, added] = [run.filter(({kind}) => kind === 'removed'), run.filter(({kind}) => kind === 'added')];
    for (let pair = 0; pair < Math.max(removed.length, added.length); pair++) {
      rows.push(...pairRows(removed[pair], added[pair], half, coloured));
      for (const one of [removed[pair], added[pair]]) if (one !== undefined) rows.push(...commentRows(one, options));
    }

    index += run.length;
  }

  return rows;
}

function runLength(hunk: readonly DiffLine[], from: number): number {
  const end = hunk.findIndex(({kind}, index) => index >= from && kind !== 'added' && kind !== 'removed');
  return (end === -1 ? hunk.length : end) - from;
}

function pairRows(left: DiffLine | undefined, right: DiffLine | undefined, half: number, coloured: Coloured | undefined): DiffRow[] {
  const [one, other] = [sideRows(left, 'old', half, coloured), sideRows(right, 'new', half, coloured)];
  const about = right ?? left;
  return Array.from({length: Math.max(one.length, other.length)}, (_, index) => ({
    row: [...fitLine(one[index] ?? blank, half), span('│', 'quiet'), ...(other[index] ?? blank)],
    ...(about === undefined ? {} : {at: placeOf(about)}),
  }));
}

function sideRows(line: DiffLine | undefined, side: 'old' | 'new', half: number, coloured: Coloured | undefined): Line[] {
  if (line === undefined || line.kind === 'hunk' || line.kind === 'note') return [];
  const number = side === 'old' && 'old' in line ? line.old : side === 'new' && 'new' in line ? line.new : undefined;
  return breakLine(textOf(line, coloured), half - 8).map((row, index) => [span(index === 0 ? `${String(number ?? '').padStart(5)} ` : '      ', 'quiet'), span(index === 0 ? `${signs[line.kind]} ` : '  ', toneOf(line)), ...row]);
}
