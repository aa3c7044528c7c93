import {type Cells, type RowSpan, clearClusters} from '../../terminal/index.ts';
import {createBlank, fillBlank, makeBlank, widthIn, wordsPerCell} from './frame.ts';
import type {Rect, Size} from './rect.ts';

/** Cells, and where on the screen they go: their first cell into the corner of the rectangle. */
export type Layer = {readonly cells: Cells; readonly rect: Rect};

/**
 * Lays layers over each other, the later over the earlier. What does not fit its rectangle is cut, what does not fill it is blank;
 * of a wide character that is cut in two, a space remains. `into` is reused if it has the right size; then only the rows of `span`
 * are laid anew, if the others are as they were.
 */
export function compose(size: Size, layers: readonly Layer[], into?: Cells, span?: RowSpan): Cells {
  const isReusable = into?.columns === size.columns && into.rows === size.rows;
  const screen = isReusable ? into : createBlank(size);
  const wanted = isReusable && span !== undefined ? span : {first: 0, end: size.rows};
  if (isReusable) {
    const perRow = size.columns * wordsPerCell;
    fillBlank(screen.words.subarray(wanted.first * perRow, wanted.end * perRow));
    clearClusters(screen, wanted);
  }

  for (const layer of layers) lay(screen, layer, wanted);
  return screen;
}

function lay(screen: Cells, {cells, rect}: Layer, wanted: RowSpan): void {
  // A rectangle that begins outside the screen has no first cell to put; layouts are cut before they come here.
  if (rect.row < 0 || rect.column < 0) return;
  const columns = Math.min(rect.columns, screen.columns - rect.column);
  // The rows of the layer that are wanted.
  const first = Math.max(0, wanted.first - rect.row);
  const end = Math.min(rect.rows, screen.rows - rect.row, wanted.end - rect.row);
  if (columns <= 0 || first >= end) return;
  const isWhole = columns === screen.columns && columns === cells.columns && end <= cells.rows;
  if (isWhole) {
    clearClusters(screen, {first: rect.row + first, end: rect.row + end});
    screen.words.set(
      cells.words.subarray(first * columns * wordsPerCell, end * columns * wordsPerCell),
      (rect.row + first) * columns * wordsPerCell,
    );
  } else {
    for (let row = first; row < end; row++)
      layRow(screen, (rect.row + row) * screen.columns + rect.column, columns, cells, row);
  }

  layClusters(screen, rect, columns, {first, end}, cells);
}

function layRow(screen: Cells, start: number, columns: number, cells: Cells, row: number): void {
  const {words, clusters} = screen;
  const end = start + columns;
  // The wide characters that the borders of the rectangle cut.
  if (widthAt(screen, start) === 0 && start % screen.columns > 0) makeBlank(screen, start - 1);
  if (end % screen.columns > 0 && widthAt(screen, end) === 0) makeBlank(screen, end);
  if (clusters.size > 0) for (let index = start; index < end; index++) clusters.delete(index);

  const given = row < cells.rows ? Math.min(columns, cells.columns) : 0;
  const from = row * cells.columns * wordsPerCell;
  words.set(cells.words.subarray(from, from + given * wordsPerCell), start * wordsPerCell);
  if (given < columns)
    fillBlank(words.subarray((start + given) * wordsPerCell, end * wordsPerCell));
  if (given > 0 && widthAt(screen, start + given - 1) === 2) makeBlank(screen, start + given - 1);
  if (given > 0 && widthAt(screen, start) === 0) makeBlank(screen, start);
}

function layClusters(
  screen: Cells,
  rect: Rect,
  columns: number,
  {first, end}: RowSpan,
  cells: Cells,
): void {
  for (const [index, text] of cells.clusters) {
    const row = Math.floor(index / cells.columns);
    const column = index % cells.columns;
    const isCut =
      row < first ||
      row >= end ||
      column >= columns ||
      (column === columns - 1 && widthAt(cells, index) === 2);
    if (!isCut) screen.clusters.set((rect.row + row) * screen.columns + rect.column + column, text);
  }
}

function widthAt({words}: Cells, index: number): number {
  return widthIn(words[index * wordsPerCell] ?? 0);
}
