import assert from 'node:assert/strict';
import {test} from 'node:test';
import {departedRows} from '../../../source/app/panes/frame-history.ts';

const head = '┌ agent ┐';
const foot = '> type here';

function frame(...rows: readonly string[]): readonly string[] {
  return [head, ...rows, foot];
}

test('of a frame that scrolled, the rows that left it at the top are gone, below a fixed head', () => {
  const before = frame('one', 'two', 'three', 'four', 'five');
  assert.deepEqual(departedRows(before, frame('two', 'three', 'four', 'five', 'six')), {
    first: 1,
    end: 2,
  });
  assert.deepEqual(departedRows(before, frame('three', 'four', 'five', '', 'six')), {
    first: 1,
    end: 3,
  });
});

test('rows that are only updated are not gone: clocks, spinners, what is typed', () => {
  const before = frame('one', 'two', 'three', 'working 1 s', '');
  assert.deepEqual(departedRows(before, before), {first: 0, end: 0});
  assert.deepEqual(departedRows(before, frame('one', 'two', 'three', 'working 2 s', 'new')), {
    first: 0,
    end: 0,
  });
});

test('a frame of which most is replaced is gone as a whole', () => {
  const before = frame('one', 'two', 'three', 'four', 'five');
  assert.deepEqual(departedRows(before, frame('1', '2', '3', '4', '5')), {first: 0, end: 7});
  assert.deepEqual(departedRows(before, ['', '', '', '', '', '', '']), {first: 0, end: 7});
  // Of another size.
  assert.deepEqual(departedRows(before, ['other', 'rows']), {first: 0, end: 7});
});
