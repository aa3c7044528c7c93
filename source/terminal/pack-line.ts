import {
  type Cells,
  blankContent,
  clusterFlag,
  codePointMask,
  underlineShift,
  widthShift,
  wordsPerCell,
} from './cells.ts';
import type {EmulatorAttributes, EmulatorLine} from './emulator-core.ts';
import type {Style} from './style-of.ts';
import {widthOf} from './width-of.ts';

/**
 * Copies a line of the emulator, whose words have nearly the layout of ours, into a row of cells. What would draw less or more
 * than its cells becomes blank: marks with nothing to sit on, and halves of wide characters.
 */
export function packLine(line: EmulatorLine | undefined, cells: Cells, row: number): void {
  const {columns, words, clusters} = cells;
  const data = line?._data;
  const end = (row + 1) * columns * wordsPerCell;
  let widthBefore = 1;
  for (
    let at = row * columns * wordsPerCell, from = 0;
    at < end;
    at += wordsPerCell, from += wordsPerCell
  ) {
    const foreground = data?.[from + 1] ?? 0;
    const background = data?.[from + 2] ?? 0;
    let content = data?.[from] ?? 0;
    if ((content & clusterFlag) !== 0)
      content = packCluster(
        content,
        line?._combined[from / wordsPerCell],
        clusters,
        at / wordsPerCell,
      );
    else if (isBlank(content & codePointMask) && (content !== 0 || widthBefore !== 2))
      content = blankContent;
    if ((foreground & underlined) !== 0)
      content |=
        underlineOf(background, line?._extendedAttrs[from / wordsPerCell]) << underlineShift;
    const width = (content >> widthShift) & 3;
    if (widthBefore === 2 && width !== 0) makeBlank(cells, at / wordsPerCell - 1);
    words[at] = content;
    words[at + 1] = packColour(foreground);
    words[at + 2] = packColour(background) & drawn;
    widthBefore = width;
  }

  if (widthBefore === 2) makeBlank(cells, end / wordsPerCell - 1);
}

export function packStyle({fg, bg, extended}: EmulatorAttributes): Style {
  const underline = (fg & underlined) === 0 ? 0 : underlineOf(bg, extended);
  return {foreground: packColour(fg) >>> 0, background: (packColour(bg) & drawn) >>> 0, underline};
}

export function isProtected(line: EmulatorLine | undefined, column: number): boolean {
  return ((line?._data[column * wordsPerCell + 2] ?? 0) & protection) !== 0;
}

/** Nothing was ever written there, not even a blank; nor is it the right half of a wide character. */
export function isLeftFree(line: EmulatorLine | undefined, column: number): boolean {
  const content = line?._data[column * wordsPerCell] ?? 0;
  return (content & (clusterFlag | codePointMask)) === 0 && ((content >> widthShift) & 3) === 1;
}

const underlined = 0x1000_0000;
const extension = 0x1000_0000;
const protection = 0x2000_0000;
/** What of the background word can be seen. */
const drawn = ~(extension | protection);

function isBlank(codePoint: number): boolean {
  return codePoint === 0 || (codePoint >= 0x300 && widthOf(codePoint) === 0);
}

function packCluster(
  content: number,
  text = '',
  clusters: Map<number, string>,
  index: number,
): number {
  if (isBlank(text.codePointAt(0) ?? 0)) return blankContent;
  clusters.set(index, text);
  return content;
}

function makeBlank({words, clusters}: Cells, index: number): void {
  words[index * wordsPerCell] = blankContent;
  clusters.delete(index);
}

function underlineOf(
  background: number,
  extended: {readonly underlineStyle: number} | undefined,
): number {
  const style = (background & extension) === 0 ? 0 : (extended?.underlineStyle ?? 0);
  return style > 1 ? style : 0;
}

/** Where a colour is a number, the emulator leaves bits of an earlier colour above it. */
function packColour(word: number): number {
  const kind = (word >> 24) & 3;
  return kind === 1 || kind === 2 ? word & 0xff00_00ff : word;
}
