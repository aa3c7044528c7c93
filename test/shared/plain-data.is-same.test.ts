import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isSame, without} from '../../source/shared/index.ts';

const pairs: readonly [unknown, unknown, boolean][] = [
  [1, 1, true],
  [1, '1', false],
  [Number.NaN, Number.NaN, true],
  [null, undefined, false],
  [null, {}, false],
  [{a: 1, b: [2, {c: 3}]}, {b: [2, {c: 3}], a: 1}, true],
  [{a: 1}, {a: 1, b: undefined}, true],
  [{a: 1}, {a: 2}, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [[1], [1, 2], false],
];

for (const [a, b, expected] of pairs) {
  test(`${JSON.stringify(a)} and ${JSON.stringify(b)} say ${expected ? 'the same' : 'something else'}`, () => {
    assert.equal(isSame(a, b), expected);
    assert.equal(isSame(b, a), expected);
  });
}

test('a copy without keys leaves the original alone', () => {
  const value = {a: 1, b: 2, c: 3};
  assert.deepEqual(without(value, 'a', 'c'), {b: 2});
  assert.deepEqual(value, {a: 1, b: 2, c: 3});
});
