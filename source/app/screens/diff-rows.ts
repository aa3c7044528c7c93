import {displayWidth} from '../../shared/index.ts';
import {
  blank,
  breakLine,
  fitLine,
  formatCount,
  type Line,
  paragraph,
  safeLine,
  span,
  type Tone,
} from '../model/line.ts';
import type {DiffComment, Place} from '../model/model.ts';
import {inSight} from '../model/places.ts';
import type {DiffFile, DiffLine} from '../model/parse-diff.ts';
import {removedFileText} from '../model/comments.ts';
import {type Coloured, colourLines} from './colour-lines.ts';
import type {Highlight} from './highlight.ts';

/** One row of a diff on the screen, and the line that a comment on it belongs to. */
export type DiffRow = {
  readonly row: Line;
  readonly at?: {readonly line: number; readonly source: string};
};

export type DiffRowsOptions = {
  readonly columns: number;
  readonly isSplit: boolean;
  readonly comments: readonly DiffComment[];
  readonly highlight: Highlight | undefined;
  /** Cursor, scroll position and maximum number of visible rows: only those rows are rendered. */
  readonly place: Place;
  readonly rows: number;
};

/**
 * All rows of the diff of a file. Rows out of sight are only counted and stay blank: with thousands
 * of lines, each key would be slow otherwise.
 */
export function diffRows(file: DiffFile, options: DiffRowsOptions): DiffRow[] {
  const page: Page = {
    ...options,
    digits: numberWidth(file.lines),
    marksReturns: hasBothEnds(file.lines),
  };
  const units = [...toUnits(file, page), ...strayUnits(file, page)];
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
          seen.flatMap(({unit}) => toLines(unit)),
          options.highlight,
        );
  for (const {unit, at} of seen) {
    const written = write(unit, page, coloured);
    // Highlighting must not change where a line is broken. If it does, the plain rows match the
    // counted height.
    rows.splice(
      at,
      unit.height,
      ...(written.length === unit.height ? written : write(unit, page, undefined)),
    );
  }

  return rows;
}

/** The head of the screen is not subtracted here, so some rows more are rendered. */
const nearRows = 10;

const unseen: DiffRow = {row: blank};

/**
 * One line or pair of lines with its height in rows. Plain data: there is one for each line of the
 * diff, and most are never rendered.
 */
type Unit = {readonly height: number} & (
  | {readonly is: 'line'; readonly line: CodeLine}
  | {readonly is: 'pair'; readonly left: CodeLine | undefined; readonly right: CodeLine | undefined}
  | {readonly is: 'note'; readonly text: string; readonly tone: Tone}
  | {readonly is: 'comments'; readonly rows: readonly DiffRow[]}
);

type CodeLine = Exclude<DiffLine, {readonly kind: 'hunk' | 'note'}>;

type Page = DiffRowsOptions & {readonly digits: number; readonly marksReturns: boolean};

function toUnits(file: DiffFile, page: Page): Unit[] {
  if (file.lines.length === 0) return [noteUnit(explainNoLines(file))];
  if (page.isSplit) return splitUnits(file.lines, page);
  const units: Unit[] = [];
  for (const line of file.lines) {
    if (!isCode(line)) {
      units.push(markUnit(line));
      continue;
    }

    units.push({is: 'line', line, height: rowCount(shownText(line, page), unifiedWidth(page))});
    if (page.comments.length > 0) units.push(...commentUnits(line, page));
  }

  return units;
}

function isCode(line: DiffLine): line is CodeLine {
  return line.kind !== 'hunk' && line.kind !== 'note';
}

function toLines(unit: Unit): DiffLine[] {
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

function explainNoLines({text, before}: DiffFile): string {
  if (text === 'renamed') return `Only its name changed; it was ${before}.`;
  if (text === removedFileText)
    return 'It is not in the change any more; what you wrote is still sent.';
  if (text === 'new') return 'A new file with nothing in it.';
  return text === 'deleted'
    ? 'It had nothing in it, and is deleted.'
    : 'None of its lines changed.';
}

function numberWidth(lines: readonly DiffLine[]): number {
  const last = lines.reduce(
    (max, line) => Math.max(max, 'old' in line ? line.old : 0, 'new' in line ? line.new : 0),
    0,
  );
  return Math.max(4, String(last).length);
}

/** Whether the change mixes line endings. Only then carriage returns are shown. */
function hasBothEnds(lines: readonly DiffLine[]): boolean {
  const changed = lines.filter(({kind}) => kind === 'added' || kind === 'removed');
  return (
    changed.some(({text}) => text.endsWith('\r')) && changed.some(({text}) => !text.endsWith('\r'))
  );
}

function unifiedWidth({columns, digits}: Page): number {
  return columns - 2 * digits - 4;
}

function unifiedRows(line: CodeLine, page: Page, coloured: Coloured | undefined): DiffRow[] {
  const numbers = `${('old' in line ? String(line.old) : '').padStart(page.digits)} ${('new' in line ? String(line.new) : '').padStart(page.digits)} `;
  return breakLine(lineSpans(line, shownText(line, page), coloured), unifiedWidth(page)).map(
    (row, index) => ({
      row: [
        span(index === 0 ? numbers : ' '.repeat(numbers.length), 'quiet'),
        span(index === 0 ? `${signs[line.kind]} ` : '  ', toTone(line)),
        ...row,
      ],
      at: toLocation(line),
    }),
  );
}

function markUnit({kind, text}: DiffLine): Unit {
  // The first cell is for the cursor mark.
  return kind === 'hunk'
    ? {is: 'note', text: ` ${text}`, tone: 'accent', height: 1}
    : noteUnit(text);
}

function noteUnit(text: string): Unit {
  return {is: 'note', text: `          ${text}`, tone: 'quiet', height: 1};
}

/**
 * The visible text of a line. Very long lines are cut, and the number of omitted characters is
 * shown.
 */
function shownText({text}: DiffLine, {marksReturns}: Page): string {
  const whole = text.endsWith('\r') ? `${text.slice(0, -1)}${marksReturns ? '␍' : ''}` : text;
  return whole.length <= maxCharacters
    ? whole
    : `${whole.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '')} … and ${formatCount(whole.length - maxCharacters)} characters more in this line`;
}

const maxCharacters = 2000;

/** The number of rows that `breakLine` returns. */
function rowCount(text: string, space: number): number {
  if (isPlain(text)) return Math.max(1, Math.ceil(text.length / space));
  if (maxCells(text) <= space) return 1;
  const safe = safeLine(text);
  return displayWidth(safe) <= space ? 1 : breakLine([span(safe)], space).length;
}

/**
 * Printable ASCII has one cell for each character. This is the fast path: thousands of lines are
 * measured for each key.
 */
function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x20 || code > 0x7e) return false;
  }

  return true;
}

