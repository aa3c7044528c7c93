import type {Dialog} from '../../agents/index.ts';
import {rowText, styleOf, type Cells} from '../../terminal/index.ts';

/**
 * The keys that choose one option of a dialog and nothing else. In a list that is its digit, without Enter: what would come after
 * the answer could be another dialog. Side by side, and in a menu without numbers, it is the way from the one that is marked now;
 * nothing if none is seen to be.
 */
export function optionKeys(
  {options, row, marked: chosen}: Dialog,
  number: number,
  cells: Cells,
): string | undefined {
  if (number < 1 || number > options.length) return undefined;
  if (chosen !== undefined) {
    const way = number - 1 - chosen;
    return `${(way < 0 ? up : down).repeat(Math.abs(way))}\r`;
  }

  if (row === undefined) return number <= 9 ? String(number) : undefined;
  const marked = markedIn(options, row, cells);
  if (marked === undefined) return undefined;
  const steps = number - 1 - marked;
  return `${(steps < 0 ? left : right).repeat(Math.abs(steps))}\r`;
}

const up = '\u001B[A';
const down = '\u001B[B';
const left = '\u001B[D';
const right = '\u001B[C';

/** The one whose background is not that of the hints beside it. */
function markedIn(options: readonly string[], row: number, cells: Cells): number | undefined {
  const text = rowText(cells, row);
  const backgroundAt = (column: number): number =>
    styleOf(cells, row * cells.columns + column).background & colour;
  const hints = text.indexOf('⇆');
  let from = 0;
  const columns = options.map((option) => {
    const at = text.indexOf(option, from);
    from = at + option.length;
    return at;
  });
  const marked = columns.flatMap((column, index) =>
    column !== -1 && backgroundAt(column) !== backgroundAt(hints) ? [index] : [],
  );
  return hints === -1 || marked.length !== 1 ? undefined : marked[0];
}

const colour = 0x3ff_ffff;
