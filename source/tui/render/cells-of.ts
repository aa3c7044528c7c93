import type {Cells} from '../../terminal/index.ts';
import {createTextReader} from './create-text-reader.ts';
import type {Size} from './rect.ts';

/** The cells of a text that is seldom shown. */
export function cellsOf(text: string, size: Size): Cells {
  const reader = createTextReader();
  const cells = reader.read(text, size);
  reader.close();
  return cells;
}
