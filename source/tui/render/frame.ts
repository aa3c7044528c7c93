import {type Cells, type RowSpan, createCells} from '../../terminal/index.ts';
import type {Size} from './rect.ts';

/** What the terminal is to show. */
export type Frame = {
  readonly cells: Cells;
  readonly cursor?: FrameCursor;
  /** The rows outside of this are as in the frame before. @default nobody knows */
  readonly changed?: RowSpan;
};

export type FrameCursor = {
  readonly row: number;
  readonly column: number;
  /** As DECSCUSR numbers it. */
  readonly shape: number;
};

/** The layout of a cell is told at `Cells`. */
export const wordsPerCell = 3;
export const blankContent = (1 << 22) | 0x20;
export const inverseBit = 0x400_0000;
export const clusterBit = 0x20_0000;
/** The colour and its kind, in the words of foreground and background. */
export const colourBits = 0x3ff_ffff;

export function widthIn(content: number): number {
  return (content >> 22) & 3;
}

export function createBlank({columns, rows}: Size): Cells {
  const cells = createCells(columns, rows);
  fillBlank(cells.words);
  return cells;
}

export function fillBlank(words: Uint32Array): void {
  if (words.length === 0) return;
  words.set([blankContent, 0, 0]);
  // What is filled is copied behind itself, twice as much each time: a loop over cells takes milliseconds until it is compiled.
  for (let filled = wordsPerCell; filled < words.length; filled *= 2)
    words.copyWithin(filled, 0, filled);
}

/** Nothing of a character stays but what is behind it. */
export function makeBlank({words, clusters}: Cells, index: number): void {
  words[index * wordsPerCell] = blankContent;
  clusters.delete(index);
}
