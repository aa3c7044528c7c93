import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  type Anchor,
  followCursor,
  type ItemPlace,
  toAnchor,
} from '../../../source/app/ink/scroll-offset.ts';
import {createRandom} from '../../support/random.ts';

/** Items of these heights, one below the other, below a heading. */
function stack(heights: readonly number[], cursor: number, heading = 0): readonly ItemPlace[] {
  let y = heading;
  return heights.map((rows, index) => {
    const item = {id: `i${index}`, y, rows, isCursor: index === cursor};
    y += rows;
    return item;
  });
}

function heightOf(items: readonly ItemPlace[], rest = 0): number {
  const last = items.at(-1);
  return (last === undefined ? 0 : last.y + last.rows) + rest;
}

describe('a viewport', () => {
  test('stays where it is while the cursor is in view', () => {
    const items = stack([1, 1, 1, 1, 1, 1, 1, 1], 4);
    assert.equal(followCursor(items, {rows: 4, content: 8}, {id: 'i2', hidden: 0}), 2);
  });

  test('moves just as far as the cursor needs, down and up', () => {
    const window = {rows: 4, content: 8};
    const anchor = {id: 'i2', hidden: 0};
    assert.equal(followCursor(stack([1, 1, 1, 1, 1, 1, 1, 1], 6), window, anchor), 3);
    assert.equal(followCursor(stack([1, 1, 1, 1, 1, 1, 1, 1], 1), window, anchor), 1);
  });

  test('stays with its first item when items above it come, go or grow', () => {
    const anchor = {id: 'i2', hidden: 1};
    assert.equal(followCursor(stack([5, 1, 2, 2, 2, 2], 3), {rows: 5, content: 14}, anchor), 7);
    assert.equal(followCursor(stack([1, 1, 2, 2, 2, 2], 3), {rows: 5, content: 10}, anchor), 3);
  });

  test('shows the heading above the first item when the cursor is on it, and what is below the last', () => {
    const anchor = {id: 'i3', hidden: 0};
    const first = stack([1, 1, 1, 1, 1, 1], 0, 2);
    assert.equal(followCursor(first, {rows: 4, content: 8}, anchor), 0);
    const last = stack([1, 1, 1, 1, 1, 1], 5, 2);
    assert.equal(followCursor(last, {rows: 4, content: heightOf(last, 2)}, anchor), 6);
  });

  test('shows the beginning of an item that is higher than itself', () => {
    const items = stack([1, 9, 1], 1);
    assert.equal(followCursor(items, {rows: 4, content: 11}, undefined), 1);
  });

  test('without a cursor stays at its anchor, and never shows what is after the end', () => {
    const items = stack([1, 1, 1, 1], -1);
    assert.equal(followCursor(items, {rows: 3, content: 4}, {id: 'i3', hidden: 0}), 1);
    assert.equal(followCursor(items, {rows: 9, content: 4}, {id: 'i3', hidden: 0}), 0);
    assert.equal(followCursor([], {rows: 9, content: 0}, {id: 'i3', hidden: 0}), 0);
  });
});

test('whatever the heights and the window: the cursor is in view, nothing beyond the ends is, and the same view stays the same', () => {
  for (let seed = 0; seed < 500; seed++) {
    const random = createRandom(`scroll ${seed}`);
    let anchor: Anchor | undefined;
    let heights = Array.from({length: 1 + random.below(30)}, () => 1 + random.below(4));
    for (let step = 0; step < 20; step++) {
      if (random.chance(0.2))
        heights = heights.map((rows) => Math.max(1, rows + random.below(3) - 1));
      const heading = random.below(3);
      const cursor = random.below(heights.length);
      const items = stack(heights, cursor, heading);
      const window = {rows: 1 + random.below(12), content: heightOf(items, random.below(3))};
      const top = followCursor(items, window, anchor);
      const where = `seed ${seed}, step ${step}`;
      assert.ok(top >= 0 && top <= Math.max(0, window.content - window.rows), where);
      const {y, rows} = items[cursor]!;
      const visible = Math.min(y + rows, top + window.rows) - Math.max(y, top);
      assert.equal(visible, Math.min(rows, window.rows), `${where}: the cursor is in view`);
      anchor = toAnchor(items, top);
      assert.equal(followCursor(items, window, anchor), top, `${where}: nothing moves by itself`);
    }
  }
});
