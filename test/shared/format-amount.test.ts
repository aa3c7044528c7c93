import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  approvedHashLength,
  formatCost,
  formatCount,
  formatTokens,
  pluralize,
  shortHash,
} from '../../source/shared/index.ts';

describe('tokens:', () => {
  const cases: readonly [number, string, string][] = [
    [0, '0', '0'],
    [872, '872', '872'],
    [1000, '1k', '1,000'],
    [47_210, '47k', '47,210'],
    [999_499, '999k', '999,499'],
    [999_500, '1.0M', '999,500'],
    [1_234_567, '1.2M', '1,234,567'],
    [Number.NaN, '0', '0'],
  ];
  for (const [count, glance, table] of cases)
    test(String(count), () => {
      assert.deepEqual([formatTokens(count), formatCount(count)], [glance, table]);
    });
});

test('cost has two digits, and a dash where no price is known', () => {
  assert.deepEqual([0, 0.184, 12.345, undefined, Number.NaN].map(formatCost), [
    '$0.00',
    '$0.18',
    '$12.35',
    '–',
    '–',
  ]);
});

test('a hash has 7 characters at a glance, 10 where it is approved', () => {
  assert.equal(shortHash('3955f1cb11aa22'), '3955f1c');
  assert.equal(shortHash('3955f1cb11aa22', approvedHashLength), '3955f1cb11');
});

test('a count agrees with its noun', () => {
  assert.equal(pluralize(1, 'file'), '1 file');
  assert.equal(pluralize(0, 'file'), '0 files');
  assert.equal(pluralize(2, 'needs you', 'need you'), '2 need you');
});
