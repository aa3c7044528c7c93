import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  CursorRow,
  DiffRow,
  formatNumber,
  gutterColumns,
} from '../../../../source/app/components/review/DiffRow.tsx';
import {SafeText} from '../../../../source/app/components/SafeText.tsx';
import {assertAscii, assertFits, assertSafe, hostile, rowsOf, show} from '../render.tsx';
import {lineOf} from './lines.ts';

const row = (line: string, isCursor = false, isReader = false) => (
  <DiffRow
    line={lineOf(line)}
    index={4}
    isCursor={isCursor}
    digits={3}
    colours={undefined}
    isReader={isReader}
  />
);

test('has both numbers, the sign and the text', () => {
  assert.deepEqual(rowsOf(row('+new')), ['       1 + new']);
  assert.deepEqual(rowsOf(row('-old')), ['   1     - old']);
  assert.deepEqual(rowsOf(row(' same')), ['   1   1   same']);
  assert.equal(rowsOf(row('+new'))[0]?.indexOf('new'), gutterColumns(3));
});

test('under the cursor has its mark, is inverse, and can be clicked', () => {
  const shown = show(row('+new', true));
  assert.match(shown.text(), /^▌/);
  assert.deepEqual(
    shown
      .regions()
      .map(({kind}) => kind)
      .toSorted(),
    ['inverse', 'target'],
  );
  assert.deepEqual(shown.targets(), [{type: 'item', list: 'diff', index: 4}]);
  shown.close();
});

test('a screen reader hears what kind of line it is', () => {
  assert.deepEqual(rowsOf(row('+new', true, true), {isScreenReader: true}), [
    'chosen: added line 1: new',
  ]);
  assert.deepEqual(rowsOf(row('-old', false, true)), ['removed line 1: old']);
});

test('only the row under the cursor is inverse', () => {
  const shown = show(
    <CursorRow isCursor={false}>
      <SafeText>x</SafeText>
    </CursorRow>,
  );
  assert.deepEqual(shown.regions(), []);
  shown.close();
  assert.deepEqual([formatNumber(7, 3), formatNumber(undefined, 3)], ['  7', '   ']);
});

test('code is foreign', () => {
  const text = hostile.replaceAll(/[\r\n]/g, '');
  assertSafe(row(`+${text}`), {columns: 60});
  assertFits(row(`+${text} 数🚀`, true));
  assertAscii(row('+new', true));
});
