import {type Cells, createCells, type RowSpan} from '../../terminal/index.ts';

/** What the terminal is to show. `words` of `Cells` holds three 32-bit units for each cell. */
export type Frame = {
  readonly cells: Cells;
  readonly cursor?: FrameCursor;
  /** Rows outside of this are the same as in the previous frame. @default unknown */
  readonly changed?: RowSpan;
};

export type FrameCursor = {
  readonly row: number;
  readonly column: number;
  /** The number of DECSCUSR. */
  readonly shape: number;
};

/** The layout of a cell is described at `Cells`. */
export const unitsPerCell = 3;
export const blankContent = (1 << 22) | 0x20;
export const inverseBit = 0x400_0000;
export const clusterBit = 0x20_0000;
/** The colour and its kind, in the foreground and background units. */
export const colourBits = 0x3ff_ffff;

export function widthIn(content: number): number {
  return (content >> 22) & 3;
}

export function createBlank({columns, rows}: Size): Cells {
  const cells = createCells(columns, rows);
  fillBlank(cells.words);
  return cells;
}

export function fillBlank(units: Uint32Array): void {
  if (units.length === 0) return;
  units.set([blankContent, 0, 0]);
  // Doubling the filled part by copying: a loop over cells takes milliseconds until it is compiled.
  for (let filled = unitsPerCell; filled < units.length; filled *= 2)
    units.copyWithin(filled, 0, filled);
}

/** Removes the character of a cell and keeps its colours. */
export function makeBlank({words: units, clusters}: Cells, index: number): void {
  units[index * unitsPerCell] = blankContent;
  clusters.delete(index);
}

export type Size = {readonly columns: number; readonly rows: number};

/** A terminal may say that it has no size. */
export function clampSize({columns, rows}: Size): Size {
  return {columns: Math.max(1, columns), rows: Math.max(1, rows)};
}

/** Below this the app shows only that the terminal is too small. */
export const minSize: Size = {columns: 40, rows: 12};

export function isTooSmall({columns, rows}: Size): boolean {
  return columns < minSize.columns || rows < minSize.rows;
}

/** A part of the screen; row and column count from 0. */
export type Rect = {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
};

export function isInside(
  {row, column, rows, columns}: Rect,
  place: {readonly row: number; readonly column: number},
): boolean {
  return (
    place.row >= row &&
    place.row < row + rows &&
    place.column >= column &&
    place.column < column + columns
  );
}

export function isSameRect(one: Rect, other: Rect): boolean {
  return (
    one.row === other.row &&
    one.column === other.column &&
    one.rows === other.rows &&
    one.columns === other.columns
  );
}

export function toRect({columns, rows}: Size): Rect {
  return {row: 0, column: 0, rows, columns};
}
