import {
  blankContent,
  type Cells,
  cellText,
  cellWidth,
  createCells,
  isCluster,
  type Style,
  styleSequence,
  toStyle,
  unitsPerCell,
} from './cells.ts';
import {mayJoin} from '../shared/index.ts';
import type {Emulator} from './create-emulator.ts';
import {
  countHistory,
  type EmulatorBuffer,
  type EmulatorLine,
  isLeftFree,
  packLine,
  packStyle,
} from './emulator-core.ts';
import {blankSequence, modesSequence} from './modes.ts';
import type {Charset, TrackedState} from './tracked-state.ts';

/**
 * Draws rows from the corner of a blank screen down, so that rows that do not fit scroll out above
 * it. A row for which `isWrapped` holds is reached by wrapping, as it was when it was drawn. A last
 * cell for which `isLeftFree` holds stays empty where a wide character did not fit: as a blank it
 * would stay in the text when the screen is resized.
 */
export function rowsSequence(
  cells: Cells,
  isWrapped: (row: number) => boolean,
  isLeftFree: (row: number) => boolean,
): string {
  const {rows, columns} = cells;
  let text = '';
  for (let row = 0; row < rows; row++) {
    const hasBegun = row > 0 && isWrapped(row);
    const goesOn = row < rows - 1 && isWrapped(row + 1);
    const end = goesOn
      ? columns - (isLeftFree(row) && wrapsByItself(cells, (row + 1) * columns) ? 1 : 0)
      : Math.max(hasBegun ? 1 : 0, drawnLength(cells, row));
    text += cellsSequence(cells, row * columns, row * columns + end);
    // Wrapping may have filled the row with the colour of its first cell.
    if (hasBegun && end < columns) text += '\u001B[K';
    if (!goesOn && row < rows - 1) text += '\r\n';
  }

  return text;
}

/** Whether a wide character there would have left the cell before it unchanged. */
function wrapsByItself(cells: Cells, index: number): boolean {
  return (
    cellWidth(cells, index) === 2 && isSameStyle(toStyle(cells, index - 1), toStyle(cells, index))
  );
}

/** Draws cells with their styles, then resets the style. */
export function cellsSequence(cells: Cells, from: number, to: number): string {
  let text = '';
  let style = plainStyle;
  for (let index = from; index < to; index++) {
    if (cellWidth(cells, index) === 0) continue;
    const next = toStyle(cells, index);
    const drawn = cellText(cells, index);
    // A sequence between two cells also keeps them from joining.
    if (!isSameStyle(style, next) || mayJoin(drawn.codePointAt(0) ?? 0))
      text += styleSequence(next);
    text += drawn;
    style = next;
    // Terminals disagree on the width of a cluster.
    const end = index + cellWidth(cells, index);
    if (isCluster(cells, index) && end < to) text += `\u001B[${(end % cells.columns) + 1}G`;
  }

  return isSameStyle(style, plainStyle) ? text : `${text}${styleSequence(plainStyle)}`;
}

const plainStyle: Style = {foreground: 0, background: 0, underline: 0};

function isSameStyle(one: Style, other: Style): boolean {
  return (
    one.foreground === other.foreground &&
    one.background === other.background &&
    one.underline === other.underline
  );
}

/** Draws one row with its styles, without the blanks at its end. */
export function rowSequence(cells: Cells, row: number): string {
  const from = row * cells.columns;
  return cellsSequence(cells, from, from + drawnLength(cells, row));
}

/** Cells of a row up to the last one that is not blank. */
function drawnLength({words, columns}: Cells, row: number): number {
  for (let length = columns; length > 0; length--) {
    const at = (row * columns + length - 1) * unitsPerCell;
    if (words[at] !== blankContent || words[at + 1] !== 0 || words[at + 2] !== 0) return length;
  }

  return 0;
}

/**
 * Redraws a screen on a terminal of the same size, whatever was on it: the normal screen with some
 * scrollback, the alternate screen, saved cursors, scroll regions, tab stops, character sets,
 * modes. It uses only sequences of the allow-list. Not restored: that the first row continues a
 * line above it, and the saved cursor of a hidden alternate screen.
 */
