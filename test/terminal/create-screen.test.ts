import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  cellText,
  cellWidth,
  createScreen,
  isSameCell,
  type Screen,
  styleSequence,
  toStyle,
} from '../../source/terminal/index.ts';
import {createEmulator} from '../../source/terminal/create-emulator.ts';
import {createRandom} from '../support/random.ts';
import {corpus} from './corpus.ts';
import {hostileBytes} from './hostile.ts';
import {getPicture, write} from './picture.ts';

function drawn(text: string, size = {columns: 20, rows: 4}): Screen {
  const screen = createScreen(size);
  write(screen, text);
  return screen;
}

function toLines(text: string, size?: {columns: number; rows: number}): string[] {
  const screen = drawn(text, size);
  const lines = screen.text();
  screen.close();
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

describe('a screen draws', () => {
  const cases: readonly [name: string, text: string, lines: string[]][] = [
    ['lines', 'one\r\ntwo\r\n', ['one', 'two']],
    ['what overwrites', '10%\r20%\b\b\b\u001B[C5', ['25%']],
    ['where the cursor is sent', '\u001B[2;3Hx\u001B[1dy', ['   y', '  x']],
    ['across the end of a line', 'a'.repeat(25), ['a'.repeat(20), 'aaaaa']],
    ['the last lines of many', '1\r\n2\r\n3\r\n4\r\n5\r\n6', ['3', '4', '5', '6']],
    ['wide characters on two cells', '日本\r\u001B[2Cx', ['日x']],
    ['half of a wide character as a blank', '日\r\u001B[Cx', [' x']],
    [
      'line drawing as the characters that it means',
      '\u001B(0lqk\u001B(B q \u001B)0\u000Ex\u000Fx',
      ['┌─┐ q │x'],
    ],
    ['line drawing around other sequences', '\u001B(0q\u001B[31mq\u001B[0mq', ['───']],
    ['the alternate screen over the normal one', 'shell\u001B[?1049h\u001B[Hvim', ['vim']],
    ['the normal screen again', 'shell\u001B[?1049h\u001B[Hvim\u001B[?1049l!', ['shell!']],
    ['no more repeats than make sense', 'x\u001B[9999b', ['x'.repeat(20), 'x']],
    [
      'nothing for what is no drawing',
      'a\u001B]0;title\u0007\u001BPq\u001B\\\u001B[>c\u0005\u0007b',
      ['ab'],
    ],
  ];
  for (const [name, text, lines] of cases) {
    test(name, () => {
      assert.deepEqual(toLines(text), lines);
    });
  }
});

describe('characters that belong together share a cell:', () => {
  const clusters: readonly [name: string, text: string, width: number][] = [
    ['a letter and its mark', 'e\u0301', 1],
    ['a letter with sixteen marks at most', `e${'\u0301'.repeat(15)}`, 1],
    ['an emoji', '👍', 2],
    ['with a skin tone', '👍🏽', 2],
    ['a family', '👩‍👩‍👧‍👦', 2],
    ['a flag', '🇩🇪', 2],
    ['the flag of Scotland', '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}', 2],
    ['a sign shown as emoji', '⚠\uFE0F', 2],
    ['a heart on fire', '❤\uFE0F‍🔥', 2],
    ['a key cap', '1\uFE0F\u20E3', 2],
    ['conjoining jamo', '\u1112\u1161\u11AB', 2],
    ['a wide letter with a mark', 'か\u3099', 2],
  ];
  for (const [name, text, width] of clusters) {
    test(name, () => {
      const screen = drawn(`${text}|`);
      const cells = screen.readCells();
      assert.equal(cellText(cells, 0), text);
      assert.equal(cellWidth(cells, 0), width);
      assert.equal(cellText(cells, width), '|');
      screen.close();
    });
  }

  test('two flags are two', () => {
    assert.deepEqual(toLines('🇩🇪🇫🇷|'), ['🇩🇪🇫🇷|']);
    const screen = drawn('🇩🇪🇫🇷|');
    assert.equal(cellText(screen.readCells(), 2), '🇫🇷');
    screen.close();
  });

  test('wherever the bytes are cut', () => {
    const text = clusters.map(([, cluster]) => cluster).join(' ');
    const bytes = new TextEncoder().encode(text);
    const whole = getPicture(drawn(text, {columns: 40, rows: 4}));
    for (let place = 0; place < bytes.length; place++) {
      const screen = createScreen({columns: 40, rows: 4});
      screen.write(bytes.subarray(0, place));
      screen.write(bytes.subarray(place));
      assert.deepEqual(getPicture(screen), whole, `cut at ${place}`);
      screen.close();
    }
  });

  test('a mark with nothing to sit on is a blank cell, so that no cell draws on its neighbour', () => {
    const screen = drawn('ab\u001B[m\u0301c');
    assert.deepEqual(
      [...Array(4).keys()].map((index) => cellText(screen.readCells(), index)),
      ['a', 'b', ' ', 'c'],
    );
    screen.close();
  });
});

test('invalid UTF-8 is drawn as U+FFFD', () => {
  const screen = createScreen({columns: 20, rows: 4});
  screen.write(Uint8Array.of(0x61, 0xff, 0xc0, 0xaf, 0xed, 0xa0, 0x80, 0xe2, 0x82));
  screen.write(Uint8Array.of(0x62));
  assert.equal(screen.text()[0], `a${'\uFFFD'.repeat(7)}b`);
  screen.close();
});

test('styles come out as they went in', () => {
  const styles = [
    '\u001B[m',
    '\u001B[0;1m',
    '\u001B[0;2;3m',
    '\u001B[0;4m',
    '\u001B[0;4:3m',
    '\u001B[0;5;7;8;9;53m',
    '\u001B[0;31;42m',
    '\u001B[0;95;106m',
    '\u001B[0;38;5;200;48;5;17m',
    '\u001B[0;38;2;1;2;3;48;2;250;251;252m',
  ];
  const screen = drawn(styles.map((style) => `${style}x`).join(''));
  const cells = screen.readCells();
  assert.deepEqual(
    styles.map((_, index) => styleSequence(toStyle(cells, index))),
    styles,
  );
  screen.close();
});

test('a colour by number does not remember the one before it', () => {
  const screen = drawn('\u001B[38;2;17;34;51m\u001B[31mx\u001B[0;31mx');
  const cells = screen.readCells();
  assert.ok(isSameCell(cells, 0, cells, 1));
  screen.close();
});

test('cells are the same when they look the same', () => {
  const screen = drawn('ae\u0301 e\u0301e\u0300\u001B[31ma');
  const cells = screen.readCells();
  assert.ok(isSameCell(cells, 1, cells, 3));
  assert.ok(!isSameCell(cells, 3, cells, 4));
  assert.ok(!isSameCell(cells, 0, cells, 5));
  screen.close();
});

test('cells are read into the same memory again', () => {
  const screen = drawn('one 👍🏽');
  const cells = screen.readCells();
  write(screen, '\rtwo x\u001B[K');
  assert.equal(screen.readCells(0, 4, cells), cells);
  assert.equal(cells.clusters.size, 0);
  screen.resize(30, 4);
  assert.notEqual(screen.readCells(0, 4, cells), cells);
  screen.close();
});

test('the version tells whether something was drawn', () => {
  const screen = drawn('x');
  const {version} = screen;
  write(screen, '\u001B]0;title\u0007\u001B[c\u0007');
  assert.equal(screen.version, version);
  write(screen, 'y');
  assert.ok(screen.version > version);
  screen.close();
});

test('title, bells and modes are followed', () => {
  const screen = drawn(
    '\u001B]2;\u202Eevil \u001B\\\u0007\u001B[?1049;2004;1003;1006;1004;2026;1h\u001B=\u001B[5 q\u001B[?25l\u001B[?7l\u001B[4h\u001B[?6h\u001B[?12h',
  );
  assert.equal(screen.title, String.raw`\u{202e}evil`);
  assert.equal(screen.bells, 1);
  assert.deepEqual(screen.modes, {
    alternateScreen: true,
    applicationCursorKeys: true,
    applicationKeypad: true,
    autoWrap: false,
    bracketedPaste: true,
    cursorBlink: true,
    cursorShape: 5,
    cursorVisible: false,
    focusReporting: true,
    insert: true,
    mouseEncoding: 'sgr',
    mouseTracking: 'motion',
    origin: true,
    synchronizedOutput: true,
  });
  write(screen, '\u001B[!p');
  assert.equal(screen.modes.cursorVisible, true);
  assert.equal(screen.modes.bracketedPaste, true);
  write(screen, '\u001Bc');
  assert.deepEqual(screen.modes, createScreen({columns: 2, rows: 1}).modes);
  screen.close();
});

test('a title is a label of at most 80 cells', () => {
  const screen = drawn(`\u001B]0;${'日'.repeat(200)}\u0007`);
  assert.equal(screen.title, `${'日'.repeat(39)}…`);
  screen.close();
});

test('the lines above the screen can be read and searched, across wrapped ends too', () => {
  const screen = createScreen({columns: 10, rows: 3, scrollback: 5});
  for (let line = 1; line <= 20; line++) write(screen, `line ${line}\r\n`);
  write(screen, 'a word that WRAPS here');
  assert.equal(screen.history, 5);
  assert.deepEqual(screen.text(-2, 3), ['line 19', 'line 20', 'a word tha']);
  assert.deepEqual(screen.search('line 2'), [{row: -1, column: 0}]);
  assert.deepEqual(screen.search('that wraps'), [{row: 0, column: 7}]);
  assert.deepEqual(screen.search('That'), []);
  assert.deepEqual(screen.search(''), []);
  screen.close();
});

test('a search gives the column of a cell, not of a character', () => {
  const screen = drawn('日本e\u0301 x');
  assert.deepEqual(screen.search('x'), [{row: 0, column: 6}]);
  screen.close();
});

test('the alternate screen has no lines above it', () => {
  const screen = drawn(`${'x\r\n'.repeat(10)}\u001B[?1049h${'y\r\n'.repeat(10)}`);
  assert.equal(screen.history, 0);
  screen.close();
});

test('a smaller and a larger screen keep the text', () => {
  const screen = drawn('0123456789abcdef\r\n', {columns: 20, rows: 4});
  screen.resize(8, 4);
  assert.deepEqual(screen.text().slice(0, 2), ['01234567', '89abcdef']);
  screen.resize(20, 2);
  assert.equal(screen.text()[0], '0123456789abcdef');
  screen.close();
});

test('the smallest screens draw without failing', () => {
  for (const [columns, rows] of [
    [1, 1],
    [0, 0],
    [-5, 3],
    [2, 1],
    [20, 5],
    [100_000, 100_000],
  ] as const) {
    const screen = createScreen({columns, rows});
    for (const {bytes} of corpus.slice(0, 100)) screen.write(bytes);
    screen.resize(rows, columns);
    assert.ok(
      screen.columns >= 2 && screen.columns <= 1000 && screen.rows >= 1 && screen.rows <= 1000,
    );
    screen.close();
  }
});

test('erasing up to the last cell erases everything', () => {
  assert.deepEqual(toLines('x\u001B[4;20Hy\u001B[1J'), []);
  assert.deepEqual(toLines('x\u001B[4;20Hy\u001B[?1J'), []);
});

test('an emulator that fails begins blank instead of failing those around it', () => {
  const emulator = createEmulator(20, 4, 10);
  // The bug that the screen works around: xterm.js 6 fails on this.
  emulator.write('x\u001B[4;20Hy\u001B[1J');
  emulator.write('z');
  assert.equal(emulator.active().x, 1);
  assert.equal(emulator.columns(), 20);
  emulator.close();
});

test('10,000 hostile streams and resizes fail nowhere, and the cells stay whole', () => {
  const random = createRandom('resizes');
  let screen = createScreen({columns: 30, rows: 6});
  for (let round = 0; round < 10_000; round++) {
    screen.write(hostileBytes(random, 3));
    if (random.chance(0.2)) screen.resize(2 + random.below(50), 1 + random.below(12));
    if (random.chance(0.2)) assertWholeCells(screen);
    if (random.chance(0.001)) {
      screen.close();
      screen = createScreen({columns: 30, rows: 6});
    }
  }

  screen.close();
});

/** Every row is covered by its cells exactly. */
function assertWholeCells(screen: Screen): void {
  const cells = screen.readCells(-screen.history, screen.history + screen.rows);
  for (let row = 0; row < cells.rows; row++) {
    let column = 0;
    while (column < cells.columns) {
      const index = row * cells.columns + column;
      const width = cellWidth(cells, index);
      assert.notEqual(width, 0);
      assert.notEqual(cellText(cells, index), '');
      if (width === 2) assert.equal(cellWidth(cells, index + 1), 0);
      column += width;
    }

    assert.equal(column, cells.columns);
  }
}

test('cells that are brought up to date are the cells of the screen, whatever was drawn, and rows that are not named have not changed', () => {
  for (let seed = 1; seed <= 150; seed++) {
    const random = createRandom(`refresh ${seed}`);
    const screen = createScreen({
      columns: 2 + random.below(30),
      rows: 1 + random.below(10),
      scrollback: random.below(20),
    });
    let {cells} = screen.refresh();
    for (let step = 0; step < 40; step++) {
      if (random.chance(0.05)) screen.resize(2 + random.below(30), 1 + random.below(10));
      const bytes = random.chance(0.5)
        ? hostileBytes(random, 1 + random.below(60))
        : corpus[random.below(corpus.length)]!.bytes;
      screen.write(bytes);
      if (random.chance(0.3)) continue;
      const before = {...cells, words: cells.words.slice(), clusters: new Map(cells.clusters)};
      const refreshed = screen.refresh(cells);
      const isSameSize =
        before.columns === refreshed.cells.columns && before.rows === refreshed.cells.rows;
      ({cells} = refreshed);
      const place = `seed ${seed}, step ${step}`;
      const whole = screen.readCells();
      assert.deepEqual(
        {
          words: cells.words,
          clusters: new Map([...cells.clusters].sort(([one], [other]) => one - other)),
        },
        {
          words: whole.words,
          clusters: new Map([...whole.clusters].sort(([one], [other]) => one - other)),
        },
        place,
      );
      for (let row = 0; isSameSize && row < cells.rows; row++) {
        if (row >= refreshed.rows.first && row < refreshed.rows.end) continue;
        for (let index = row * cells.columns; index < (row + 1) * cells.columns; index++)
          assert.ok(isSameCell(cells, index, before, index), place);
      }
    }

    screen.close();
  }
});

test('one character that is drawn touches one row', () => {
  const screen = drawn('one\r\ntwo\r\n');
  const {cells} = screen.refresh();
  write(screen, 'x');
  assert.deepEqual(screen.refresh(cells), {cells, rows: {first: 2, end: 3}});
  assert.deepEqual(screen.refresh(cells).rows, {first: 0, end: 0});
  screen.close();
});
