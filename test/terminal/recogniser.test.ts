import assert from 'node:assert/strict';
import {test} from 'node:test';
import {assertOnlyAllowed} from './recogniser.ts';

const forbidden = [
  '\u001B]0;t\u0007',
  '\u001B]52;c;QQ==\u001B\\',
  '\u001BPq\u001B\\',
  '\u001B_G\u001B\\',
  '\u001B^x\u001B\\',
  '\u001BXx\u001B\\',
  '\u009B31m',
  '\u009D',
  '\u0005',
  '\u0007',
  '\u007F',
  '\u001B',
  '\u001B[',
  '\u001B[3',
  '\u001Bc',
  '\u001BZ',
  '\u001B#8',
  '\u001B%@',
  '\u001B(A',
  '\u001B[c',
  '\u001B[6n',
  '\u001B[21t',
  '\u001B[i',
  '\u001B[?9001h',
  '\u001B[?25;9001h',
  '\u001B[?25;h',
  '\u001B[20h',
  '\u001B[3J',
  '\u001B[?3J',
  '\u001B[12345A',
  '\u001B[1;2S',
  '\u001B[1"q',
  '\u001B[>1u',
  '\u001B[?2026$p',
  '\u202E',
  '\u2066',
  '\u200F',
  'a\u0000b',
];

for (const text of forbidden) {
  test(`the recogniser does not let ${JSON.stringify(text)} pass`, () => {
    assert.throws(() => {
      assertOnlyAllowed(new TextEncoder().encode(`before ${text} after`), 'planted');
    });
  });
}

test('nor when it stands far into a long line', () => {
  for (let place = 380; place < 420; place++) {
    assert.throws(() => {
      assertOnlyAllowed(
        new TextEncoder().encode(`${'x'.repeat(place)}\u001B]0;t\u0007${'x'.repeat(500)}`),
        'planted',
      );
    });
  }
});

test('and lets a long line of what is allowed pass', () => {
  assertOnlyAllowed(
    new TextEncoder().encode('\u001B[31mé👍\u001B[0m\u001B[?1049;25h'.repeat(500)),
    'allowed',
  );
});
