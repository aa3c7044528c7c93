/** An item of a viewport: its place in the content. */
export type ItemPlace = {
  readonly id: string;
  readonly y: number;
  readonly rows: number;
  readonly isCursor: boolean;
};

/**
 * The item at the top of the viewport, and how many of its rows are above it: less than 0 if rows of
 * a heading are between.
 */
export type Anchor = {readonly id: string; readonly hidden: number};

/**
 * The first content row that is in view. The viewport stays where it was, by its first item, and
 * moves only as far as the cursor needs. Rows before the first and after the last item (headings,
 * notes) come into view with that item.
 */
export function followCursor(
  items: readonly ItemPlace[],
  {rows, content}: {readonly rows: number; readonly content: number},
  anchor: Anchor | undefined,
): number {
  const max = Math.max(0, content - rows);
  const anchored = items.find(({id}) => id === anchor?.id);
  const before = anchored === undefined ? 0 : anchored.y + (anchor?.hidden ?? 0);
  const at = items.findIndex(({isCursor}) => isCursor);
  const cursor = items[at];
  if (cursor === undefined) return clamp(before, max);
  const end = cursor.y + Math.min(rows, cursor.rows);
  if (at === 0) return clamp(end - rows, max);
  if (at === items.length - 1 && cursor.y >= max) return max;
  return clamp(Math.min(cursor.y, Math.max(before, end - rows)), max);
}

/** The item that is first in view. */
export function toAnchor(items: readonly ItemPlace[], top: number): Anchor | undefined {
  const first = items.find(({y, rows}) => y + rows > top);
  return first && {id: first.id, hidden: top - first.y};
}

function clamp(value: number, max: number): number {
  return Math.max(0, Math.min(max, value));
}
