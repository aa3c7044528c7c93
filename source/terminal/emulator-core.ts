import type {Terminal} from '@xterm/headless';
import {
  blankContent,
  type Cells,
  clusterFlag,
  codePointMask,
  type Style,
  underlined,
  underlineShift,
  unitsPerCell,
  widthShift,
} from './cells.ts';
import {measureWidth} from '../shared/index.ts';

/**
 * Copies a line of the emulator, whose units have nearly the same layout, into a row of cells.
 * Characters that would draw more or less than their cells become blanks: marks without a base
 * character, and halves of wide characters.
 */
export function packLine(line: EmulatorLine | undefined, cells: Cells, row: number): void {
  const {columns, words, clusters} = cells;
  const data = line?._data;
  const end = (row + 1) * columns * unitsPerCell;
  let widthBefore = 1;
  for (
    let at = row * columns * unitsPerCell, from = 0;
    at < end;
    at += unitsPerCell, from += unitsPerCell
  ) {
    const foreground = data?.[from + 1] ?? 0;
    const background = data?.[from + 2] ?? 0;
    let content = data?.[from] ?? 0;
    if ((content & clusterFlag) !== 0)
      content = packCluster(
        content,
        line?._combined[from / unitsPerCell],
        clusters,
        at / unitsPerCell,
      );
    else if (isBlank(content & codePointMask) && (content !== 0 || widthBefore !== 2))
      content = blankContent;
    if ((foreground & underlined) !== 0)
      content |=
        getUnderline(background, line?._extendedAttrs[from / unitsPerCell]) << underlineShift;
    const width = (content >> widthShift) & 3;
    if (widthBefore === 2 && width !== 0) makeBlank(cells, at / unitsPerCell - 1);
    words[at] = content;
    words[at + 1] = packColour(foreground);
    words[at + 2] = packColour(background) & drawn;
    widthBefore = width;
  }

  if (widthBefore === 2) makeBlank(cells, end / unitsPerCell - 1);
}

export function packStyle({fg, bg, extended}: EmulatorAttributes): Style {
  const underline = (fg & underlined) === 0 ? 0 : getUnderline(bg, extended);
  return {foreground: packColour(fg) >>> 0, background: (packColour(bg) & drawn) >>> 0, underline};
}

export function isProtected(line: EmulatorLine | undefined, column: number): boolean {
  return ((line?._data[column * unitsPerCell + 2] ?? 0) & protection) !== 0;
}

/**
 * Whether nothing was ever written there, not even a blank, and it is not the right half of a wide
 * character.
 */
export function isLeftFree(line: EmulatorLine | undefined, column: number): boolean {
  const content = line?._data[column * unitsPerCell] ?? 0;
  return (content & (clusterFlag | codePointMask)) === 0 && ((content >> widthShift) & 3) === 1;
}

const extension = 0x1000_0000;
const protection = 0x2000_0000;
/** The visible bits of the background unit. */
const drawn = ~(extension | protection);

function isBlank(codePoint: number): boolean {
  return codePoint === 0 || (codePoint >= 0x300 && measureWidth(codePoint) === 0);
}

function packCluster(
  content: number,
  text = '',
  clusters: Map<number, string>,
  index: number,
): number {
  if (isBlank(text.codePointAt(0) ?? 0)) return blankContent;
  clusters.set(index, text);
  return content;
}

function makeBlank({words, clusters}: Cells, index: number): void {
  words[index * unitsPerCell] = blankContent;
  clusters.delete(index);
}

function getUnderline(
  background: number,
  extended: {readonly underlineStyle: number} | undefined,
): number {
  const style = (background & extension) === 0 ? 0 : (extended?.underlineStyle ?? 0);
  return style > 1 ? style : 0;
}

/** For indexed colours the emulator leaves bits of an earlier colour. */
function packColour(unit: number): number {
  const kind = (unit >> 24) & 3;
  return kind === 1 || kind === 2 ? unit & 0xff00_00ff : unit;
}

/**
 * The private parts of @xterm/headless 6 that are needed to serialize a screen: saved cursors,
 * scroll regions, tab stops, the current style, and the attribute that marks cells as unknown.
 * xterm.js's own addons use the same.
 */
export type EmulatorCore = {
  readonly buffers: {
    readonly normal: EmulatorBuffer;
    readonly alt: EmulatorBuffer;
    readonly active: EmulatorBuffer;
  };
  readonly _inputHandler: {
    readonly getAttrData: () => EmulatorAttributes;
    /**
     * Draws synchronously; returns something only if a handler is asynchronous, and ours are not.
     */
    readonly parse: (text: string) => unknown;
    /** After each write, the rows that changed; all if it names none. */
    readonly onRequestRefreshRows: (
      received: (rows?: {readonly start: number; readonly end: number}) => void,
    ) => void;
    readonly onRequestReset: (received: () => void) => void;
  };
};

export type EmulatorBuffer = {
  readonly x: number;
  readonly y: number;
  /** Lines of scrollback. */
  readonly ybase: number;
  readonly savedX: number;
  /** Counted from the oldest line. */
  readonly savedY: number;
  readonly savedCurAttrData: EmulatorAttributes;
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly tabs: Readonly<Record<number, boolean | undefined>>;
  readonly lines: {readonly get: (index: number) => EmulatorLine | undefined};
};

export type EmulatorLine = {
  /** Three units for each cell; see `packLine`. */
  readonly _data: Uint32Array;
  readonly _combined: Readonly<Record<number, string>>;
  readonly _extendedAttrs: Readonly<Record<number, {readonly underlineStyle: number} | undefined>>;
  readonly isWrapped: boolean;
};

export type EmulatorAttributes = {
  readonly fg: number;
  readonly bg: number;
  readonly extended: {readonly underlineStyle: number};
};

export function getCore(terminal: Terminal): EmulatorCore {
  const {_core: core} = terminal as unknown as {_core: EmulatorCore};
  const line = core.buffers.active.lines.get(0);
  const isKnown =
    line?._data instanceof Uint32Array &&
    line._data.length === terminal.cols * 3 &&
    typeof core._inputHandler.getAttrData().fg === 'number' &&
    typeof core._inputHandler.parse === 'function' &&
    typeof core._inputHandler.onRequestRefreshRows === 'function' &&
    typeof core._inputHandler.onRequestReset === 'function';
  if (!isKnown)
    throw new Error(
      'expected the insides of @xterm/headless 6, but they have changed; update emulator-core.ts',
    );
  return core;
}

/**
 * A screen that starts in the middle of a stream marks every cell as unknown, with the attribute
 * that protects cells from selective erasing: the allow-list keeps programs from setting it, and
 * drawing, erasing or scrolling clears it. So a screen without unknown cells looks as if it had
 * been read from the start.
 */
export function unknownFill(columns: number, rows: number): string {
  const filled = Array.from({length: rows}, (_, row) => `\u001B[${row + 1}H${' '.repeat(columns)}`);
  return `\u001B[1"q${filled.join('')}\u001B[0"q`;
}

export function hasUnknownCell(line: EmulatorLine | undefined): boolean {
  const columns = (line?._data.length ?? 0) / 3;
  for (let column = 0; column < columns; column++) if (isProtected(line, column)) return true;
  return false;
}

/** Lines of scrollback, without those that stand for unknown output. */
export function countHistory({ybase, lines}: EmulatorBuffer): number {
  let unknown = 0;
  while (unknown < ybase && isProtected(lines.get(unknown), 0)) unknown++;
  return ybase - unknown;
}
