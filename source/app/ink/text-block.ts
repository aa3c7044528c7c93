import {
  applySgr,
  type Cells,
  cellsOfText,
  clusterProperties,
  plainBits,
  type StyleBits,
  textWidth,
} from '../../terminal/index.ts';
import {createBlank, unitsPerCell} from '../render/frame.ts';

/** Drawn text: its cells, and how many cells of each row are written. */
export type Block = {readonly cells: Cells; readonly widths: readonly number[]};

/** Text with colours and styles, as Ink's `Text` makes it, as cells. */
export function toBlock(text: string): Block {
  const simple = toSimpleBlock(text);
  if (simple !== undefined) return simple;
  const widths = text.split('\n').map(textWidth);
  const size = {columns: Math.max(1, ...widths), rows: widths.length};
  return {widths, cells: cellsOfText(text, size)};
}

/**
 * Most texts are single characters and styles, which one pass reads. Everything else (clusters,
 * other sequences, controls) returns undefined and is left to the full reader.
 */
function toSimpleBlock(text: string): Block | undefined {
  const widths: number[] = [];
  const starts: number[] = [0];
  let count = 0;
  let column = 0;
  let style = plainBits;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x1b) {
      const end = text.indexOf('m', at);
      const numbers = end === -1 ? '' : text.slice(at + 2, end);
      if (end === -1 || text[at + 1] !== '[' || !/^[\d;]*$/.test(numbers)) return undefined;
      style = styleAfter(style, numbers);
      at = end;
      continue;
    }

    if (code === 0x0a) {
      widths.push(column);
      starts.push(count);
      column = 0;
      continue;
    }

    if (code < 0x20 || code === 0x7f) return undefined;
    const width = code < 0x7f ? 1 : simpleWidth(text, at);
    if (width === 0 || joinsNext(text, at) || count + width > scratchCells) return undefined;
    const codePoint = code < 0x7f ? code : (text.codePointAt(at) ?? 0);
    writeCell(count, codePoint, width, style);
    if (codePoint > 0xffff) at++;
    count += width;
    column += width;
  }

  widths.push(column);
  return {widths, cells: copyRows(widths, starts)};
}

/** The width of a character that is drawn by itself; 0 if that is not certain. */
function simpleWidth(text: string, at: number): number {
  const codePoint = text.codePointAt(at) ?? 0;
  return codePoint < 0xa0 || codePoint >= 0x1_f000 ? 0 : clusterProperties(codePoint, 0).width;
}

/** Whether the next character combines with this one. */
function joinsNext(text: string, at: number): boolean {
  const codePoint = text.codePointAt(at) ?? 0;
  const next = text.codePointAt(at + (codePoint > 0xffff ? 2 : 1)) ?? 0;
  if (next < 0x300) return false;
  return clusterProperties(next, clusterProperties(codePoint, 0).state).isJoined;
}

const scratchCells = 8192;
const scratch = new Uint32Array(unitsPerCell * scratchCells);

function writeCell(index: number, codePoint: number, width: number, style: StyleBits): void {
  const at = index * unitsPerCell;
  scratch[at] = codePoint | (width << 22);
  scratch[at + 1] = style.foreground;
  scratch[at + 2] = style.background;
  if (width !== 2) return;
  scratch[at + 3] = 0;
  scratch[at + 4] = style.foreground;
  scratch[at + 5] = style.background;
}

function copyRows(widths: readonly number[], starts: readonly number[]): Cells {
  const columns = Math.max(1, ...widths);
  const cells = createBlank({columns, rows: widths.length});
  for (const [row, width] of widths.entries()) {
    const from = (starts[row] ?? 0) * unitsPerCell;
    cells.words.set(scratch.subarray(from, from + width * unitsPerCell), row * columns * 3);
  }

  return cells;
}

/** `applySgr` with a cache: a screen has few styles. */
function styleAfter(style: StyleBits, numbers: string): StyleBits {
  let known = nextStyles.get(style);
  if (known === undefined) {
    known = new Map();
    nextStyles.set(style, known);
  }

  const found = known.get(numbers);
  if (found !== undefined) return found;
  const next = applySgr(style, numbers);
  const name = `${next.foreground} ${next.background}`;
  const same = styles.get(name) ?? next;
  if (styles.size > maxStyles) styles.clear();
  styles.set(name, same);
  known.set(numbers, same);
  return same;
}

const maxStyles = 4096;
const nextStyles = new WeakMap<StyleBits, Map<string, StyleBits>>();
const styles = new Map<string, StyleBits>([['0 0', plainBits]]);