/** A quick upper bound of the width: nearly every line fits into one row. */
function maxCells(text: string): number {
  let cells = 0;
  for (let index = 0; index < text.length; index++) {
    cells += maxCellsOf(text.charCodeAt(index));
  }

  return cells;
}

/**
 * Letters of most scripts take one or two cells; hidden characters are spelled out in up to ten.
 */
function maxCellsOf(code: number): number {
  if (code >= 0x20 && code < 0x7f) return 1;
  if (code === 0x9) return 4;
  const isLetter =
    (code >= 0xa1 && code < 0x300 && code !== 0xad) ||
    (code >= 0x3041 && code < 0xd800 && code !== 0x3164);
  return isLetter ? 2 : 10;
}

const signs = {added: '+', removed: '-', context: ' '} as const;

function toTone({kind}: DiffLine): Tone {
  return kind === 'added' || kind === 'removed' ? kind : 'plain';
}

function lineSpans(line: DiffLine, text: string, coloured: Coloured | undefined): Line {
  // Highlighting is computed for the unchanged line.
  const own = text === line.text ? coloured?.get(line) : undefined;
  return own ?? [span(text, toTone(line))];
}

function toLocation(line: DiffLine): {readonly line: number; readonly source: string} {
  const old = 'old' in line ? line.old : 0;
  return {line: 'new' in line ? line.new : old, source: line.text};
}

function commentUnits(line: CodeLine, {comments, columns}: Page): Unit[] {
  const at = toLocation(line);
  const rows = comments
    .filter((one) => isAt(one, at))
    .flatMap(({text}) => commentRows(text, at, columns));
  return rows.length === 0 ? [] : [{is: 'comments', rows, height: rows.length}];
}

/** Comments whose line has changed since. They can still be edited and removed. */
function strayUnits({lines}: DiffFile, {comments, columns}: Page): Unit[] {
  const strays = comments.filter(
    (one) =>
      !lines.some(
        (line) => line.text === one.source && isCode(line) && isAt(one, toLocation(line)),
      ),
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

/** Side by side: removed lines on the left, added lines on the right. */
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

/** A note, such as "no newline at end of file", does not separate removed lines from added ones. */
function runLength(lines: readonly DiffLine[], from: number): number {
  let end = from;
  while (end < lines.length && ['added', 'removed', 'note'].includes(lines[end]?.kind ?? ''))
    end += 1;
  return end - from;
}

function splitWidths({columns, digits}: Page): {
  readonly half: number;
  readonly space: number;
  readonly digits: number;
} {
  const half = Math.floor((columns - 1) / 2);
  const max = Math.max(5, digits);
  return {half, space: half - max - 3, digits: max};
}

function pairUnit(left: CodeLine | undefined, right: CodeLine | undefined, page: Page): Unit {
  const {space} = splitWidths(page);
  const height = (line: CodeLine | undefined): number =>
    line === undefined ? 1 : rowCount(shownText(line, page), space);
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
  const {half} = splitWidths(page);
  const [one, other] = [
    sideRows(left, 'old', page, coloured),
    sideRows(right, 'new', page, coloured),
  ];
  const about = right ?? left;
  return Array.from({length: Math.max(one.length, other.length)}, (_, index) => ({
    row: [...fitLine(one[index] ?? blank, half), span('│', 'quiet'), ...(other[index] ?? blank)],
    ...(about === undefined ? {} : {at: toLocation(about)}),
  }));
}

function sideRows(
  line: CodeLine | undefined,
  name: 'old' | 'new',
  page: Page,
  coloured: Coloured | undefined,
): Line[] {
  if (line === undefined) return [];
  const {space, digits} = splitWidths(page);
  const [old, added] = ['old' in line ? line.old : '', 'new' in line ? line.new : ''];
  const number = name === 'old' ? old : added;
  return breakLine(lineSpans(line, shownText(line, page), coloured), space).map((row, index) => [
    span(index === 0 ? `${String(number).padStart(digits)} ` : ' '.repeat(digits + 1), 'quiet'),
    span(index === 0 ? `${signs[line.kind]} ` : '  ', toTone(line)),
    ...row,
  ]);
}
