import {type Cells, cellText, type Screen} from '../../terminal/index.ts';
import {inverseBit, unitsPerCell} from '../render/frame.ts';
import type {ViewportState} from './viewport-state.ts';

/** A selection in reading order; `from` and `to` are both included. */
export type Selection = {
  readonly from: Place;
  readonly to: Place;
  readonly whole: 'characters' | 'lines';
};

type Place = {readonly row: number; readonly column: number};

/** The selection between anchor and copy cursor; undefined without an anchor. */
export function toSelection({copy}: ViewportState, columns: number): Selection | undefined {
  if (copy?.anchor === undefined) return undefined;
  const {anchor} = copy;
  const [from, to] =
    anchor.row < copy.row || (anchor.row === copy.row && anchor.column <= copy.column)
      ? [anchor, copy]
      : [copy, anchor];
  if (anchor.whole === 'lines')
    return {
      from: {row: from.row, column: 0},
      to: {row: to.row, column: columns - 1},
      whole: 'lines',
    };
  return {
    from: {row: from.row, column: from.column},
    to: {row: to.row, column: to.column},
    whole: 'characters',
  };
}

/**
 * The text of a selection without trailing blanks. A row that is filled to its end continues in the
 * next row.
 */
export function selectionText(screen: Screen, {from, to}: Selection): string {
  const cells = screen.readCells(from.row, to.row - from.row + 1);
  let text = '';
  for (let row = 0; row < cells.rows; row++) {
    const first = row === 0 ? from.column : 0;
    const last = row === cells.rows - 1 ? to.column : cells.columns - 1;
    let line = '';
    for (let column = first; column <= last; column++)
      line += cellText(cells, row * cells.columns + column);
    const isFilled = cellText(cells, (row + 1) * cells.columns - 1).trim() !== '';
    if (row === cells.rows - 1) text += line.trimEnd();
    else text += isFilled ? line : `${line.trimEnd()}\n`;
  }

  return text;
}

/**
 * Inverts matches, selection and copy cursor. `cells` begin at the first row that the viewport
 * shows.
 */
export function invertMarked(cells: Cells, viewport: ViewportState): void {
  const {search, copy, scroll} = viewport;
  for (const {row, column} of search?.matches ?? []) {
    for (let offset = 0; offset < (search?.text.length ?? 0); offset++)
      invertCell(cells, {row: row + scroll, column: column + offset});
  }

  const selection = toSelection(viewport, cells.columns);
  if (selection !== undefined) {
    const {from, to} = selection;
    for (
      let row = Math.max(from.row, -scroll);
      row <= Math.min(to.row, cells.rows - 1 - scroll);
      row++
    ) {
      const last = row === to.row ? to.column : lastDrawnColumn(cells, row + scroll);
      for (let column = row === from.row ? from.column : 0; column <= last; column++)
        invertCell(cells, {row: row + scroll, column});
    }
  }

  if (copy !== undefined) invertCell(cells, {row: copy.row + scroll, column: copy.column});
}

/** The last column of a row that is not blank, or 0. */
function lastDrawnColumn(cells: Cells, row: number): number {
  let column = cells.columns - 1;
  while (column > 0 && cellText(cells, row * cells.columns + column).trim() === '') column--;
  return column;
}

function invertCell({words: units, columns, rows}: Cells, {row, column}: Place): void {
  if (row < 0 || row >= rows || column < 0 || column >= columns) return;
  const at = (row * columns + column) * unitsPerCell + 1;
  units[at] = ((units[at] ?? 0) ^ inverseBit) >>> 0;
}
