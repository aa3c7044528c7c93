import assert from 'node:assert/strict';
import {test} from 'node:test';
import {toBlock} from '../../../source/app/ink/text-block.ts';
import {cellsOfText, isSameCell, rowText, textWidth} from '../../../source/terminal/index.ts';
import {createRandom} from '../../support/random.ts';

const parts = [
  'a',
  'text ',
  ' ',
  '\n',
  '─│╭',
  '日本',
  'é',
  'e\u0301',
  '👍🏽',
  '🦀',
  '⚠️',
  '\u001B[1m',
  '\u001B[31m',
  '\u001B[38;2;1;2;3m',
  '\u001B[48;5;17m',
  '\u001B[22;39m',
  '\u001B[0m',
  '\u001B[7m',
];

test('the quick reader draws what the full one draws', () => {
  for (let seed = 0; seed < 1500; seed++) {
    const random = createRandom(`block ${seed}`);
    const text = Array.from({length: 1 + random.below(12)}, () => random.pick(parts)).join('');
    const {cells, widths} = toBlock(text);
    const lines = text.split('\n');
    assert.deepEqual(widths, lines.map(textWidth), JSON.stringify(text));
    const expected = cellsOfText(text, {columns: cells.columns, rows: lines.length});
    for (const [row, width] of widths.entries())
      for (let column = 0; column < width; column++) {
        const index = row * cells.columns + column;
        assert.ok(
          isSameCell(cells, index, expected, index),
          `${JSON.stringify(text)}, row ${row}, column ${column}: ${rowText(cells, row)}`,
        );
      }
  }
});

test('an empty text is one empty row', () => {
  const {cells, widths} = toBlock('');
  assert.deepEqual([cells.rows, widths], [1, [0]]);
});
