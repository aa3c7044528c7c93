import assert from 'node:assert/strict';
import {after, describe, it, test} from 'node:test';
import {displayWidth, sanitizeText, takeHead, wrapLine} from '../../source/shared/index.ts';
import {createScreen} from '../../source/terminal/index.ts';
import {textWidth} from '../../source/terminal/text-width.ts';
import {createRandom} from '../support/random.ts';
import {corpus} from './corpus.ts';
import {hostileText} from './hostile.ts';
import {streams} from './streams.ts';

const screen = createScreen({columns: 500, rows: 2});
after(() => {
  screen.close();
});

/** Where the cursor stands after a line, in an emulator that all of these tests share. */
function drawnWidth(line: string): number {
  screen.write(new TextEncoder().encode(`\r\n${line}`));
  return screen.cursor.column;
}

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
    assert.equal(textWidth(text), drawnWidth(text), JSON.stringify(text));
  }
});

test('nothing that acts on a terminal has a width', () => {
  assert.deepEqual(
    ['', '\u0007', '\u001B[2J', '\u001B]0;title\u0007', 'a\u200Bb'].map(textWidth),
    [0, 0, 0, 0, 2],
  );
});

describe('layout and emulator agree on the width of', () => {
  const random = createRandom('layout widths');
  const decoder = new TextDecoder();
  const corpora: Readonly<Record<string, () => readonly string[]>> = {
    'the corpus of hostile output': () => corpus.map(({bytes}) => decoder.decode(bytes)),
    'random hostile texts': () => Array.from({length: 100}, () => hostileText(random, 12)),
    'what programs print': () =>
      Object.values(streams).map((stream) => decoder.decode(stream({columns: 80, rows: 24}, 2000))),
  };
  for (const [name, texts] of Object.entries(corpora)) {
    it(name, () => {
      const lines = texts().flatMap((text) => sanitizeText(text).split(/[\t\n]/));
      for (const line of lines.map((text) => text.slice(0, 200))) {
        assert.equal(displayWidth(line), drawnWidth(line), JSON.stringify(line));
        const head = takeHead(line, 7);
        assert.ok(drawnWidth(head) <= 7, JSON.stringify(head));
        for (const row of wrapLine(line, 20))
          assert.ok(drawnWidth(row) <= 20, JSON.stringify({line, row}));
      }
    });
  }
});

test('a head never ends within a cluster', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((width) => takeHead('a👩‍👩‍👧é❤\uFE0F', width)),
    ['', 'a', 'a', 'a👩‍👩‍👧', 'a👩‍👩‍👧é', 'a👩‍👩‍👧é'],
  );
});
