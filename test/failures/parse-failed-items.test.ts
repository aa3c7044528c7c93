import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {parseFailedItems} from '../../source/failures/index.ts';

const goldens = path.join(import.meta.dirname, 'goldens');
const items = (log: string): readonly string[] | undefined =>
  parseFailedItems(readFileSync(path.join(goldens, log), 'utf8'));

describe('what failed in the log of a tool, by name:', () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['node-test/tap-two.log', ['the first of two', 'the second of two']],
    [
      'node-test/two.log',
      ['the first of two', 'the first of two (2)', 'the second of two', 'the second of two (2)'],
    ],
    ['tap/nested.log', ['cart', 'keeps the names', 'with a discount']],
    ['jest/two.log', ['test/two.test.js the first of two', 'test/two.test.js the second of two']],
    ['jest/coloured.log', ['test/nested.test.js cart › with a discount › keeps the names']],
    ['jest/syntax.log', ['test/syntax.test.js Test suite failed to run']],
    [
      'vitest/two.log',
      ['test/two.test.ts > the first of two', 'test/two.test.ts > the second of two'],
    ],
    ['mocha/nested.log', ['cart with a discount keeps the names']],
    ['pytest/two.log', ['test_two.py::test_first', 'test_two.py::test_second']],
    ['pytest/quiet.log', ['test_assertion.py::test_two_and_two']],
    ['unittest/assertion.log', ['test_two_and_two (test_assertion.Arithmetic.test_two_and_two)']],
    ['go/two.log', ['TestFirst', 'TestSecond', 'example.com/cart/two']],
    ['cargo-test/two.log', ['tests::pair_first', 'tests::pair_second']],
    ['ava/assertion.log', ['two and two are four']],
    [
      'tsc/plain.log',
      [
        "src/cart.ts TS2322 Type 'number' is not assignable to type 'string'.",
        "src/cart.ts TS2322 Type 'string' is not assignable to type 'number'.",
        "src/main.ts TS2307 Cannot find module './gone.js' or its corresponding type declarations.",
      ],
    ],
    ['eslint/parse.log', ['/project/src/syntax.js Parsing error: Unexpected token ;']],
  ];
  for (const [log, expected] of rows)
    test(log, () => {
      assert.deepEqual(items(log), expected);
    });

  test('terminals draw the same', () => {
    assert.ok((items('jest/terminal.log') ?? []).includes('test/two.test.js the first of two'));
    assert.ok((items('vitest/terminal.log') ?? []).includes('test/two.test.ts > the first of two'));
  });

  test('paths below the worktree are relative', () => {
    assert.deepEqual(
      parseFailedItems(readFileSync(path.join(goldens, 'eslint/parse.log'), 'utf8'), {
        root: '/project',
      }),
      ['src/syntax.js Parsing error: Unexpected token ;'],
    );
  });
});

describe('an incomplete report gives no list:', () => {
  for (const log of [
    'shell/differs.log',
    'shell/silent.log',
    'c/gcc.log',
    'go/panic.log',
    'go/timeout.log',
    'node-test/dot.log',
    'rustc/two.log',
    'node/uncaught.log',
  ])
    test(log, () => {
      assert.equal(items(log), undefined);
    });

  test('one that was cut off before its summary', () => {
    const whole = 'TAP version 13\nnot ok 1 - a\nok 2 - b\n1..2\n# fail 1\n';
    assert.deepEqual(parseFailedItems(whole), ['a']);
    assert.equal(parseFailedItems(whole.slice(0, whole.indexOf('1..2'))), undefined);
  });

  test('one that counts more failures than it names', () => {
    assert.equal(parseFailedItems('not ok 1 - a\n1..3\n# fail 2\n'), undefined);
  });

  test('one with more than anybody compares', () => {
    const many = Array.from({length: 400}, (_, index) => `not ok ${index + 1} - t${index}`).join(
      '\n',
    );
    assert.equal(parseFailedItems(`${many}\n1..400\n`), undefined);
  });

  test('nothing that it prints acts on a terminal', () => {
    assert.deepEqual(
      parseFailedItems('not ok 1 - a\u001B]0;x\u0007\u202Eb\n1..1\n')?.some((item) =>
        /[\u001B\u0007\u202E]/.test(item),
      ),
      false,
    );
  });
});

test('a second failure of the same name is a new one', () => {
  assert.deepEqual(parseFailedItems('src/a.ts(1,1): error TS1: x\nsrc/a.ts(9,1): error TS1: x\n'), [
    'src/a.ts TS1 x',
    'src/a.ts TS1 x (2)',
  ]);
});
