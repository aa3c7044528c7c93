import {
  blankContent,
  blink,
  bold,
  type Cells,
  clusterFlag,
  codePointMask,
  colourBits,
  createCells,
  dim,
  inverse,
  invisible,
  italic,
  overline,
  strike,
  underlined,
  unitsPerCell,
  widthShift,
} from './cells.ts';
import {clusterRules, clusterWidth, hasJoined} from '../shared/index.ts';
import {createReader} from './create-reader.ts';

/** The foreground and background units of a cell (see `Cells`). */
export type StyleBits = {readonly foreground: number; readonly background: number};

export const plainBits: StyleBits = {foreground: 0, background: 0};

/**
 * The style after a `CSI numbers m`. Underline styles other than the single one are not supported.
 */
export function applySgr(before: StyleBits, numbers: string): StyleBits {
  let {foreground, background} = before;
  const given =
    numbers === ''
      ? [0]
      : numbers
          .split(';')
          .map((part) => Number(part.split(':')[0] === '' ? 0 : part.split(':')[0]));
  for (let at = 0; at < given.length; at++) {
    const code = given[at] ?? 0;
    const flag = flags.get(code);
    if (code === 0) [foreground, background] = [0, 0];
    else if (flag !== undefined)
      [foreground, background] = [
        (foreground & ~flag.off.foreground) | flag.on.foreground,
        (background & ~flag.off.background) | flag.on.background,
      ];
    else if (code === 38 || code === 48) {
      const {colour, used} = parseColour(given.slice(at + 1));
      if (colour !== undefined && code === 38) foreground = (foreground & ~colourBits) | colour;
      if (colour !== undefined && code === 48) background = (background & ~colourBits) | colour;
      at += used;
    } else if (isBasicColour(code, 30))
      foreground = (foreground & ~colourBits) | toBasicColour(code, 30);
    else if (isBasicColour(code, 40))
      background = (background & ~colourBits) | toBasicColour(code, 40);
  }

  return {foreground: foreground >>> 0, background: background >>> 0};
}

const noBits: StyleBits = plainBits;
const toBits = (foreground: number, background = 0): StyleBits => ({foreground, background});
const flags: ReadonlyMap<number, {readonly on: StyleBits; readonly off: StyleBits}> = new Map([
  [1, {on: toBits(bold), off: noBits}],
  [2, {on: toBits(0, dim), off: noBits}],
  [3, {on: toBits(0, italic), off: noBits}],
  [4, {on: toBits(underlined), off: noBits}],
  [5, {on: toBits(blink), off: noBits}],
  [7, {on: toBits(inverse), off: noBits}],
  [8, {on: toBits(invisible), off: noBits}],
  [9, {on: toBits(strike), off: noBits}],
  [22, {on: noBits, off: toBits(bold, dim)}],
  [23, {on: noBits, off: toBits(0, italic)}],
  [24, {on: noBits, off: toBits(underlined)}],
  [25, {on: noBits, off: toBits(blink)}],
  [27, {on: noBits, off: toBits(inverse)}],
  [28, {on: noBits, off: toBits(invisible)}],
  [29, {on: noBits, off: toBits(strike)}],
  [39, {on: noBits, off: toBits(colourBits)}],
  [49, {on: noBits, off: toBits(0, colourBits)}],
  [53, {on: toBits(0, overline), off: noBits}],
  [55, {on: noBits, off: toBits(0, overline)}],
]);

function isBasicColour(code: number, base: number): boolean {
  return (code >= base && code < base + 8) || (code >= base + 60 && code < base + 68);
}

function toBasicColour(code: number, base: number): number {
  return (1 << 24) | (code < base + 8 ? code - base : code - base - 52);
}

/** Parses what follows 38 or 48: one of 256 colours, or red, green and blue. */
function parseColour([kind, ...rest]: readonly number[]): {
  readonly colour?: number;
  readonly used: number;
} {
  if (kind === 5) return {colour: (2 << 24) | ((rest[0] ?? 0) & 0xff), used: 2};
  if (kind !== 2) return {used: 1};
  const [red = 0, green = 0, blue = 0] = rest.map((part) => part & 0xff);
  return {colour: (3 << 24) | (red << 16) | (green << 8) | blue, used: 4};
}

