import type {Cells} from '../../terminal/index.ts';
import type {ColourDepth} from './colour-depth.ts';
import {createDiffWriter} from './create-diff-writer.ts';

/** A whole frame as what draws it on a terminal of its size. Its last row says that it is not of now. */
export function frameText(cells: Cells, depth: ColourDepth): string {
  let text = '';
  createDiffWriter({
    write: (drawn) => {
      text += drawn;
    },
    depth,
  }).draw({cells});
  return `${text}\u001B[${cells.rows};1H\u001B[2m as you left it\u001B[m\u001B[K`;
}
