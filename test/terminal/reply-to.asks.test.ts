import assert from 'node:assert/strict';
import {Buffer} from 'node:buffer';
import {test} from 'node:test';
import {createRandom} from '../support/random.ts';
import {asksTerminal, createTracker, isStatusReport} from '../../source/terminal/index.ts';

/** Every query that is answered. */
const queries = [
  '\u001B[c',
  '\u001B[0c',
  '\u001B[>c',
  '\u001B[>0q',
  '\u001B[>q',
  '\u001B[5n',
  '\u001B[6n',
  '\u001B[?6n',
  '\u001B[4$p',
  '\u001B[?2026$p',
  '\u001B]10;?\u0007',
  '\u001B]11;?\u001B\\',
  '\u001B]7501;?\u001B\\',
  '\u001BP$qm\u001B\\',
];

for (const query of queries) {
  test(`${JSON.stringify(query)} is seen to ask, wherever it stands`, () => {
    const replies: Uint8Array[] = [];
    const bytes = Buffer.from(`some text\r\n\u001B[31m${query}more`);
    createTracker({
      onReply: (reply) => {
        replies.push(reply);
      },
      cursor: () => ({row: 0, column: 0, isWrapPending: false}),
    }).write(bytes);
    assert.deepEqual([replies.length, asksTerminal(bytes)], [1, true]);
  });
}

test('what draws asks nothing', () => {
  assert.equal(
    asksTerminal(
      Buffer.from(
        'plain \u001B[31mred\u001B[0m \u001B[2J\u001B[10;5H\u001B[?25l\u001B[?2004h\u001B]0;a title\u0007 5n 6n c',
      ),
    ),
    false,
  );
});

test('a program that says what it is doing is heard', () => {
  assert.equal(isStatusReport(Buffer.from('x\u001B]7501;state=working:app=codex\u001B\\')), true);
  assert.equal(isStatusReport(Buffer.from('x]7501;state=working')), false);
});

test('among other sequences a query is seen, and without one nothing is', () => {
  const drawing = [
    'text',
    '\u001B[31m',
    '\u001B[38;2;1;2;3m',
    '\u001B[2J',
    '\u001B[10;5H',
    '\u001B[?25l',
    '\u001B]0;a title\u0007',
    '\u001B',
    '\u001B[',
    '日本',
    '\r\n',
    'c',
    '6n',
    '\u001B[1 q',
  ];
  for (let seed = 1; seed <= 500; seed++) {
    const random = createRandom(`asks ${seed}`);
    const pieces = Array.from({length: random.below(30)}, () => random.pick(drawing));
    const hasQuery = random.chance(0.5);
    // What stands before it must not swallow its beginning.
    if (hasQuery) pieces.splice(random.below(pieces.length + 1), 0, `.${random.pick(queries)}`);
    assert.equal(
      asksTerminal(Buffer.from(pieces.join('.'))),
      hasQuery,
      `seed ${seed}: ${JSON.stringify(pieces)}`,
    );
  }
});
