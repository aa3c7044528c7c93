/**
 * The part of a long list that Ink lays out: a screen above and below the cursor, so that scrolling
 * always finds rows there.
 */
export function selectWindow(
  count: number,
  cursor: number,
  rows: number,
): {readonly from: number; readonly to: number} {
  return {
    from: Math.max(0, Math.min(cursor, count - 1) - rows),
    to: Math.min(count, Math.max(0, cursor) + rows + 1),
  };
}
