import {type Cells, cellsOfText} from '../../terminal/index.ts';
import type {Size} from '../render/rect.ts';

export const leastSize: Size = {columns: 60, rows: 15};

export function isTooSmall({columns, rows}: Size): boolean {
  return columns < leastSize.columns || rows < leastSize.rows;
}

/** What is shown instead of the app, in as many words as there is room for. */
export function tooSmallCells(size: Size): Cells {
  const {columns, rows} = size;
  const lines = [
    'too small',
    `${columns}×${rows}, at least ${leastSize.columns}×${leastSize.rows}`,
    'q leaves; everything goes on',
  ];
  return cellsOfText(
    lines
      .filter((line) => line.length <= columns || line === lines[0])
      .map((line) => line.slice(0, columns))
      .join('\n'),
    size,
  );
}
