import {type Cells, type Screen, cellText} from '../../terminal/index.ts';
import {inverseBit, wordsPerCell} from '../render/frame.ts';
import type {Looking} from './looking.ts';

/** What is selected: from and to, both inside, in the order of reading. */
export type Selection = {
  readonly from: Place;
  readonly to: Place;
  readonly whole: 'characters' | 'lines';
};

type Place = {readonly row: number; readonly column: number};

/** Without an anchor, nothing is selected. */
export function selectionOf({copy}: Looking, columns: number): Selection | undefined {
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

/** The text of a selection, without the blanks at the ends of lines. A row that is filled to its end goes on in the next. */
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
    text += row === cells.rows - 1 ? line.trimEnd() : isFilled ? line : `${line.trimEnd()}\n`;
  }

  return text;
}

/** Marks what was found and what is selected, by turning its colours round; `cells` begin at the row that `looking` shows first. */
export function highlight(cells: Cells, looking: Looking): void {
  const {search, copy, scroll} = looking;
  for (const {row, column} of search?.matches ?? []) {
    for (let offset = 0; offset < (search?.words.length ?? 0); offset++)
      turn(cells, {row: row + scroll, column: column + offset});
  }

  const selection = selectionOf(looking, cells.columns);
  if (selection !== undefined) {
    const {from, to} = selection;
    for (
      let row = Math.max(from.row, -scroll);
      row <= Math.min(to.row, cells.rows - 1 - scroll);
      row++
    ) {
      const last = row === to.row ? to.column : lastDrawn(cells, row + scroll);
      for (let column = row === from.row ? from.column : 0; column <= last; column++)
        turn(cells, {row: row + scroll, column});
    }
  }

  if (copy !== undefined) turn(cells, {row: copy.row + scroll, column: copy.column});
}

/** The last column of a row that is not blank, the first if all are. */
function lastDrawn(cells: Cells, row: number): number {
  let column = cells.columns - 1;
  while (column > 0 && cellText(cells, row * cells.columns + column).trim() === '') column--;
  return column;
}

function turn({words, columns, rows}: Cells, {row, column}: Place): void {
  if (row < 0 || row >= rows || column < 0 || column >= columns) return;
  const at = (row * columns + column) * wordsPerCell + 1;
  words[at] = ((words[at] ?? 0) ^ inverseBit) >>> 0;
}
