import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type Cells, cellsOfText, cellText, rowText} from '../../../source/terminal/index.ts';
import {compose} from '../../../source/app/render/compose.ts';
import {createRandom} from '../../support/random.ts';
import {randomCells} from '../support/random-cells.ts';

const size = {columns: 12, rows: 3};
const whole = {row: 0, column: 0, ...size};

function toText(cells: Cells): string[] {
  return Array.from({length: cells.rows}, (_, row) => rowText(cells, row));
}

function layer(
  text: string,
  rect: {
    readonly row: number;
    readonly column: number;
    readonly columns: number;
    readonly rows: number;
  },
): {cells: Cells; rect: typeof rect} {
  return {cells: cellsOfText(text, {columns: Math.max(2, rect.columns), rows: rect.rows}), rect};
}

test('a pane lies over the chrome, and what is over lies over the pane', () => {
  const cells = compose(size, [
    layer('┌──────────┐\n│chrome....│\n└──────────┘', whole),
    layer('pane', {row: 1, column: 1, columns: 10, rows: 1}),
    layer('!!', {row: 1, column: 3, columns: 2, rows: 1}),
  ]);
  assert.deepEqual(toText(cells), ['┌──────────┐', '│pa!!      │', '└──────────┘']);
});

test('of a wide character that the border of a pane cuts, a space remains', () => {
  const text = '日本語日本語';
  const right = compose(size, [
    {
      cells: cellsOfText(text, {columns: 12, rows: 1}),
      rect: {row: 0, column: 0, columns: 5, rows: 1},
    },
  ]);
  assert.deepEqual(toText(right)[0], '日本');
  assert.equal(cellText(right, 4), ' ');
});

test('of a wide character that a pane covers half of, a space remains, on both sides', () => {
  const cells = compose(size, [
    layer('日本語日本語', whole),
    layer('xyz', {row: 0, column: 3, columns: 4, rows: 1}),
  ]);
  assert.equal(toText(cells)[0], '日 xyz  本語');
});

test('clusters move with their cells, and go with them', () => {
  const cells = compose(size, [
    layer('👍🏽👍🏽👍🏽', whole),
    layer('e\u0301', {row: 0, column: 2, columns: 2, rows: 1}),
    layer('ok', {row: 2, column: 0, columns: 4, rows: 1}),
  ]);
  assert.deepEqual(toText(cells), ['👍🏽e\u0301 👍🏽', '', 'ok']);
  assert.deepEqual(
    [...cells.clusters].sort(([one], [other]) => one - other),
    [
      [0, '👍🏽'],
      [2, 'e\u0301'],
      [4, '👍🏽'],
    ],
  );
});

test('what is outside the screen is cut, whatever the rectangle', () => {
  assert.deepEqual(
    toText(
      compose(size, [
        layer('abcdef', {row: 2, column: 9, columns: 6, rows: 4}),
        layer('never', {row: 5, column: 0, columns: 5, rows: 1}),
        layer('never', {row: 0, column: 20, columns: 5, rows: 1}),
      ]),
    ),
    ['', '', '         abc'],
  );
});

test('no frame that is composed of random layers has a half of a wide character, or a cluster without its cell', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const random = createRandom(seed);
    const layers = Array.from({length: 4}, () => ({
      cells: randomCells(random, {columns: 2 + random.below(14), rows: 1 + random.below(4)}),
      rect: {
        row: random.below(3),
        column: random.below(12),
        rows: 1 + random.below(3),
        columns: 1 + random.below(12),
      },
    }));
    const cells = compose(size, layers, compose(size, [...layers].reverse()));
    for (let index = 0; index < 36; index++) {
      const width = ((cells.words[index * 3] ?? 0) >> 22) & 3;
      const before = index % 12 === 0 ? 1 : ((cells.words[(index - 1) * 3] ?? 0) >> 22) & 3;
      assert.equal(width === 0, before === 2, `seed ${seed}, cell ${index}`);
      if (index % 12 === 11) assert.notEqual(width, 2, `seed ${seed}, cell ${index}`);
      assert.equal(
        ((cells.words[index * 3] ?? 0) & 0x20_0000) !== 0,
        cells.clusters.has(index),
        `seed ${seed}, cluster ${index}`,
      );
    }
  }
});

test('rows that are laid anew look as if all of them had been', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(`rows ${seed}`);
    const layers = Array.from({length: 4}, () => ({
      cells: randomCells(random, {columns: 2 + random.below(14), rows: 1 + random.below(4)}),
      rect: {
        row: random.below(3),
        column: random.below(12),
        rows: 1 + random.below(3),
        columns: 1 + random.below(12),
      },
    }));
    const screen = compose(size, layers);
    const changed = layers[random.below(4)]!;
    const other = randomCells(random, changed.cells);
    changed.cells.words.set(other.words);
    changed.cells.clusters.clear();
    for (const [index, text] of other.clusters) changed.cells.clusters.set(index, text);
    const {row, rows} = changed.rect;
    const partly = compose(size, layers, screen, {first: row, end: Math.min(3, row + rows)});
    const wholly = compose(size, layers);
    assert.equal(partly, screen);
    assert.deepEqual(
      {words: partly.words, clusters: [...partly.clusters].sort()},
      {words: wholly.words, clusters: [...wholly.clusters].sort()},
      `seed ${seed}`,
    );
  }
});
