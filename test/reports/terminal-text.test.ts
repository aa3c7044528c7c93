import assert from 'node:assert/strict';
import {test} from 'node:test';
import {formatAge, formatColumns} from '../../source/reports/index.ts';

test('ages are read at a glance', () => {
  assert.deepEqual([0, 119_000, 121_000, 7_300_000, 200_000_000, -5].map(formatAge), [
    '0 s',
    '119 s',
    '2 min',
    '2 h',
    '2 d',
    '0 s',
  ]);
});

test('columns are as wide as they need to be, and the last one is not padded', () => {
  assert.equal(
    formatColumns([
      ['a', 'bb', 'c'],
      ['aaa', 'b', 'cc'],
    ]),
    'a    bb  c\naaa  b   cc\n',
  );
  assert.equal(formatColumns([['a', 'bcdefg']], 6), 'a  bc…\n');
});
