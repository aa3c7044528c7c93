import {displayWidth} from '../../base/index.ts';
import {safeLine} from '../model/cell-text.ts';
import {blank, breakLine, fitLine, span, type Line, type Tone} from '../model/line.ts';
import type {DiffComment, Place} from '../model/model.ts';
import {inSight} from '../model/places.ts';
import type {DiffFile, DiffLine} from '../model/read-diff.ts';
import {goneWords} from '../model/review-files.ts';
import {colourLines, type Coloured} from './colour-lines.ts';
import type {Highlight} from './highlight.ts';
import {counted, paragraph} from './words.ts';

/** One row of a diff on the screen, and the line that a comment on it is about. */
export type DiffRow = {
  readonly row: Line;
  readonly at?: {readonly line: number; readonly source: string};
};

export type DiffRowsOptions = {
  readonly columns: number;
  readonly isSplit: boolean;
  readonly comments: readonly DiffComment[];
  readonly highlight: Highlight | undefined;
  /** Where the person is, and how many rows are in sight at most: only those are written. */
  readonly place: Place;
  readonly rows: number;
};

/**
 * As many rows as the diff of the file has. Those that are out of sight are only counted, and blank: in a change of thousands
 * of lines each key would else be felt.
 */
export function diffRows(file: DiffFile, options: DiffRowsOptions): DiffRow[] {
  const page: Page = {
    ...options,
    digits: digitsOf(file.lines),
    marksReturns: hasBothEnds(file.lines),
  };
  const units = [...unitsOf(file, page), ...strayUnits(file, page)];
  const count = units.reduce((sum, {height}) => sum + height, 0);
  const {top} = inSight(options.place, count, options.rows);
  const rows: DiffRow[] = [];
  const seen: {readonly unit: Unit; readonly at: number}[] = [];
  for (const unit of units) {
    if (rows.length + unit.height > top - nearRows && rows.length < top + options.rows + nearRows)
      seen.push({unit, at: rows.length});
    for (let row = 0; row < unit.height; row++) rows.push(unseen);
  }

  const coloured =
    options.highlight === undefined
      ? undefined
      : colourLines(
          file,
          seen.flatMap(({unit}) => linesOf(unit)),
          options.highlight,
        );
  for (const {unit, at} of seen) {
    const written = write(unit, page, coloured);
    // Colours change nothing about where a line is broken; if they ever did, the plain one is as it was counted.
    rows.splice(
      at,
      unit.height,
      ...(written.length === unit.height ? written : write(unit, page, undefined)),
    );
  }

  return rows;
}

/** Head and foot of the screen take some of its rows, so that what is seen may begin a little lower than it seems here. */
const nearRows = 10;

const unseen: DiffRow = {row: blank};

/** What stands side by side or alone, as so many rows. Plain data: there is one for each line of the diff, and most are never written. */
type Unit = {readonly height: number} & (
  | {readonly is: 'line'; readonly line: CodeLine}
  | {readonly is: 'pair'; readonly left: CodeLine | undefined; readonly right: CodeLine | undefined}
  | {readonly is: 'note'; readonly text: string; readonly tone: Tone}
  | {readonly is: 'comments'; readonly rows: readonly DiffRow[]}
);

type CodeLine = Exclude<DiffLine, {readonly kind: 'hunk' | 'note'}>;

type Page = DiffRowsOptions & {readonly digits: number; readonly marksReturns: boolean};

function unitsOf(file: DiffFile, page: Page): Unit[] {
  if (file.lines.length === 0) return [noteUnit(nothingOf(file))];
  if (page.isSplit) return splitUnits(file.lines, page);
  const units: Unit[] = [];
  for (const line of file.lines) {
    if (!isCode(line)) {
      units.push(markUnit(line));
      continue;
    }

    units.push({is: 'line', line, height: heightOf(shownText(line, page), unifiedRoom(page))});
    if (page.comments.length > 0) units.push(...commentUnits(line, page));
  }

  return units;
}

function isCode(line: DiffLine): line is CodeLine {
  return line.kind !== 'hunk' && line.kind !== 'note';
}

function linesOf(unit: Unit): DiffLine[] {
  if (unit.is === 'line') return [unit.line];
  return unit.is === 'pair' ? [unit.left, unit.right].filter((line) => line !== undefined) : [];
}

function write(unit: Unit, page: Page, coloured: Coloured | undefined): readonly DiffRow[] {
  switch (unit.is) {
    case 'line':
      return unifiedRows(unit.line, page, coloured);
    case 'pair':
      return pairRows(unit, page, coloured);
    case 'note':
      return [{row: [span(unit.text, unit.tone)]}];
    case 'comments':
      return unit.rows;
  }
}

