import type {State} from '../../domain/index.ts';
import type {Highlight} from './highlight.ts';
import {fill, fitLine, type Line, span, underCursor} from '../model/line.ts';
import type {ListName, Model, Place} from '../model/model.ts';
import {inSight} from '../model/places.ts';
import type {Size} from '../render/frame.ts';

/** The input of a screen. */
export type ScreenView = {
  readonly model: Model;
  readonly state: State;
  readonly size: Size;
  readonly now: number;
  readonly highlight?: Highlight | undefined;
};

/**
 * A screen between header and status line: fixed lines above and below, and a list or text that
 * scrolls.
 */
export type Body = {
  readonly list: ListName;
  readonly head: readonly Line[];
  readonly rows: readonly Line[];
  readonly foot: readonly Line[];
  /** A text without a cursor scrolls by lines and pages. */
  readonly hasCursor: boolean;
  /** How many rows the cursor can reach; the others are only read. @default all */
  readonly choices?: number;
  /** A column beside the rows, on the left or on the right. */
  readonly beside?: {
    readonly on: 'left' | 'right';
    readonly columns: number;
    readonly rows: readonly Line[];
  };
};

/** How many rows are visible. */
export function bodyHeight({head, foot}: Body, {rows}: Size): number {
  return Math.max(1, rows - head.length - foot.length);
}

export function linesOfBody(body: Body, place: Place, size: Size): Line[] {
  const {head, rows, foot, hasCursor, beside} = body;
  const height = bodyHeight(body, size);
  const {cursor, top} = inSight(place, rows.length, height, body.choices);
  const columns = size.columns - (beside === undefined ? 0 : beside.columns + 1);
  const seen = rows
    .slice(top, top + height)
    .map((row, index) =>
      hasCursor && top + index === cursor ? underCursor(row, columns) : fitLine(row, columns),
    );
  const below = rows.length - top - height;
  if (below > 0 && !hasCursor)
    seen.splice(-1, 1, fitLine([span(`  … ${below + 1} more`, 'quiet')], columns));
  const moving = fill(seen, {columns, rows: height});
  const middle = beside === undefined ? moving : withColumn(moving, beside, height);
  return fill([...head, ...middle, ...foot], size);
}

/** The selectable row at a cell of the body. */
export function rowAt(
  body: Body,
  place: Place,
  size: Size,
  at: {readonly row: number; readonly column: number},
): number | undefined {
  const {head, rows, beside, choices = rows.length, hasCursor} = body;
  const height = bodyHeight(body, size);
  const isBeside =
    beside !== undefined &&
    (beside.on === 'left'
      ? at.column <= beside.columns
      : at.column >= size.columns - beside.columns - 1);
  const row = at.row - head.length;
  if (isBeside || row < 0 || row >= height) return undefined;
  const index = inSight(place, rows.length, height, choices).top + row;
  return index < Math.min(choices, rows.length) && (hasCursor || body.list === 'diff')
    ? index
    : undefined;
}

function withColumn(
  moving: readonly Line[],
  {on, columns, rows}: NonNullable<Body['beside']>,
  height: number,
): Line[] {
  const column = fill(rows, {columns, rows: height});
  const wall = span('│', 'quiet');
  return moving.map((row, index) =>
    on === 'left'
      ? [...(column[index] ?? []), wall, ...row]
      : [...row, wall, ...(column[index] ?? [])],
  );
}
