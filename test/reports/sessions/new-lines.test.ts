import assert from 'node:assert/strict';
import {test} from 'node:test';
import {newLines, type SeenLines} from '../../../source/reports/index.ts';

/** Which of these outputs, one after the other, say something new. */
function notified(...outputs: readonly string[]): boolean[] {
  let seen: SeenLines = new Set();
  return outputs.map((output) => {
    const look = newLines(seen, output);
    seen = look.seen;
    return look.isNew;
  });
}

const table: readonly (readonly [string, readonly string[], readonly boolean[]])[] = [
  [
    'a spinner that turns',
    ['⠋ Thinking… (1s)\r', '⠙ Thinking… (2s)\r⠹ Thinking… (3s)\r', '\u001B[2K⠸ Thinking… (12s)'],
    [true, false, false],
  ],
  [
    'a clock that goes on',
    ['10:00:01 waiting', '10:00:02 waiting', '2 min 3 s waiting'],
    [true, false, false],
  ],
  [
    'retries, also the first',
    [
      'Retrying in 5 s (attempt 1 of 10)',
      'Retrying in 10 s (attempt 2 of 10)',
      'stream error: 503; will retry',
    ],
    [false, false, false],
  ],
  ['the same line without end', ['y\ny\ny\n', 'y\ny\n'], [true, false]],
  ['a count that goes on', ['compiled 1 of 30', 'compiled 2 of 30'], [true, true]],
  ['a new line among old ones', ['a\n', 'a\nb\n', 'a\nb\n'], [true, true, false]],
  ['nothing but what moves the cursor', ['\u001B[2J\u001B[H', '\u001B[1A\r\n'], [false, false]],
];
for (const [name, outputs, expected] of table)
  test(`${name}: ${expected.join(', ')}`, () => {
    assert.deepEqual(notified(...outputs), expected);
  });

test('what is remembered is bounded', () => {
  const {seen} = newLines(
    new Set(),
    Array.from({length: 10_000}, (_, index) => `line number ${index} of ${'x'.repeat(1000)}`).join(
      '\n',
    ),
  );
  assert.ok(seen.size <= 2000);
});
