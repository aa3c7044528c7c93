import {type Cells, cellText, isCluster} from '../../terminal/index.ts';
import {widthIn, wordsPerCell} from './frame.ts';

/** What is written for a cell: its text, or a space for what would draw nothing or act on the terminal. Cells come from emulators, which keep such things out; this is the last door. */
export function drawnText(cells: Cells, index: number): string {
  const text = cellText(cells, index);
  const isCut =
    widthIn(cells.words[index * wordsPerCell] ?? 0) === 2 && (index + 1) % cells.columns === 0;
  return isCut ||
    text === '' ||
    (acting.test(text) && !isCluster(cells, index)) ||
    controls.test(text)
    ? ' '
    : text;
}

/** C0, C1, and what reorders text. */
const controls = /[\0-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/;
/** What draws nothing by itself. */
const acting = /^[\u00AD\u200B-\u200D\u2060\uFEFF]/;

/** Whether terminals may not agree on how wide it is: the cursor is placed anew behind it. */
export function isFragile(cells: Cells, index: number): boolean {
  if (isCluster(cells, index)) return true;
  const codePoint = (cells.words[index * wordsPerCell] ?? 0) & 0x1f_ffff;
  return (
    codePoint >= 0x1_f000 ||
    (codePoint >= 0x2600 && codePoint < 0x2800) ||
    (codePoint >= 0x2300 && codePoint < 0x2400) ||
    (codePoint >= 0x2b00 && codePoint < 0x2c00) ||
    (codePoint >= 0xe000 && codePoint < 0xf900)
  );
}

/** Whether it might become one with the character before it: skin tones, regional indicators, emoji. */
export function mayJoinBefore(text: string): boolean {
  return (text.codePointAt(0) ?? 0) >= 0x1_f000;
}
