import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  type Cells,
  cellsOfText,
  createScreen,
  type Screen,
  toStyle,
} from '../../../source/terminal/index.ts';
import {pressRow, stampBlock} from '../../../source/app/ink/stamp.ts';
import {createDiffWriter} from '../../../source/app/render/create-diff-writer.ts';
import {
  colourBits,
  createBlank,
  type Frame,
  type Rect,
  type Size,
} from '../../../source/app/render/frame.ts';
import {createRandom} from '../../support/random.ts';
import {randomCells} from '../support/random-cells.ts';

const size: Size = {columns: 24, rows: 6};

function createTerminal(of: Size = size): {
  readonly screen: Screen;
  readonly write: (text: string) => void;
  readonly written: string[];
} {
  const screen = createScreen({...of, scrollback: 10});
  const written: string[] = [];
  const write = (text: string): void => {
    written.push(text);
    screen.write(new TextEncoder().encode(text));
  };

  write('\u001B[?7l');
  written.length = 0;
  return {screen, write, written};
}

function getLooks({cells}: Pick<Frame, 'cells'>): unknown {
  return {
    words: cells.words.join(' '),
    clusters: [...cells.clusters].sort(([one], [other]) => one - other),
  };
}

/** The cells of one frame with those of a stamp in this rectangle, as the painter draws them. */
function withPatch(base: Cells, patch: Cells, {row, column, rows, columns}: Rect): Cells {
  const drawn = createBlank(size);
  drawn.words.set(base.words);
  for (const [index, text] of base.clusters) drawn.clusters.set(index, text);
  const widths = Array.from({length: patch.rows}, () => patch.columns);
  const clip = {
    left: column,
    top: row,
    right: Math.min(size.columns, column + columns),
    bottom: Math.min(size.rows, row + rows),
  };
  const stamp = stampBlock({}, {cells: patch, widths}, column, row, clip);
  for (let at = stamp.top; at < stamp.end; at++) pressRow(drawn, stamp, at);
  return drawn;
}

test('after any frames, the terminal shows exactly the last one', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = createRandom(seed);
    const {screen, write} = createTerminal();
    const writer = createDiffWriter({write, depth: 'full'});
    let cells = randomCells(random, size);
    for (let step = 0; step < 8; step++) {
      const rect = {
        row: random.below(6),
        column: random.below(24),
        rows: 1 + random.below(6),
        columns: 1 + random.below(24),
      };
      const before = step === 0 ? undefined : cells;
      const base = random.chance(0.3) ? randomCells(random, size) : cells;
      const patch = {columns: 2 + random.below(22), rows: 1 + random.below(6)};
      cells = withPatch(base, randomCells(random, patch), rect);
      const cursor = random.chance(0.5)
        ? {row: random.below(6), column: random.below(24), shape: random.below(7)}
        : undefined;
      if (random.chance(0.1)) writer.forget();
      // Who changed only a rectangle may say so.
      const changed =
        base === before ? {changed: {first: rect.row, end: Math.min(6, rect.row + rect.rows)}} : {};
      writer.draw({cells, ...(cursor !== undefined && {cursor}), ...changed});
      assert.deepEqual(
        getLooks({cells: screen.readCells()}),
        getLooks({cells}),
        `seed ${seed}, step ${step}`,
      );
      assert.equal(screen.modes.cursorVisible, cursor !== undefined, `seed ${seed}, step ${step}`);
      if (cursor !== undefined)
        assert.deepEqual(
          [screen.cursor.row, screen.cursor.column, screen.modes.cursorShape],
          [cursor.row, cursor.column, cursor.shape],
          `seed ${seed}, step ${step}`,
        );
    }

    assert.equal(screen.history, 0, 'nothing scrolled');
    screen.close();
  }
});

test('nothing is written when nothing changed', () => {
  const {write, written, screen} = createTerminal();
  const writer = createDiffWriter({write, depth: 'full'});
  const frame = {cells: cellsOfText('one\ntwo', size), cursor: {row: 1, column: 2, shape: 0}};
  writer.draw(frame);
  writer.draw({...frame, cells: cellsOfText('one\ntwo', size)});
  assert.equal(written.length, 1);
  screen.close();
});

