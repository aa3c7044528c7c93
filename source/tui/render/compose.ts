import type {Cells} from '../../terminal/index.ts';
import {createBlank, fillBlank, makeBlank, widthIn, wordsPerCell} from './frame.ts';
import type {Rect, Size} from './rect.ts';

/** Cells, and where on the screen they go: their first cell into the corner of the rectangle. */
export type Layer = {readonly cells: Cells; readonly rect: Rect};

/**
 * Lays layers over each other, the later over the earlier. What does not fit its rectangle is cut, what does not fill it is blank;
 * of a wide character that is cut in two, a space remains. `into` is reused if it has the right size.
 */
export function compose(size: Size, layers: readonly Layer[], into?: Cells): Cells {
  const isReusable = into?.columns === size.columns && into.rows === size.rows;
  const screen = isReusable ? into : createBlank(size);
  if (isReusable) {
    fillBlank(screen.words);
    screen.clusters.clear();
  }

  for (const layer of layers) lay(screen, layer);
  return screen;
}

function lay(screen: Cells, {cells, rect}: Layer): void {
  // A rectangle that begins outside the screen has no first cell to put; layouts are cut before they come here.
  if (rect.row < 0 || rect.column < 0) return;
  const columns = Math.min(rect.columns, screen.columns - rect.column);
  const rows = Math.min(rect.rows, screen.rows - rect.row);
  if (columns <= 0) return;
  const isWhole = columns === screen.columns && columns === cells.columns && rows <= cells.rows;
  if (isWhole) {
    const from = rect.row * screen.columns;
    if (screen.clusters.size > 0) for (let index = from; index < from + rows * columns; index++) screen.clusters.delete(index);
    screen.words.set(cells.words.subarray(0, rows * columns * wordsPerCell), from * wordsPerCell);
  } else {
    for (let row = 0; row < rows; row++) layRow(screen, (rect.row + row) * screen.columns + rect.column, columns, cells, row);
  }

  layClusters(screen, rect, columns, rows, cells);
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
  if (given < columns) fillBlank(words.subarray((start + given) * wordsPerCell, end * wordsPerCell));
  if (given > 0 && widthAt(screen, start + given - 1) === 2) makeBlank(screen, start + given - 1);
  if (given > 0 && widthAt(screen, start) === 0) makeBlank(screen, start);
}

function layClusters(screen: Cells, rect: Rect, columns: number, rows: number, cells: Cells): void {
  for (const [index, text] of cells.clusters) {
    const row = Math.floor(index / cells.columns);
    const column = index % cells.columns;
    const isCut = row >= rows || column >= columns || (column === columns - 1 && widthAt(cells, index) === 2);
    if (!isCut) screen.clusters.set((rect.row + row) * screen.columns + rect.column + column, text);
  }
}

function widthAt({words}: Cells, index: number): number {
  return widthIn(words[index * wordsPerCell] ?? 0);
}
