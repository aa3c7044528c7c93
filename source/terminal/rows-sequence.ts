import {type Cells, blankContent, cellText, cellWidth, isCluster, wordsPerCell} from './cells.ts';
import {mayJoin} from './cluster-rules.ts';
import {type Style, styleOf, styleSequence} from './style-of.ts';

/**
 * Draws rows from the corner of a blank screen down, so that those which do not fit scroll out above it. A row that `isWrapped`
 * says goes on from the one before is reached by wrapping, as it was when it was drawn. A last cell that `isLeftFree` says no
 * character was ever in is left so where a wide one did not fit: drawn as a blank it would stay in the text when the screen is
 * resized.
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

/** Whether a wide character there would have left the cell before it as it is. */
function wrapsByItself(cells: Cells, index: number): boolean {
  return (
    cellWidth(cells, index) === 2 && isSameStyle(styleOf(cells, index - 1), styleOf(cells, index))
  );
}

/** Draws cells with their styles, and leaves the terminal's own style behind. */
export function cellsSequence(cells: Cells, from: number, to: number): string {
  let text = '';
  let style = plain;
  for (let index = from; index < to; index++) {
    if (cellWidth(cells, index) === 0) continue;
    const next = styleOf(cells, index);
    const drawn = cellText(cells, index);
    // A sequence between two cells also keeps them from becoming one.
    if (!isSameStyle(style, next) || mayJoin(drawn.codePointAt(0) ?? 0))
      text += styleSequence(next);
    text += drawn;
    style = next;
    // Terminals do not agree on how wide a cluster is.
    const end = index + cellWidth(cells, index);
    if (isCluster(cells, index) && end < to) text += `\u001B[${(end % cells.columns) + 1}G`;
  }

  return isSameStyle(style, plain) ? text : `${text}${styleSequence(plain)}`;
}

const plain: Style = {foreground: 0, background: 0, underline: 0};

function isSameStyle(one: Style, other: Style): boolean {
  return (
    one.foreground === other.foreground &&
    one.background === other.background &&
    one.underline === other.underline
  );
}

/** How many cells of a row there are up to the last that is not blank. */
function drawnLength({words, columns}: Cells, row: number): number {
  for (let length = columns; length > 0; length--) {
    const at = (row * columns + length - 1) * wordsPerCell;
    if (words[at] !== blankContent || words[at + 1] !== 0 || words[at + 2] !== 0) return length;
  }

  return 0;
}
