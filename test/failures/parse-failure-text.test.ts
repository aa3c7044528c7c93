import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {type FailureDetails, parseFailureText} from '../../source/failures/index.ts';

describe('the parts of a failure:', () => {
  const cases: readonly [string, string, Partial<FailureDetails>][] = [
    [
      'node:test',
      'node:test: a price that changes is seen\nat test/prices.test.js:5:3\nExpected values to be strictly equal:\n\nnull !== 450\n',
      {
        tool: 'node:test',
        test: 'a price that changes is seen',
        place: 'test/prices.test.js:5',
        expected: '450',
        got: 'null',
        reason: 'null !== 450',
      },
    ],
    [
      'vitest',
      'vitest: adds\nat a.test.ts:3\nAssertionError: expected 1 to be 2 // Object.is equality',
      {expected: '2', got: '1'},
    ],
    ['jest', 'jest: adds\nat a.test.ts:3\nExpected: 2\nReceived: 1', {expected: '2', got: '1'}],
    ['go', 'go test: TestAdd\nat add_test.go:9\nAdd() = got 1, want 2', {expected: '2', got: '1'}],
    ['pytest', 'pytest: test_add\nat a.py:2\nassert 1 == 2', {expected: '2', got: '1'}],
    ['junit', 'junit: adds\nat A.java:7\nexpected: <2> but was: <1>', {expected: '2', got: '1'}],
    ['a sentence', 'expected 1, got 2', {expected: '1', got: '2', reason: '2 !== 1'}],
    [
      'unknown',
      'unknown\nmake: *** no rule\nsecond',
      {reason: 'make: *** no rule', lines: ['make: *** no rule', 'second']},
    ],
    ['nothing', '', {reason: '', lines: []}],
  ];
  for (const [name, text, expected] of cases)
    test(name, () => {
      const details = parseFailureText(text);
      assert.deepEqual({...details, ...expected}, details);
    });
});

test('hostile text takes no time', () => {
  for (const text of [
    '! '.repeat(50_000),
    'expected '.repeat(9000),
    'got '.repeat(9000),
    ' !== '.repeat(5000),
  ])
    assert.ok(parseFailureText(text).lines.length <= 12);
});
