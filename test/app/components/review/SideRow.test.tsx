import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type Side, SideRow} from '../../../../source/app/components/review/SideRow.tsx';
import {
  assertAscii,
  assertFits,
  assertMemoized,
  assertSafe,
  hostile,
  rowsOf,
  targetsOf,
} from '../render.tsx';
import {lineOf} from './lines.ts';

const side = (line: string, index: number): Side => ({
  line: lineOf(line),
  index,
  colours: undefined,
});
const row = (left: Side | undefined, right: Side | undefined, isCursor = false) => (
  <SideRow left={left} right={right} isCursor={isCursor} digits={2} half={20} />
);
const [old, fresh] = [side('-old', 3), side('+new', 4)];

test('has the old line on the left and the new one on the right', () => {
  assert.deepEqual(rowsOf(row(old, fresh), {columns: 41}), ['  1 - old           │  1 + new']);
  assert.deepEqual(rowsOf(row(undefined, fresh), {columns: 41}), [
    '                    │  1 + new',
  ]);
  assert.match(rowsOf(row(old, undefined), {columns: 41})[0] ?? '', /^ {2}1 - old +│/);
});

test('each side is clicked', () => {
  assert.deepEqual(
    targetsOf(row(old, fresh)).map((target) => ('index' in target ? target.index : -1)),
    [3, 4],
  );
});

test('the cursor has its mark on the left, whichever side there is', () => {
  assert.match(rowsOf(row(old, fresh, true), {columns: 41})[0] ?? '', /^▌/);
  assert.match(rowsOf(row(undefined, fresh, true), {columns: 41})[0] ?? '', /^▌/);
});

test('long lines wrap in their half', () => {
  const rows = rowsOf(row(side(`-${'x'.repeat(40)}`, 0), side(`+${'y'.repeat(40)}`, 1)), {
    columns: 41,
  });
  assert.equal(rows.join('').match(/x/g)?.length, 40);
  assert.ok(rows.every((one) => one.indexOf('│') === 20));
});

test('code is foreign', () => {
  const text = hostile.replaceAll(/[\r\n]/g, '');
  assertSafe(row(side(`-${text}`, 0), side(`+${text}`, 1)), {columns: 60});
  assertFits(row(side(`-${text} 数🚀`, 0), fresh), {widths: [41, 60, 100]});
  assertAscii(row(old, fresh, true));
});

test('is not drawn again for equal sides', async () => {
  await assertMemoized(() => row({...old}, {...fresh}));
});
