import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  type Cells,
  cellsOfText,
  createScreen,
  preserveStyles,
  rowText,
} from '../../source/terminal/index.ts';
import {createRandom, type Random} from '../support/random.ts';
import {hostileText} from './hostile.ts';

const size = {columns: 24, rows: 5};

/** The same text on the emulator. */
function drawn(text: string): Cells {
  const screen = createScreen({...size, scrollback: 0});
  screen.write(
    new TextEncoder().encode(
      `\u001B[?7l${preserveStyles(text).split('\n', size.rows).join('\r\n')}`,
    ),
  );
  const cells = screen.readCells();
  screen.close();
  return cells;
}

function getLooks({words, clusters}: Cells): unknown {
  return {words: [...words], clusters: [...clusters].sort(([one], [other]) => one - other)};
}

const pieces = [
  'word',
  ' ',
  '日本',
  '👍🏽',
  '👩‍👩‍👧‍👦',
  '🇩🇪',
  'e\u0301',
  '⚠\uFE0F',
  '\u0301',
  '1\uFE0F\u20E3',
  '…',
  '│',
  'か\u3099',
  '\u1112\u1161\u11AB',
  '\t',
  '\u001B[0m',
  '\u001B[m',
  '\u001B[1m',
  '\u001B[22m',
  '\u001B[2;3m',
  '\u001B[4m',
  '\u001B[24m',
  '\u001B[7m',
  '\u001B[27m',
  '\u001B[9;53m',
  '\u001B[29;55m',
  '\u001B[31m',
  '\u001B[97;44m',
  '\u001B[100m',
  '\u001B[38;5;200m',
  '\u001B[48;5;17m',
  '\u001B[38;2;1;200;3m',
  '\u001B[48;2;9;8;7;1m',
  '\u001B[39m',
  '\u001B[49m',
  '\u001B[5;8m',
  '\u001B[25;28;23m',
  '\u001B[;31m',
  '\u001B[;m',
];

/** At most 24 cells in a row. */
function getLine(random: Random): string {
  return Array.from({length: random.below(8)}, () => random.pick(pieces)).reduce(
    (text, piece) =>
      rowText(cellsOfText(text + piece, {columns: 60, rows: 1}), 0).length > 12
        ? text
        : text + piece,
    '',
  );
}

test('a text with styles is read as the emulator draws it', () => {
  for (let seed = 1; seed <= 1500; seed++) {
    const random = createRandom(`text ${seed}`);
    const text = Array.from({length: 1 + random.below(5)}, () => getLine(random)).join('\n');
    assert.deepEqual(
      getLooks(cellsOfText(text, size)),
      getLooks(drawn(text)),
      `seed ${seed}: ${JSON.stringify(text)}`,
    );
  }
});

test('what is too wide or too tall is cut, and half a character is a blank', () => {
  const cells = cellsOfText('0123456789日本\nabc\nnever', {columns: 11, rows: 2});
  assert.deepEqual(
    [rowText(cells, 0), rowText(cells, 1), cells.words[10 * 3]],
    ['0123456789', 'abc', (1 << 22) | 0x20],
  );
});

test('whatever is in a text, its cells hold nothing that acts, and no half of a character', () => {
  for (let seed = 1; seed <= 500; seed++) {
    const cells = cellsOfText(hostileText(createRandom(`hostile ${seed}`), 200), size);
    for (let index = 0; index < size.columns * size.rows; index++) {
      const content = cells.words[index * 3] ?? 0;
      const width = (content >> 22) & 3;
      const before =
        index % size.columns === 0 ? 1 : ((cells.words[(index - 1) * 3] ?? 0) >> 22) & 3;
      assert.equal(width === 0, before === 2, `seed ${seed}, cell ${index}`);
      assert.equal(
        (content & 0x20_0000) !== 0,
        cells.clusters.has(index),
        `seed ${seed}, cell ${index}`,
      );
      if (width > 0)
        assert.doesNotMatch(
          cells.clusters.get(index) ?? String.fromCodePoint(content & 0x1f_ffff),
          /[\u0000-\u001F\u007F-\u009F]/,
          `seed ${seed}, cell ${index}`,
        );
    }
  }
});