function nothingOf({words, before}: DiffFile): string {
  if (words === 'renamed') return `Only its name changed; it was ${before}.`;
  if (words === goneWords) return 'It is not in the change any more; what you wrote is still sent.';
  if (words === 'new') return 'A new file with nothing in it.';
  return words === 'deleted'
    ? 'It had nothing in it, and is deleted.'
    : 'None of its lines changed.';
}

function digitsOf(lines: readonly DiffLine[]): number {
  const last = lines.reduce(
    (most, line) => Math.max(most, 'old' in line ? line.old : 0, 'new' in line ? line.new : 0),
    0,
  );
  return Math.max(4, String(last).length);
}

/** Where the ends of lines are part of the change they are shown; in a file that has had returns all along they are no news. */
function hasBothEnds(lines: readonly DiffLine[]): boolean {
  const changed = lines.filter(({kind}) => kind === 'added' || kind === 'removed');
  return (
    changed.some(({text}) => text.endsWith('\r')) && changed.some(({text}) => !text.endsWith('\r'))
  );
}

function unifiedRoom({columns, digits}: Page): number {
  return columns - 2 * digits - 4;
}

function unifiedRows(line: CodeLine, page: Page, coloured: Coloured | undefined): DiffRow[] {
  const numbers = `${('old' in line ? String(line.old) : '').padStart(page.digits)} ${('new' in line ? String(line.new) : '').padStart(page.digits)} `;
  return breakLine(spansOf(line, shownText(line, page), coloured), unifiedRoom(page)).map(
    (row, index) => ({
      row: [
        span(index === 0 ? numbers : ' '.repeat(numbers.length), 'quiet'),
        span(index === 0 ? `${signs[line.kind]} ` : '  ', toneOf(line)),
        ...row,
      ],
      at: placeOf(line),
    }),
  );
}

function markUnit({kind, text}: DiffLine): Unit {
  // The mark of the cursor has the first cell.
  return kind === 'hunk'
    ? {is: 'note', text: ` ${text}`, tone: 'accent', height: 1}
    : noteUnit(text);
}

function noteUnit(text: string): Unit {
  return {is: 'note', text: `          ${text}`, tone: 'quiet', height: 1};
}

/** A line as it is shown: no person reads a line of a million characters, so it is told by its length. */
function shownText({text}: DiffLine, {marksReturns}: Page): string {
  const whole = text.endsWith('\r') ? `${text.slice(0, -1)}${marksReturns ? '␍' : ''}` : text;
  return whole.length <= mostCharacters
    ? whole
    : `${whole.slice(0, mostCharacters).replace(/[\uD800-\uDBFF]$/, '')} … and ${counted(whole.length - mostCharacters)} characters more in this line`;
}

const mostCharacters = 2000;

/** How many rows `breakLine` makes of it. */
function heightOf(text: string, room: number): number {
  if (isPlain(text)) return Math.max(1, Math.ceil(text.length / room));
  if (mostCellsOf(text) <= room) return 1;
  const safe = safeLine(text);
  return displayWidth(safe) <= room ? 1 : breakLine([span(safe)], room).length;
}

/** One cell for each character: nearly every line of code. Thousands are counted for each key. */
function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code > 0x7e) return false;
  }

  return true;
}

/** So many cells at most, found quickly: nearly every line has room in one row. */
function mostCellsOf(text: string): number {
  let cells = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    // Letters of most scripts take one or two cells; what may be hidden, and is then spelled out, takes up to ten.
    cells +=
      code >= 0x20 && code < 0x7f
        ? 1
        : code === 0x9
          ? 4
          : (code >= 0xa1 && code < 0x300 && code !== 0xad) ||
              (code >= 0x3041 && code < 0xd800 && code !== 0x3164)
            ? 2
            : 10;
  }

  return cells;
}

const signs = {added: '+', removed: '-', context: ' '} as const;

function toneOf({kind}: DiffLine): Tone {
  return kind === 'added' || kind === 'removed' ? kind : 'plain';
}

function spansOf(line: DiffLine, text: string, coloured: Coloured | undefined): Line {
  // Colours are for the line as it is in the file.
  const own = text === line.text ? coloured?.get(line) : undefined;
  return own ?? [span(text, toneOf(line))];
}

function placeOf(line: DiffLine): {readonly line: number; readonly source: string} {
  return {line: 'new' in line ? line.new : 'old' in line ? line.old : 0, source: line.text};
}

function commentUnits(line: CodeLine, {comments, columns}: Page): Unit[] {
  const at = placeOf(line);
  const rows = comments
    .filter((one) => isAt(one, at))
    .flatMap(({text}) => commentRows(text, at, columns));
  return rows.length === 0 ? [] : [{is: 'comments', rows, height: rows.length}];
}

