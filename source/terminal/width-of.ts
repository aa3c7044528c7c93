import {wideRanges, zeroWidthRanges} from './width-ranges.ts';

/** How many cells a character takes by itself: 0, 1 or 2. */
export function widthOf(codePoint: number): number {
  if (codePoint < tableSize) return widths[codePoint] ?? 1;
  if (codePoint <= 0x3ffff) return 2;
  return (codePoint >= 0xe0000 && codePoint <= 0xe007f) ||
    (codePoint >= 0xe0100 && codePoint <= 0xe01ef)
    ? 0
    : 1;
}

const tableSize = 0x20000;
const widths = createWidths();

function createWidths(): Uint8Array {
  const table = new Uint8Array(tableSize).fill(1).fill(0, 0, 0x20).fill(0, 0x7f, 0xa0);
  fillRanges(table, wideRanges, 2);
  fillRanges(table, zeroWidthRanges, 0);
  return table;
}

function fillRanges(table: Uint8Array, ranges: readonly number[], width: number): void {
  for (let index = 0; index < ranges.length; index += 2)
    table.fill(width, ranges[index], (ranges[index + 1] ?? 0) + 1);
}
