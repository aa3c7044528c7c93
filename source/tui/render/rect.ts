export type Size = {readonly columns: number; readonly rows: number};

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

export function rectOf({columns, rows}: Size): Rect {
  return {row: 0, column: 0, rows, columns};
}
