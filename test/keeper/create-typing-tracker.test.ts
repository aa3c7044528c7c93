import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {test} from 'node:test';
import {createTypingTracker} from '../../source/keeper/create-typing-tracker.ts';

/** What is left in the input after these keys, each chunk a moment later than the one before. */
function typed(...chunks: readonly string[]): {
  readonly draft: number | undefined;
  readonly enteredAt: number | undefined;
} {
  let now = 0;
  const tracker = createTypingTracker(() => now);
  for (const chunk of chunks) {
    now += 10;
    tracker.read(Buffer.from(chunk));
  }

  const {typing} = tracker.status();
  return {draft: typing?.draft, enteredAt: typing?.enteredAt};
}

const cases: readonly (readonly [
  keys: readonly string[],
  draft: number | undefined,
  enteredAt?: number,
])[] = [
  [[], undefined],
  [['a', 'b'], 2],
  [['ab', '\r'], 0, 20],
  [['\r'], 0],
  [['äö'], 2],
  [['ab', '\u007F'], 1],
  [['ab', '\u0015'], 0],
  [['ab', '\u0003'], 0],
  // Keys and answers of a terminal are no text.
  [['\u001B[A', '\u001B[12;4R', '\u001BOP', '\u001B]7501;?\u001B\\', '\u001B'], undefined],
  // A pasted line break does not submit.
  [['\u001B[200~a\rb\u001B[201~'], 3],
  [['\u001B[200~a\rb\u001B[201~', '\r'], 0, 20],
  // A sequence that arrives in two parts.
  [['\u001B[20', '0~a\r\u001B[201~'], 2],
];

for (const [keys, draft, enteredAt] of cases)
  test(`after ${JSON.stringify(keys)} ${String(draft)} characters stand in the input`, () => {
    assert.deepEqual(typed(...keys), {draft, enteredAt});
  });
