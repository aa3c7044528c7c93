import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ItemRow, type ItemRowProps} from '../../../../source/app/components/review/ItemRow.tsx';
import {reviewed} from '../../screens/review-fixture.ts';
import {aBell, aSecond} from '../app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  hostile,
  rendersAfter,
  rowsOf,
  targetsOf,
  withKey,
} from '../render.tsx';

const row = (item: object, isCursor = false) => (
  <ItemRow item={item as ItemRowProps['item']} index={2} isCursor={isCursor} indent={4} />
);
const fold = {kind: 'fold', count: 9, isOpen: false};

test('a fold says how many lines are as before, and the key that opens it', () => {
  const fixture = withKey(reviewed(), 'open', 'f2');
  assert.deepEqual(rowsOf(row(fold), {fixture, columns: 60}), [
    '    ┄┄┄ 9 lines as before ┄┄┄  F2 opens',
  ]);
  assert.match(
    rowsOf(row({...fold, count: 1, isOpen: true}), {columns: 60})[0] ?? '',
    /1 line as before.*closes/,
  );
  assert.deepEqual(targetsOf(row(fold)), [{type: 'item', list: 'diff', index: 2}]);
});

test('a gap names what comes after it, and a notice is whole', () => {
  assert.match(
    rowsOf(row({kind: 'hunk-gap', count: 40, heading: 'function checkout()'}), {columns: 70})[0] ??
      '',
    /40 lines not shown ┄┄┄ {2}function checkout\(\)/,
  );
  const notice = rowsOf(row({kind: 'notice', text: 'word '.repeat(30)}), {columns: 40});
  assert.equal(notice.join(' ').match(/word/g)?.length, 30);
});

test('under the cursor has its mark', () => {
  assert.match(rowsOf(row(fold, true), {columns: 60})[0] ?? '', /^▌/);
});

test('its words are foreign', () => {
  for (const item of [
    {kind: 'hunk-gap', count: 4, heading: hostile},
    {kind: 'notice', text: hostile},
  ]) {
    assertSafe(row(item), {columns: 60});
    assertFits(row(item), {rows: 30, widths: [40, 60, 100]});
  }

  assertAscii(row(fold, true));
});

for (const [what, change] of Object.entries({aSecond, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(row(fold), change, {fixture: reviewed()}), 0);
  });
