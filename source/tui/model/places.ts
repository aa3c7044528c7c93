import type {ListName, Model, Place} from './model.ts';

export type Movement = 'up' | 'down' | 'page-up' | 'page-down' | 'first' | 'last';

/** The cursor moved, and the page with it where the cursor would be out of sight. */
export function movePlace(
  {cursor, top}: Place,
  movement: Movement,
  count: number,
  height: number,
  choices = count,
): Place {
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

/** In a text that is only read there is no cursor: the page moves. */
export function movePage({top}: Place, movement: Movement, count: number, height: number): Place {
  const page = Math.max(1, height - 1);
  const most = Math.max(0, count - height);
  const to = {
    up: top - 1,
    down: top + 1,
    'page-up': top - page,
    'page-down': top + page,
    first: 0,
    last: most,
  }[movement];
  const at = Math.max(0, Math.min(most, to));
  return {cursor: at, top: at};
}

/** A place of a list that may have become shorter, or of a window that has. */
export function inSight(
  {cursor, top}: Place,
  count: number,
  height: number,
  choices = count,
): Place {
  const at = Math.max(0, Math.min(choices - 1, cursor));
  const lowest = Math.max(0, count - height);
  const kept = Math.min(lowest, Math.max(0, top));
  return {
    cursor: at,
    top: at < kept ? at : at >= kept + height ? Math.max(0, at - height + 1) : kept,
  };
}

/** The last row, however many there will be. */
export const atTheEnd: Place = {cursor: Number.MAX_SAFE_INTEGER, top: 0};

export function withPlace(model: Model, list: ListName, place: Place): Model {
  return {...model, places: {...model.places, [list]: place}};
}