/** Of comments whose line has changed since they were written; they can be edited and taken back here. */
function strayUnits({lines}: DiffFile, {comments, columns}: Page): Unit[] {
  const strays = comments.filter(
    (one) =>
      !lines.some((line) => line.text === one.source && isCode(line) && isAt(one, placeOf(line))),
  );
  return strays.flatMap(({line, source, text}): Unit[] => {
    const at = {line, source};
    const rows = [
      {row: fitLine([span(`Line ${line} was: ${safeLine(source).trim()}`, 'quiet')], columns), at},
      ...commentRows(text, at, columns),
    ];
    return [{is: 'comments', rows, height: rows.length}];
  });
}

function isAt(
  {line, source}: DiffComment,
  at: {readonly line: number; readonly source: string},
): boolean {
  return line === at.line && source === at.source;
}

function commentRows(
  text: string,
  at: {readonly line: number; readonly source: string},
  columns: number,
): DiffRow[] {
  return paragraph(text, columns - 13, {first: 'you: ', tone: 'needs'}).map((row) => ({
    row: [span('         > ', 'needs'), ...row],
    at,
  }));
}

/** What was removed on the left, what came instead on the right, as long as either lasts. */
function splitUnits(lines: readonly DiffLine[], page: Page): Unit[] {
  const units: Unit[] = [];
  const push = (left: CodeLine | undefined, right: CodeLine | undefined): void => {
    units.push(pairUnit(left, right, page));
    if (page.comments.length > 0)
      for (const one of new Set([left, right]))
        if (one !== undefined) units.push(...commentUnits(one, page));
  };

  let index = 0;
  while (index < lines.length) {
    const line = lines[index];
    if (line === undefined) break;
    if (!isCode(line) || line.kind === 'context') {
      if (isCode(line)) push(line, line);
      else units.push(markUnit(line));
      index += 1;
      continue;
    }

    const run = lines.slice(index, index + runLength(lines, index));
    const [removed, added, notes] = [
      run.filter((one) => one.kind === 'removed'),
      run.filter((one) => one.kind === 'added'),
      run.filter(({kind}) => kind === 'note'),
    ];
    for (let pair = 0; pair < Math.max(removed.length, added.length); pair++)
      push(removed[pair], added[pair]);
    units.push(...Array.from(new Set(notes.map(({text}) => text)), noteUnit));
    index += run.length;
  }

  return units;
}

/** A note, such as that of a missing last line end, does not part what was removed from what came instead. */
function runLength(lines: readonly DiffLine[], from: number): number {
  let end = from;
  while (end < lines.length && ['added', 'removed', 'note'].includes(lines[end]?.kind ?? ''))
    end += 1;
  return end - from;
}

function sidesOf({columns, digits}: Page): {
  readonly half: number;
  readonly room: number;
  readonly digits: number;
} {
  const half = Math.floor((columns - 1) / 2);
  const most = Math.max(5, digits);
  return {half, room: half - most - 3, digits: most};
}

function pairUnit(left: CodeLine | undefined, right: CodeLine | undefined, page: Page): Unit {
  const {room} = sidesOf(page);
  const height = (line: CodeLine | undefined): number =>
    line === undefined ? 1 : heightOf(shownText(line, page), room);
  return {
    is: 'pair',
    left,
    right,
    height: left === right ? height(left) : Math.max(height(left), height(right)),
  };
}

function pairRows(
  {left, right}: {readonly left: CodeLine | undefined; readonly right: CodeLine | undefined},
  page: Page,
  coloured: Coloured | undefined,
): DiffRow[] {
  const {half} = sidesOf(page);
  const [one, other] = [
    sideRows(left, 'old', page, coloured),
    sideRows(right, 'new', page, coloured),
  ];
  const about = right ?? left;
  return Array.from({length: Math.max(one.length, other.length)}, (_, index) => ({
    row: [...fitLine(one[index] ?? blank, half), span('│', 'quiet'), ...(other[index] ?? blank)],
    ...(about === undefined ? {} : {at: placeOf(about)}),
  }));
}

function sideRows(
  line: CodeLine | undefined,
  name: 'old' | 'new',
  page: Page,
  coloured: Coloured | undefined,
): Line[] {
  if (line === undefined) return [];
  const {room, digits} = sidesOf(page);
  const number =
    name === 'old' && 'old' in line ? line.old : name === 'new' && 'new' in line ? line.new : '';
  return breakLine(spansOf(line, shownText(line, page), coloured), room).map((row, index) => [
    span(index === 0 ? `${String(number).padStart(digits)} ` : ' '.repeat(digits + 1), 'quiet'),
    span(index === 0 ? `${signs[line.kind]} ` : '  ', toneOf(line)),
    ...row,
  ]);
}