export function serializeScreen(emulator: Emulator, state: TrackedState, history: number): string {
  const {modes, alternate, charset} = state;
  const buffer = emulator.active();
  const screens = [normalSequence(emulator, state, history)];
  // Entering saves the cursor again, and clears the alternate screen in the colour of the saved
  // style.
  if (modes.alternateScreen)
    screens.push(
      `\u001B[?1049h${plainSequence}\u001B[H\u001B[2J`,
      bufferSequence(emulator, buffer, 0, alternate.savedCharset),
    );
  const origin = modes.origin ? '\u001B[?6h' : '';
  const cursor = cursorSequence(emulator, buffer, modes.origin ? buffer.scrollTop : 0);
  return [
    blankSequence,
    ...screens,
    plainSequence,
    origin,
    cursor,
    styleSequence(packStyle(emulator.attributes())),
    charsetSequence(charset),
    modesSequence(modes),
  ].join('');
}

/** Draws only the normal screen, also while the alternate one covers it. */
export function serializeNormalScreen(
  emulator: Emulator,
  state: TrackedState,
  history: number,
): string {
  return [blankSequence, normalSequence(emulator, state, history), plainSequence].join('');
}

function normalSequence(emulator: Emulator, {normal}: TrackedState, history: number): string {
  const lines = Math.min(history, countHistory(emulator.normal()));
  return bufferSequence(emulator, emulator.normal(), lines, normal.savedCharset);
}

function bufferSequence(
  emulator: Emulator,
  buffer: EmulatorBuffer,
  history: number,
  savedCharset: Charset,
): string {
  const {ybase, scrollTop, scrollBottom} = buffer;
  const rows = emulator.rows();
  const cells = readBuffer(emulator, buffer, ybase - history, history + rows);
  const getLine = (row: number): EmulatorLine | undefined =>
    buffer.lines.get(ybase - history + row);
  const lines = rowsSequence(
    cells,
    (row) => getLine(row)?.isWrapped === true,
    (row) => isLeftFree(getLine(row), emulator.columns() - 1),
  );
  const isWholeRegion = scrollTop === 0 && scrollBottom === rows - 1;
  const region = isWholeRegion ? '\u001B[r' : `\u001B[${scrollTop + 1};${scrollBottom + 1}r`;
  return [
    lines,
    tabsSequence(buffer, emulator.columns()),
    region,
    savedSequence(buffer, savedCharset),
  ].join('');
}

function savedSequence(
  {ybase, savedX, savedY, savedCurAttrData}: EmulatorBuffer,
  charset: Charset,
): string {
  const style = styleSequence(packStyle(savedCurAttrData));
  const isInitial = savedX === 0 && savedY === 0 && style === '\u001B[m';
  return isInitial
    ? ''
    : `\u001B[${Math.max(0, savedY - ybase) + 1};${savedX + 1}H${style}${charsetSequence(charset)}\u001B7`;
}

function readBuffer(
  emulator: Emulator,
  buffer: EmulatorBuffer,
  first: number,
  count: number,
): Cells {
  const cells = createCells(emulator.columns(), count);
  for (let row = 0; row < count; row++) packLine(buffer.lines.get(first + row), cells, row);
  return cells;
}

const plainSequence = '\u001B[m\u001B(B\u001B)B\u000F';

function charsetSequence({graphics: [g0, g1], shift}: Charset): string {
  return `\u001B(${g0 ? '0' : 'B'}\u001B)${g1 ? '0' : 'B'}${shift === 1 ? '\u000E' : '\u000F'}`;
}

function tabsSequence({tabs}: EmulatorBuffer, columns: number): string {
  const stops = Array.from({length: columns}, (_, column) => column).filter(
    (column) => tabs[column] === true,
  );
  const isUsual =
    stops.length === Math.ceil(columns / 8) && stops.every((column) => column % 8 === 0);
  return isUsual
    ? ''
    : `\u001B[3g${stops.map((column) => `\u001B[${column + 1}G\u001BH`).join('')}`;
}

function cursorSequence(emulator: Emulator, buffer: EmulatorBuffer, firstRow: number): string {
  const columns = emulator.columns();
  const row = buffer.y - firstRow + 1;
  if (buffer.x < columns) return `\u001B[${row};${buffer.x + 1}H`;
  // Redrawing the last cell is the only way to leave the cursor waiting after it.
  const cells = readBuffer(emulator, buffer, buffer.ybase + buffer.y, 1);
  const last = cellWidth(cells, columns - 1) === 0 ? columns - 2 : columns - 1;
  return `\u001B[${row};${last + 1}H${cellsSequence(cells, last, columns)}`;
}
