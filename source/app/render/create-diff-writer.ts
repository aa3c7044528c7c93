import {
  type Cells,
  cellText,
  clearClusters,
  isCluster,
  isSameCell,
  type RowSpan,
  type Style,
  styleSequence,
  toStyle,
} from '../../terminal/index.ts';
import {
  blankContent,
  createBlank,
  type Frame,
  type FrameCursor,
  widthIn,
  unitsPerCell,
} from './frame.ts';
import {type ColourDepth, colourKindBits, createColourReducer, toColourUnit} from './colour.ts';
import type {DefaultColours} from '../app-contract.ts';

/**
 * The text written for a cell; a space where it would draw nothing or control the terminal.
 * Emulators filter such text already; this is the last barrier.
 */
export function drawnText(cells: Cells, index: number): string {
  const text = cellText(cells, index);
  const isCut =
    widthIn(cells.words[index * unitsPerCell] ?? 0) === 2 && (index + 1) % cells.columns === 0;
  return isCut ||
    text === '' ||
    (invisible.test(text) && !isCluster(cells, index)) ||
    controls.test(text)
    ? ' '
    : text;
}

/** C0, C1 and bidirectional controls. */
const controls = /[\0-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/;
/** Characters without a width of their own. */
const invisible = /^[\u00AD\u200B-\u200D\u2060\uFEFF]/;

/** Whether terminals disagree about its width. The cursor is positioned again after such a cell. */
export function isFragile(cells: Cells, index: number): boolean {
  if (isCluster(cells, index)) return true;
  const codePoint = (cells.words[index * unitsPerCell] ?? 0) & 0x1f_ffff;
  return (
    codePoint >= 0x1_f000 ||
    (codePoint >= 0x2600 && codePoint < 0x2800) ||
    (codePoint >= 0x2300 && codePoint < 0x2400) ||
    (codePoint >= 0x2b00 && codePoint < 0x2c00) ||
    (codePoint >= 0xe000 && codePoint < 0xf900)
  );
}

/**
 * Whether a terminal may combine it with the character before: skin tones, regional indicators,
 * emoji.
 */
export function mayJoinBefore(text: string): boolean {
  return (text.codePointAt(0) ?? 0) >= 0x1_f000;
}

export type DiffWriter = {
  /**
   * Updates the terminal from the last frame to this one, in one synchronized update. False if
   * there was no difference.
   */
  readonly draw: (frame: Frame) => boolean;
  /** The content of the terminal is unknown: the next frame is written completely. */
  readonly forget: () => void;
  /**
   * The colours of cells that have the default ones. If they are others than before, the next frame
   * is written completely. @default those of the terminal
   */
  readonly setDefaultColours: (colours: DefaultColours | undefined) => void;
};

export type DiffWriterOptions = {
  readonly write: (text: string) => void;
  readonly depth: ColourDepth;
  /** The terminal already shows a frame of ours: overwrite it without clearing. @default false */
  readonly isPainted?: boolean;
};

/**
 * Writes only the cells that changed; the screen is cleared only before the first frame. Requires
 * that lines do not wrap (`CSI ? 7 l`), because a terminal that counts a character wider than we do
 * would continue in the next row.
 */
export function createDiffWriter({write, depth, isPainted = false}: DiffWriterOptions): DiffWriter {
  let shown: Cells | undefined;
  let cursor: FrameCursor | undefined;
  /** The last cursor shape. The terminal keeps it while the cursor is hidden. */
  let shape: number | undefined = 0;
  let isFirst = !isPainted;
  /** The style that the terminal writes with; undefined: its own, after a reset. */
  let style: Style | undefined;
  let defaults: DefaultColours | undefined;
  let [foreground, background] = [0, 0];
  let text = '';
  /** The cell at the cursor of the terminal; -1 if unknown. */
  let at = -1;

  const reduce = createColourReducer(depth);

  const setStyle = (next: Style): void => {
    if (isSameStyle(style ?? ownStyle(), next)) return;
    style = next;
    text += styleSequence({
      foreground: reduce(withDefault(next.foreground, foreground)),
      background: reduce(withDefault(next.background, background)),
      underline: next.underline,
    });
  };

  /** After a reset the terminal writes plain cells only if they have no colours of ours. */
  const ownStyle = (): Style => (defaults === undefined ? plainStyle : noStyle);

  /** Leaves the terminal's own style behind: another program may have the terminal next. */
  const resetStyle = (): void => {
    if (!isSameStyle(style ?? ownStyle(), ownStyle())) text += '\u001B[m';
    style = undefined;
  };

  /**
   * Moves the cursor to a cell. A short gap of plain characters is rewritten, which takes fewer
   * bytes than a move.
   */
  const moveTo = (cells: Cells, index: number): void => {
    if (at === index) return;
    const gap = index - at;
    const isAhead =
      at !== -1 && gap > 0 && Math.floor(at / cells.columns) === Math.floor(index / cells.columns);
    if (isAhead && gap <= minMoveCells && canRewrite(cells, at, index, style ?? ownStyle())) {
      for (let between = at; between < index; between++) text += drawnText(cells, between);
    } else if (isAhead) {
      text += gap === 1 ? '\u001B[C' : `\u001B[${gap}C`;
    } else {
      text += placeSequence(Math.floor(index / cells.columns), index % cells.columns);
    }

    at = index;
  };

  const put = (cells: Cells, index: number): void => {
    const width = Math.max(1, widthIn(cells.words[index * unitsPerCell] ?? 0));
    const drawn = drawnText(cells, index);
    const isUncertain = isFragile(cells, index);
    // A cursor move between two characters keeps terminals from combining them.
    if (mayJoinBefore(drawn)) at = -1;
    moveTo(cells, index);
    setStyle(toStyle(cells, index));
    // A terminal that counts one cell for it would leave the second cell as it was.
    if (isUncertain && width === 2)
      text += `  ${placeSequence(Math.floor(index / cells.columns), index % cells.columns)}`;
    text += drawn;
    const isAtEnd = (index + width) % cells.columns === 0;
    at = isUncertain || isAtEnd ? -1 : index + width;
  };

  const drawRow = (cells: Cells, row: number): void => {
    const end = (row + 1) * cells.columns;
    let blankFrom = -1;
    /**
     * Cells up to here may be overdrawn by a terminal that draws the parts of a cluster separately.
     */
    let spoiled = 0;
    for (let index = row * cells.columns; index < end; index++) {
      if (
        widthIn(cells.words[index * unitsPerCell] ?? 0) === 0 ||
        (shown !== undefined && index >= spoiled && isSameCell(cells, index, shown, index))
      )
        continue;
      if (blankFrom === -1) blankFrom = trailingBlank(cells, row);
      if (index >= blankFrom && end - index > minEraseCells) {
        moveTo(cells, index);
        setStyle(plainStyle);
        text += '\u001B[K';
        return;
      }

      put(cells, index);
      if (isCluster(cells, index)) spoiled = index + 2 * cellText(cells, index).length;
    }
  };

  const cursorSequence = (next: FrameCursor | undefined): string => {
    if (next === undefined) return '\u001B[?25l';
    const change = next.shape === shape ? '' : `\u001B[${next.shape} q`;
    ({shape} = next);
    return `${change}${placeSequence(next.row, next.column)}\u001B[?25h`;
  };

  return {
    draw({cells, cursor: next, changed}) {
      const isResized =
        shown !== undefined && (shown.columns !== cells.columns || shown.rows !== cells.rows);
      if (isResized) shown = undefined;
      const isWhole = shown === undefined;
      text = '';
      at = -1;
      const span = isWhole || changed === undefined ? {first: 0, end: cells.rows} : changed;
      for (let row = span.first; row < span.end; row++) drawRow(cells, row);
      if (text === '' && !isWhole && isSameCursor(cursor, next)) return false;
      resetStyle();
      const hide = text === '' || (cursor === undefined && !isWhole) ? '' : '\u001B[?25l';
      const reset = isFirst || isWhole ? '\u001B[m' : '';
      const clear = isFirst ? '\u001B[H\u001B[2J' : '';
      const show =
        text === '' || next !== undefined || cursor !== undefined ? cursorSequence(next) : '';
      write(`\u001B[?2026h${hide}${reset}${clear}${text}${show}\u001B[?2026l`);
      isFirst = false;
      cursor = next;
      shown = copyOfScreen(cells, shown, span);
      return true;
    },
    forget() {
      shown = undefined;
      cursor = undefined;
      shape = undefined;
      style = undefined;
    },
    setDefaultColours(colours) {
      if (colours?.text === defaults?.text && colours?.bg === defaults?.bg) return;
      defaults = colours;
      foreground = toColourUnit(colours?.text);
      background = toColourUnit(colours?.bg);
      shown = undefined;
    },
  };
}

/** The unit of a cell, with this colour if it has the default one. */
function withDefault(unit: number, colour: number): number {
  return (unit & colourKindBits) === 0 ? (unit | colour) >>> 0 : unit;
}

const plainStyle: Style = {foreground: 0, background: 0, underline: 0};
/** Equals the style of no cell. */
const noStyle: Style = {foreground: -1, background: -1, underline: -1};
const minMoveCells = 4;
const minEraseCells = 3;

function placeSequence(row: number, column: number): string {
  return `\u001B[${row + 1};${column + 1}H`;
}

function canRewrite(cells: Cells, from: number, to: number, style: Style): boolean {
  for (let index = from; index < to; index++) {
    const content = cells.words[index * unitsPerCell] ?? 0;
    if (
      widthIn(content) !== 1 ||
      isFragile(cells, index) ||
      !isSameStyle(toStyle(cells, index), style)
    )
      return false;
  }

  return true;
}

/** The first of the blank, unstyled cells at the end of a row. */
function trailingBlank({words: units, columns}: Cells, row: number): number {
  let index = (row + 1) * columns;
  while (index > row * columns) {
    const at = (index - 1) * unitsPerCell;
    if (units[at] !== blankContent || units[at + 1] !== 0 || units[at + 2] !== 0) break;
    index--;
  }

  return index;
}

function isSameStyle(one: Style, other: Style): boolean {
  return (
    one.foreground === other.foreground &&
    one.background === other.background &&
    one.underline === other.underline
  );
}

function isSameCursor(one: FrameCursor | undefined, other: FrameCursor | undefined): boolean {
  return one?.row === other?.row && one?.column === other?.column && one?.shape === other?.shape;
}

function copyOfScreen(cells: Cells, into: Cells | undefined, span: RowSpan): Cells {
  const copy = into ?? createBlank(cells);
  const [from, to] = [span.first * cells.columns, span.end * cells.columns];
  copy.words.set(cells.words.subarray(from * unitsPerCell, to * unitsPerCell), from * unitsPerCell);
  clearClusters(copy, span);
  for (const [index, cluster] of cells.clusters)
    if (index >= from && index < to) copy.clusters.set(index, cluster);
  return copy;
}
