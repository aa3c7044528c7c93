import {type Cells, cellsOfText} from '../../terminal/index.ts';
import {minSize, type Size} from '../render/frame.ts';

/** Shown instead of the app in a terminal that is too small: as much as fits. */
export function tooSmallCells(size: Size): Cells {
  const {columns, rows} = size;
  const sentences = [
    `Needs ${minSize.columns}×${minSize.rows}, this is ${columns}×${rows}.`,
    'Agents go on; q leaves.',
  ];
  const whole = sentences.join(' ');
  const lines = whole.length <= columns ? [whole] : sentences;
  return cellsOfText(lines.map((line) => line.slice(0, columns)).join('\n'), size);
}
