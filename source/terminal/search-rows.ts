import {type Cells, cellText} from './cells.ts';

/** Where a match begins. */
export type Match = {readonly row: number; readonly column: number};

/**
 * Finds a text in rows of cells, across the ends of rows where a line wraps. Upper and lower case count only if the text has upper
 * case. `isWrapped` tells whether a row goes on from the one before.
 */
export function searchRows(
  cells: Cells,
  isWrapped: (row: number) => boolean,
  wanted: string,
): Match[] {
  if (wanted === '') return [];
  const fold =
    wanted === wanted.toLowerCase() ? (text: string) => text.toLowerCase() : (text: string) => text;
  const matches: Match[] = [];
  let line = '';
  /** The cell that each character of the line comes from. */
  let origins: number[] = [];
  for (let row = 0; row < cells.rows; row++) {
    if (!isWrapped(row)) {
      line = '';
      origins = [];
    }

    const from = line.length;
    for (let index = row * cells.columns; index < (row + 1) * cells.columns; index++) {
      const text = fold(cellText(cells, index));
      line += text;
      origins.push(...Array<number>(text.length).fill(index));
    }

    // What ends in this row and may have begun in an earlier one.
    for (
      let at = line.indexOf(wanted, Math.max(0, from - wanted.length + 1));
      at !== -1;
      at = line.indexOf(wanted, at + wanted.length)
    ) {
      const index = origins[at] ?? 0;
      matches.push({row: Math.floor(index / cells.columns), column: index % cells.columns});
    }
  }

  return matches;
}