test('one changed character costs one place and one character, in one synchronized update', () => {
  const {write, written, screen} = createTerminal();
  const writer = createDiffWriter({write, depth: 'full'});
  writer.draw({cells: cellsOfText('the cat sat', size)});
  writer.draw({cells: cellsOfText('the rat sat', size)});
  assert.deepEqual(written.slice(1), ['\u001B[?2026h\u001B[1;5Hr\u001B[?2026l']);
  screen.close();
});

test('the screen is cleared before the first frame and never again, also when all of it is drawn anew or the size changes', () => {
  const {write, written, screen} = createTerminal();
  const writer = createDiffWriter({write, depth: 'full'});
  writer.draw({cells: cellsOfText('one', size)});
  writer.forget();
  writer.draw({cells: cellsOfText('two', size)});
  writer.draw({cells: cellsOfText('three', {columns: 20, rows: 5})});
  assert.deepEqual(
    written.map((text) => text.includes('\u001B[2J')),
    [true, false, false],
  );
  screen.close();
});

test('a whole redraw covers whatever stood on the terminal', () => {
  const {write, screen} = createTerminal();
  const writer = createDiffWriter({write, depth: 'full'});
  const cells = randomCells(createRandom(7), size);
  writer.draw({cells});
  write(`\u001B[H${'\u001B[41mX'.repeat(24 * 6)}\u001B[m`);
  writer.forget();
  writer.draw({cells});
  assert.deepEqual(getLooks({cells: screen.readCells()}), getLooks({cells}));
  screen.close();
});

test('without colour none is written, and what else makes a difference stays', () => {
  const {write, written, screen} = createTerminal();
  createDiffWriter({write, depth: 'none'}).draw({
    cells: cellsOfText('\u001B[1;31;44mbold\u001B[0;7mturned', size),
  });
  assert.deepEqual(
    [...(written[0] ?? '').matchAll(/\u001B\[([\d;:]*)m/g)].map(([, codes]) => codes),
    ['', '0;1', '0;7', ''],
  );
  screen.close();
});

test('cells that hold what acts on a terminal are drawn as spaces', () => {
  const {write, written, screen} = createTerminal();
  const cells = cellsOfText('abcdef', size);
  for (const [index, code] of [0x1b, 0x07, 0x9b, 0x202e, 0x200b].entries())
    cells.words[index * 3] = (1 << 22) | code;
  cells.words[5 * 3] = (1 << 22) | 0x20_0000;
  cells.clusters.set(5, 'x\u001B]52;c;QQ==\u0007');
  createDiffWriter({write, depth: 'full'}).draw({cells});
  assert.deepEqual(screen.text()[0], '');
  assert.doesNotMatch(written.join(''), /\]52|\u0007|\u009B|\u202E|\u200B/);
  screen.close();
});

test('cells with default colours get those of the theme, and the terminal is left in its own', () => {
  const {screen, write, written} = createTerminal();
  const writer = createDiffWriter({write, depth: 'full'});
  const cells = cellsOfText('plain\n\u001B[31mred', size);
  const shown = (): string[] =>
    [0, size.columns - 1, size.columns, size.columns * size.rows - 1].map((index) => {
      const {foreground, background} = toStyle(screen.refresh().cells, index);
      return [foreground, background].map((unit) => (unit & colourBits).toString(16)).join(' ');
    });

  writer.setDefaultColours({text: '#ece8df', bg: '#12131c'});
  writer.draw({cells});
  assert.match(written.join(''), /\u001B\[m(?:\u001B\[\?25l)?\u001B\[\?2026l$/);
  const [plain, ...blanks] = shown();
  assert.equal(plain, '3ece8df 312131c');
  assert.equal(blanks[1], '1000001 312131c');
  for (const blank of blanks) assert.match(blank, / 312131c$/);
  assert.equal(writer.draw({cells}), false);

  writer.setDefaultColours(undefined);
  writer.draw({cells});
  assert.deepEqual(shown(), ['0 0', '0 0', '1000001 0', '0 0']);
});