/**
 * Turns lines of text with colours and styles into cells, as the emulator would draw them but
 * without loading it. Text that does not fit is cut; everything that is neither text nor style is
 * dropped.
 */
export function cellsOfText(
  text: string,
  {columns, rows}: {readonly columns: number; readonly rows: number},
): Cells {
  const cells = createCells(columns, rows);
  for (let at = 0; at < cells.words.length; at += unitsPerCell) cells.words[at] = blankContent;
  const pen = createPen(cells);
  const reader = createReader({
    draw: pen.write,
    control: () => '',
    escape: () => '',
    sequence(name, numbers) {
      // The text before the sequence has the style before it.
      if (name === 'm') {
        reader.flush();
        pen.wear(numbers);
      }

      return '';
    },
    string: () => undefined,
  });
  reader.read(text);
  return cells;
}

type Pen = {readonly write: (text: string) => void; readonly wear: (numbers: string) => void};

function createPen(cells: Cells): Pen {
  let row = 0;
  let column = 0;
  let style: StyleBits = plainBits;
  /** The cluster properties of the character before. */
  let properties = 0;
  /** Whether that character was drawn. */
  let isSeen = false;

  const put = (codePoint: number): void => {
    const character = String.fromCodePoint(codePoint);
    const before = properties;
    properties = clusterRules.charProperties(codePoint, before);
    const width = clusterWidth(properties);
    if (hasJoined(properties)) {
      const start = column - clusterWidth(before);
      if (isSeen) isSeen = join(cells, row, start, character, width, style);
      column = start + width;
      return;
    }

    isSeen = setCell(cells, row, column, codePoint, width, style);
    column += width;
  };

  return {
    wear(numbers) {
      style = applySgr(style, numbers);
      // A combining mark after a style change has no base character.
      properties = 0;
    },
    write(text) {
      for (const character of text) {
        const codePoint = character.codePointAt(0) ?? 0;
        if (codePoint >= 0x20) {
          put(codePoint);
          continue;
        }

        properties = 0;
        if (codePoint === tab) column = (Math.floor(column / tabStop) + 1) * tabStop;
        if (codePoint === lineFeed) [row, column] = [row + 1, 0];
      }
    },
  };
}

const [tab, lineFeed] = [0x09, 0x0a];
const tabStop = 8;

/**
 * Draws a character; one that does not fit its row, or a mark without a base character, becomes a
 * blank. Returns whether it was drawn.
 */
function setCell(
  {columns, rows, words}: Cells,
  row: number,
  column: number,
  codePoint: number,
  width: number,
  style: StyleBits,
): boolean {
  if (row >= rows || column >= columns) return false;
  const index = row * columns + column;
  const isWhole = column + width <= columns && !isMark(codePoint);
  setUnits(words, index, isWhole ? codePoint | (width << widthShift) : blankContent, style);
  if (isWhole && width === 2) setUnits(words, index + 1, 0, style);
  return isWhole;
}

/**
 * Joins a character to the cluster of a cell, which may become wider. Returns whether it still
 * fits.
 */
function join(
  {columns, words, clusters}: Cells,
  row: number,
  column: number,
  character: string,
  width: number,
  style: StyleBits,
): boolean {
  const index = row * columns + column;
  const content = words[index * unitsPerCell] ?? blankContent;
  if (column + width > columns) {
    setUnits(words, index, blankContent, style);
    clusters.delete(index);
    return false;
  }

  const text =
    (content & clusterFlag) === 0
      ? String.fromCodePoint(content & codePointMask)
      : (clusters.get(index) ?? '');
  clusters.set(index, text + character);
  words[index * unitsPerCell] = clusterFlag | (width << widthShift);
  if (width === 2) setUnits(words, index + 1, 0, style);
  return true;
}

function setUnits(
  units: Uint32Array,
  index: number,
  content: number,
  {foreground, background}: StyleBits,
): void {
  units[index * unitsPerCell] = content;
  units[index * unitsPerCell + 1] = foreground;
  units[index * unitsPerCell + 2] = background;
}

function isMark(codePoint: number): boolean {
  return codePoint >= 0x300 && clusterRules.wcwidth(codePoint) === 0;
}
