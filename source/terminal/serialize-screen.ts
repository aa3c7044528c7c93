import {type Cells, cellWidth, createCells} from './cells.ts';
import type {Emulator} from './create-emulator.ts';
import type {EmulatorBuffer, EmulatorLine} from './emulator-core.ts';
import {modesSequence} from './modes.ts';
import {isLeftFree, packLine, packStyle} from './pack-line.ts';
import {blankSequence} from './reset-sequence.ts';
import {cellsSequence, rowsSequence} from './rows-sequence.ts';
import {styleSequence} from './style-of.ts';
import type {Charset, TrackedState} from './tracked-state.ts';
import {historyOf} from './unknown-cells.ts';

/**
 * Redraws a screen on a terminal of the same size, whatever was on it: the normal screen with some of the lines above it, the
 * alternate screen, saved cursors, scroll regions, tab stops, character sets, modes. Only what the allow-list lets through is
 * used. Not restored: that a row goes on from a line above the first one, and the saved cursor of an alternate screen that is
 * not shown.
 */
export function serializeScreen(emulator: Emulator, state: TrackedState, history: number): string {
  const {modes, normal, alternate, charset} = state;
  const buffer = emulator.active();
  const screens = [
    bufferSequence(
      emulator,
      emulator.normal(),
      Math.min(history, historyOf(emulator.normal())),
      normal.savedCharset,
    ),
  ];
  // Entering saves the cursor once more, and clears the alternate screen in the colour of the saved style.
  if (modes.alternateScreen)
    screens.push(
      `\u001B[?1049h${plainText}\u001B[H\u001B[2J`,
      bufferSequence(emulator, buffer, 0, alternate.savedCharset),
    );
  const origin = modes.origin ? '\u001B[?6h' : '';
  const cursor = cursorSequence(emulator, buffer, modes.origin ? buffer.scrollTop : 0);
  return [
    blankSequence,
    ...screens,
    plainText,
    origin,
    cursor,
    styleSequence(packStyle(emulator.attributes())),
    charsetSequence(charset),
    modesSequence(modes),
  ].join('');
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
  const lineOf = (row: number): EmulatorLine | undefined => buffer.lines.get(ybase - history + row);
  const lines = rowsSequence(
    cells,
    (row) => lineOf(row)?.isWrapped === true,
    (row) => isLeftFree(lineOf(row), emulator.columns() - 1),
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

const plainText = '\u001B[m\u001B(B\u001B)B\u000F';

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
  // Only by drawing the last cell anew does the cursor wait behind it.
  const cells = readBuffer(emulator, buffer, buffer.ybase + buffer.y, 1);
  const last = cellWidth(cells, columns - 1) === 0 ? columns - 2 : columns - 1;
  return `\u001B[${row};${last + 1}H${cellsSequence(cells, last, columns)}`;
}
