import {type Cells, clearClusters, type RowSpan} from '../../terminal/index.ts';
import {
  createBlank,
  fillBlank,
  makeBlank,
  type Rect,
  type Size,
  widthIn,
  unitsPerCell,
} from './frame.ts';

/** Cells and the rectangle that they fill, from its top left corner. */
export type Layer = {readonly cells: Cells; readonly rect: Rect};

/**
 * Lays layers over each other, later ones on top. Layers are clipped to their rectangles and padded
 * with blanks; half of a wide character becomes a space. `into` is reused if it has the right size;
 * with `span`, only those rows are composed again.
 */
export function compose(size: Size, layers: readonly Layer[], into?: Cells, span?: RowSpan): Cells {
  const isReusable = into?.columns === size.columns && into.rows === size.rows;
  const screen = isReusable ? into : createBlank(size);
  const wanted = isReusable && span !== undefined ? span : {first: 0, end: size.rows};
  if (isReusable) {
    const unitsPerRow = size.columns * unitsPerCell;
    fillBlank(screen.words.subarray(wanted.first * unitsPerRow, wanted.end * unitsPerRow));
    clearClusters(screen, wanted);
  }

  for (const layer of layers) lay(screen, layer, wanted);
  return screen;
}

function lay(screen: Cells, {cells, rect}: Layer, wanted: RowSpan): void {
  // Layouts are clipped to the screen before; a negative origin is not supported.
  if (rect.row < 0 || rect.column < 0) return;
  const columns = Math.min(rect.columns, screen.columns - rect.column);
  const first = Math.max(0, wanted.first - rect.row);
  const end = Math.min(rect.rows, screen.rows - rect.row, wanted.end - rect.row);
  if (columns <= 0 || first >= end) return;
  const isWhole = columns === screen.columns && columns === cells.columns && end <= cells.rows;
  if (isWhole) {
    clearClusters(screen, {first: rect.row + first, end: rect.row + end});
    screen.words.set(
      cells.words.subarray(first * columns * unitsPerCell, end * columns * unitsPerCell),
      (rect.row + first) * columns * unitsPerCell,
    );
  } else {
    for (let row = first; row < end; row++)
      layRow(screen, (rect.row + row) * screen.columns + rect.column, columns, cells, row);
  }

  layClusters(screen, rect, columns, {first, end}, cells);
}

function layRow(screen: Cells, start: number, columns: number, cells: Cells, row: number): void {
  const {words: units, clusters} = screen;
  const end = start + columns;
  // Blank the wide characters that the edges of the rectangle cut.
  if (widthAt(screen, start) === 0 && start % screen.columns > 0) makeBlank(screen, start - 1);
  if (end % screen.columns > 0 && widthAt(screen, end) === 0) makeBlank(screen, end);
  if (clusters.size > 0) for (let index = start; index < end; index++) clusters.delete(index);

  const given = row < cells.rows ? Math.min(columns, cells.columns) : 0;
  const from = row * cells.columns * unitsPerCell;
  units.set(cells.words.subarray(from, from + given * unitsPerCell), start * unitsPerCell);
  if (given < columns)
    fillBlank(units.subarray((start + given) * unitsPerCell, end * unitsPerCell));
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

function widthAt({words: units}: Cells, index: number): number {
  return widthIn(units[index * unitsPerCell] ?? 0);
}
