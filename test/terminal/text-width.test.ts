import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createScreen} from '../../source/terminal/index.ts';
import {textWidth} from '../../source/terminal/text-width.ts';
import {createRandom} from '../support/random.ts';

test('a text is as wide as the emulator draws it', () => {
  const random = createRandom('widths');
  const pieces = [
    'a',
    ' ',
    '│',
    '●',
    '✓',
    '日',
    'é',
    'e\u0301',
    '🙂',
    '👩‍👩‍👧',
    '👍🏽',
    '🇩🇪',
    '❤\uFE0F',
    'ｱ',
    '\u001B[31m',
    '\u001B[0m',
    '한',
  ];
  for (let round = 0; round < 300; round++) {
    const text = Array.from(
      {length: 1 + random.below(12)},
      () => pieces[random.below(pieces.length)],
    ).join('');
    const screen = createScreen({columns: 80, rows: 2});
    screen.write(new TextEncoder().encode(text));
    assert.equal(textWidth(text), screen.cursor.column, JSON.stringify(text));
    screen.close();
  }
});

test('nothing that acts on a terminal has a width', () => {
  assert.deepEqual(
    ['', '\u0007', '\u001B[2J', '\u001B]0;title\u0007', 'a\u200Bb'].map(textWidth),
    [0, 0, 0, 0, 2],
  );
});
