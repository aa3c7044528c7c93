import type {Cells} from '../../terminal/index.ts';
import {
  clusterBit,
  colourBits,
  fillBlank,
  inverseBit,
  makeBlank,
  type Rect,
  unitsPerCell,
  widthIn,
} from '../render/frame.ts';
import type {Block} from './text-block.ts';

/** The part of the screen that may be written: from left and top up to right and bottom. */
export type Clip = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
};

/**
 * One thing on the screen. Two frames are compared by the identity of their stamps, so a stamp is
 * made again only if something about it differs.
 */
export type Stamp = {
  readonly content: Content;
  readonly x: number;
  readonly y: number;
  readonly clip: Clip;
  /** The rows of the screen that it touches. */
  readonly top: number;
  readonly end: number;
};

type Content =
  | {readonly type: 'block'; readonly block: Block}
  | {readonly type: 'cover' | 'inverse'; readonly columns: number; readonly rows: number}
  | {
      readonly type: 'veil';
      readonly columns: number;
      readonly rows: number;
      readonly colour: number;
    };

/** The last stamp of a node. */
export type StampHolder = {stamp?: Stamp};

export function stampBlock(
  holder: StampHolder,
  block: Block,
  x: number,
  y: number,
  clip: Clip,
): Stamp {
  const {stamp} = holder;
  const isSame =
    stamp?.content.type === 'block' && stamp.content.block === block && isAt(stamp, x, y, clip);
  return isSame ? stamp : hold(holder, {type: 'block', block}, block.cells.rows, x, y, clip);
}

export function stampEffect(
  holder: StampHolder,
  content: Exclude<Content, {readonly type: 'block'}>,
  {column, row}: Rect,
  clip: Clip,
): Stamp {
  const {stamp} = holder;
  const isSame =
    stamp !== undefined && isSameEffect(stamp.content, content) && isAt(stamp, column, row, clip);
  return isSame ? stamp : hold(holder, content, content.rows, column, row, clip);
}

function isSameEffect(one: Content, other: Exclude<Content, {readonly type: 'block'}>): boolean {
  return (
    one.type === other.type &&
    one.columns === other.columns &&
    one.rows === other.rows &&
    ('colour' in one ? one.colour : 0) === ('colour' in other ? other.colour : 0)
  );
}

function hold(
  holder: StampHolder,
  content: Content,
  rows: number,
  x: number,
  y: number,
  clip: Clip,
): Stamp {
  const stamp = {
    content,
    x,
    y,
    clip,
    top: Math.max(0, y, clip.top),
    end: Math.min(y + rows, clip.bottom),
  };
  holder.stamp = stamp;
  return stamp;
}

function isAt(stamp: Stamp, x: number, y: number, clip: Clip): boolean {
  return (
    stamp.x === x &&
    stamp.y === y &&
    stamp.clip.left === clip.left &&
    stamp.clip.top === clip.top &&
    stamp.clip.right === clip.right &&
    stamp.clip.bottom === clip.bottom
  );
}

/** Writes one row of a stamp into the screen. */
export function pressRow(screen: Cells, stamp: Stamp, row: number): void {
  const {content} = stamp;
  if (content.type === 'block') {
    pressBlock(screen, stamp, content.block, row);
    return;
  }

  const from = Math.max(stamp.x, stamp.clip.left);
  const to = Math.min(stamp.x + content.columns, stamp.clip.right);
  if (content.type === 'cover') {
    if (to > from) clearCells(screen, row * screen.columns + from, row * screen.columns + to);
    return;
  }

  for (let column = from; column < to; column++) {
    const at = (row * screen.columns + column) * unitsPerCell + 1;
    const unit = screen.words[at] ?? 0;
    screen.words[at] =
      content.type === 'veil'
        ? ((unit & ~(colourBits | boldBit)) | content.colour) >>> 0
        : (unit ^ inverseBit) >>> 0;
  }
}

const boldBit = 0x800_0000;

function clearCells(screen: Cells, start: number, end: number): void {
  cutWideAt(screen, start, end);
  fillBlank(screen.words.subarray(start * unitsPerCell, end * unitsPerCell));
  if (screen.clusters.size > 0)
    for (let index = start; index < end; index++) screen.clusters.delete(index);
}

/** Halves of wide characters that the edges cut become blank. */
function cutWideAt(screen: Cells, start: number, end: number): void {
  if (start % screen.columns !== 0 && isRightHalf(screen, start)) makeBlank(screen, start - 1);
  if (end % screen.columns !== 0 && isRightHalf(screen, end)) makeBlank(screen, end);
}

function pressBlock(screen: Cells, {x, y, clip}: Stamp, {cells, widths}: Block, row: number): void {
  const own = row - y;
  const from = Math.max(0, clip.left - x);
  const to = Math.min(widths[own] ?? 0, clip.right - x, cells.columns);
  if (to <= from) return;
  const start = row * screen.columns + x + from;
  const end = start + to - from;
  const source = own * cells.columns;
  cutWideAt(screen, start, end);
  screen.words.set(
    cells.words.subarray((source + from) * unitsPerCell, (source + to) * unitsPerCell),
    start * unitsPerCell,
  );
  if (isRightHalf(screen, start)) makeBlank(screen, start);
  if (widthIn(screen.words[(end - 1) * unitsPerCell] ?? 0) === 2) makeBlank(screen, end - 1);
  copyClusters(screen, cells, {start, end, offset: source + from});
}

function isRightHalf({words}: Cells, index: number): boolean {
  return widthIn(words[index * unitsPerCell] ?? 0) === 0;
}

function copyClusters(
  screen: Cells,
  cells: Cells,
  {start, end, offset}: {readonly start: number; readonly end: number; readonly offset: number},
): void {
  if (screen.clusters.size > 0)
    for (let index = start; index < end; index++) screen.clusters.delete(index);
  if (cells.clusters.size === 0) return;
  for (let index = start; index < end; index++) {
    if (((screen.words[index * unitsPerCell] ?? 0) & clusterBit) === 0) continue;
    const text = cells.clusters.get(offset + index - start);
    if (text !== undefined) screen.clusters.set(index, text);
  }
}
