import {
  type Cells,
  type RowSpan,
  type Style,
  cellText,
  clearClusters,
  isCluster,
  isSameCell,
  styleOf,
  styleSequence,
} from '../../terminal/index.ts';
import type {ColourDepth} from './colour-depth.ts';
import {
  type Frame,
  type FrameCursor,
  blankContent,
  createBlank,
  widthIn,
  wordsPerCell,
} from './frame.ts';
import {drawnText, isFragile, mayJoinBefore} from './drawn-text.ts';
import {createReducer} from './reduce-colour.ts';

export type DiffWriter = {
  /** Brings the terminal from the last frame to this one, in one synchronized update. Writes nothing if there is no difference, and says so. */
  readonly draw: (frame: Frame) => boolean;
  /** What the terminal shows is not known any more: the next frame is written whole. */
  readonly forget: () => void;
};

export type DiffWriterOptions = {
  readonly write: (text: string) => void;
  readonly depth: ColourDepth;
  /** A frame of ours stands there already: it is written over as a whole, not cleared. @default false */
  readonly isPainted?: boolean;
};

/**
 * Writes the cells that changed, and nothing else; only before the first frame is the screen cleared. It takes for granted that
 * lines do not wrap (`CSI ? 7 l`), so that a terminal which counts a character wider than we do does not go on in the next row.
 */
export function createDiffWriter({write, depth, isPainted = false}: DiffWriterOptions): DiffWriter {
  let shown: Cells | undefined;
  let cursor: FrameCursor | undefined;
  /** As it was set last; it stays while the cursor is hidden. */
  let shape: number | undefined = 0;
  let isFirst = !isPainted;
  let style = plain;
  let text = '';
  /** The cell that the terminal writes next; -1 if that is not certain. */
  let at = -1;

  const reduce = createReducer(depth);

  const wear = (next: Style): void => {
    if (isSameStyle(style, next)) return;
    style = next;
    text += styleSequence({
      foreground: reduce(next.foreground),
      background: reduce(next.background),
      underline: next.underline,
    });
  };

  /** Goes to a cell; over a short way of plain characters by writing them once more, which is shorter. */
  const go = (cells: Cells, index: number): void => {
    if (at === index) return;
    const gap = index - at;
    const isAhead =
      at !== -1 && gap > 0 && Math.floor(at / cells.columns) === Math.floor(index / cells.columns);
    if (isAhead && gap <= shortestMove && isPlainWay(cells, at, index, style)) {
      for (let between = at; between < index; between++) text += drawnText(cells, between);
    } else if (isAhead) {
      text += gap === 1 ? '\u001B[C' : `\u001B[${gap}C`;
    } else {
      text += placeSequence(Math.floor(index / cells.columns), index % cells.columns);
    }

    at = index;
  };

  const put = (cells: Cells, index: number): void => {
    const width = Math.max(1, widthIn(cells.words[index * wordsPerCell] ?? 0));
    const drawn = drawnText(cells, index);
    const isUncertain = isFragile(cells, index);
    // A move between two characters keeps them from becoming one.
    if (mayJoinBefore(drawn)) at = -1;
    go(cells, index);
    wear(styleOf(cells, index));
    // A terminal that counts one cell for it would leave what was in the second.
    if (isUncertain && width === 2)
      text += `  ${placeSequence(Math.floor(index / cells.columns), index % cells.columns)}`;
    text += drawn;
    const isAtEnd = (index + width) % cells.columns === 0;
    at = isUncertain || isAtEnd ? -1 : index + width;
  };

  const drawRow = (cells: Cells, row: number): void => {
    const end = (row + 1) * cells.columns;
    let blankFrom = -1;
    /** Up to here a terminal that does not know a cluster may have drawn its parts, each by itself. */
    let spoiled = 0;
    for (let index = row * cells.columns; index < end; index++) {
      if (
        widthIn(cells.words[index * wordsPerCell] ?? 0) === 0 ||
        (shown !== undefined && index >= spoiled && isSameCell(cells, index, shown, index))
      )
        continue;
      if (blankFrom === -1) blankFrom = trailingBlank(cells, row);
      if (index >= blankFrom && end - index > shortestErase) {
        go(cells, index);
        wear(plain);
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
      // Nothing else of the terminal is used in between, so the style stays; but a person's own program may begin after this.
      wear(plain);
      const hide = text === '' || (cursor === undefined && !isWhole) ? '' : '\u001B[?25l';
      const clear = isFirst ? '\u001B[m\u001B[H\u001B[2J' : isWhole ? '\u001B[m' : '';
      const show =
        text === '' || next !== undefined || cursor !== undefined ? cursorSequence(next) : '';
      write(`\u001B[?2026h${hide}${clear}${text}${show}\u001B[?2026l`);
      isFirst = false;
      cursor = next;
      shown = copyOf(cells, shown, span);
      return true;
    },
    forget() {
      shown = undefined;
      cursor = undefined;
      shape = undefined;
      style = plain;
    },
  };
}

const plain: Style = {foreground: 0, background: 0, underline: 0};
const shortestMove = 4;
const shortestErase = 3;

function placeSequence(row: number, column: number): string {
  return `\u001B[${row + 1};${column + 1}H`;
}

function isPlainWay(cells: Cells, from: number, to: number, style: Style): boolean {
  for (let index = from; index < to; index++) {
    const content = cells.words[index * wordsPerCell] ?? 0;
    if (
      widthIn(content) !== 1 ||
      isFragile(cells, index) ||
      !isSameStyle(styleOf(cells, index), style)
    )
      return false;
  }

  return true;
}

/** The first cell of those at the end of a row that are blank in the terminal's own colours. */
function trailingBlank({words, columns}: Cells, row: number): number {
  let index = (row + 1) * columns;
  while (index > row * columns) {
    const word = (index - 1) * wordsPerCell;
    if (words[word] !== blankContent || words[word + 1] !== 0 || words[word + 2] !== 0) break;
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

function copyOf(cells: Cells, into: Cells | undefined, span: RowSpan): Cells {
  const copy = into ?? createBlank(cells);
  const [from, to] = [span.first * cells.columns, span.end * cells.columns];
  copy.words.set(cells.words.subarray(from * wordsPerCell, to * wordsPerCell), from * wordsPerCell);
  clearClusters(copy, span);
  for (const [index, cluster] of cells.clusters)
    if (index >= from && index < to) copy.clusters.set(index, cluster);
  return copy;
}
