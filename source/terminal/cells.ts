/**
 * A rectangle of cells, packed for a program that compares them: two cells look the same when their three words and, where
 * `isCluster` says so, their clusters are the same.
 *
 * - word 0, content: bits 0–20 the code point, bit 21 set if the text is in `clusters`, bits 22–23 the width (0 for the right half
 *   of the wide cell before it), bits 24–26 the style of the underline beyond a single one (2 double, 3 curly, 4 dotted, 5 dashed)
 * - word 1, foreground: bits 0–23 the colour, bits 24–25 its kind, bits 26–31 inverse, bold, underline, blink, invisible, strike
 * - word 2, background: bits 0–23 the colour, bits 24–25 its kind, bit 26 italic, bit 27 dim, bit 30 overline
 *
 * The kind of a colour is 0 for the terminal's own, 1 for one of 16, 2 for one of 256, 3 for 24 bits of red, green and blue.
 * Not kept: the colour of underlines, and links.
 */
export type Cells = {
  readonly columns: number;
  readonly rows: number;
  /** Three for each cell, row by row. */
  readonly words: Uint32Array;
  /** The text of cells that hold more than one code point, by the index of the cell. */
  readonly clusters: Map<number, string>;
};

/** Rows from the first up to, not with, the end; none if it ends where it begins. */
export type RowSpan = {readonly first: number; readonly end: number};

export const wordsPerCell = 3;
export const clusterFlag = 0x20_0000;
export const codePointMask = 0x1f_ffff;
export const widthShift = 22;
export const underlineShift = 24;
/** A blank cell in the terminal's own colours. */
export const blankContent = (1 << widthShift) | 0x20;

export function createCells(columns: number, rows: number): Cells {
  return {
    columns,
    rows,
    words: new Uint32Array(columns * rows * wordsPerCell),
    clusters: new Map(),
  };
}

export function clearClusters({columns, clusters}: Cells, {first, end}: RowSpan): void {
  if (clusters.size === 0) return;
  for (let index = first * columns; index < end * columns; index++) clusters.delete(index);
}

/** The text of a cell; empty for the right half of a wide one. */
export function cellText({words, clusters}: Cells, index: number): string {
  const content = words[index * wordsPerCell] ?? 0;
  if ((content & clusterFlag) !== 0) return clusters.get(index) ?? '';
  return (content & codePointMask) === 0 ? '' : String.fromCodePoint(content & codePointMask);
}

/** Whether the cell holds more than one code point. Terminals do not agree on its width: whoever writes it out places the cursor anew behind it. */
export function isCluster({words}: Cells, index: number): boolean {
  return ((words[index * wordsPerCell] ?? 0) & clusterFlag) !== 0;
}

/** 0, 1 or 2. */
export function cellWidth({words}: Cells, index: number): number {
  return ((words[index * wordsPerCell] ?? 0) >> widthShift) & 3;
}

export function isSameCell(one: Cells, index: number, other: Cells, otherIndex: number): boolean {
  const at = index * wordsPerCell;
  const otherAt = otherIndex * wordsPerCell;
  const content = one.words[at] ?? 0;
  return (
    content === other.words[otherAt] &&
    one.words[at + 1] === other.words[otherAt + 1] &&
    one.words[at + 2] === other.words[otherAt + 2] &&
    ((content & clusterFlag) === 0 || one.clusters.get(index) === other.clusters.get(otherIndex))
  );
}

/** The text of a row without the blanks at its end. */
export function rowText(cells: Cells, row: number): string {
  let text = '';
  for (let index = row * cells.columns; index < (row + 1) * cells.columns; index++)
    text += cellText(cells, index);
  return text.trimEnd();
}
