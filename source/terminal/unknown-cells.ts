import type {EmulatorBuffer, EmulatorLine} from './emulator-core.ts';
import {isProtected} from './pack-line.ts';

/**
 * A screen that begins to read in the middle of a stream marks every cell as unknown, by the attribute that protects cells from
 * selective erasing: the allow-list keeps programs from setting it, and whatever they draw, erase or scroll in clears it. So a
 * screen without unknown cells looks as if it had been read from the start.
 */
export function unknownFill(columns: number, rows: number): string {
  const filled = Array.from({length: rows}, (_, row) => `\u001B[${row + 1}H${' '.repeat(columns)}`);
  return `\u001B[1"q${filled.join('')}\u001B[0"q`;
}

export function hasUnknownCell(line: EmulatorLine | undefined): boolean {
  const columns = (line?._data.length ?? 0) / 3;
  for (let column = 0; column < columns; column++) if (isProtected(line, column)) return true;
  return false;
}

/** How many lines are above the screen, without those that stand for what is unknown. */
export function historyOf({ybase, lines}: EmulatorBuffer): number {
  let unknown = 0;
  while (unknown < ybase && isProtected(lines.get(unknown), 0)) unknown++;
  return ybase - unknown;
}
