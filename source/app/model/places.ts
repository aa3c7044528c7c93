import type {ListName, Model, ListPosition} from './model.ts';

export type Movement = 'up' | 'down' | 'page-up' | 'page-down' | 'first' | 'last';

/** Moves the cursor, and scrolls as far as necessary to show it. */
export function movePlace(
  {cursor, top}: ListPosition,
  movement: Movement,
  count: number,
  height: number,
  choices = count,
): ListPosition {
  const page = Math.max(1, height - 1);
  const at = Math.min(choices - 1, cursor);
  const to = {
    up: at - 1,
    down: at + 1,
    'page-up': at - page,
    'page-down': at + page,
    first: 0,
    last: choices - 1,
  }[movement];
  return inSight({cursor: to, top}, count, height, choices);
}

/** Scrolls a text without a cursor. */
export function movePage(
  {top}: ListPosition,
  movement: Movement,
  count: number,
  height: number,
): ListPosition {
  const page = Math.max(1, height - 1);
  const max = Math.max(0, count - height);
  const to = {
    up: top - 1,
    down: top + 1,
    'page-up': top - page,
    'page-down': top + page,
    first: 0,
    last: max,
  }[movement];
  const at = Math.max(0, Math.min(max, to));
  return {cursor: at, top: at};
}

/** Clamps a place to the current length of the list and height of the window. */
export function inSight(
  {cursor, top}: ListPosition,
  count: number,
  height: number,
  choices = count,
): ListPosition {
  const at = Math.max(0, Math.min(choices - 1, cursor));
  const lowest = Math.max(0, count - height);
  const clamped = Math.min(lowest, Math.max(0, top));
  const bottom = Math.max(0, at - height + 1);
  return {cursor: at, top: Math.min(at, Math.max(clamped, bottom))};
}

/** The last row, even if rows are added. */
export const atTheEnd: ListPosition = {cursor: Number.MAX_SAFE_INTEGER, top: 0};

export function withPlace(model: Model, list: ListName, place: ListPosition): Model {
  return {...model, places: {...model.places, [list]: place}};
}
