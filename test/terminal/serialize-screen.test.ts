import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {createOutputFilter, createScreen, type Screen} from '../../source/terminal/index.ts';
import {createRandom} from '../support/random.ts';
import {corpus} from './corpus.ts';
import {assertGolden} from './golden.ts';
import {hostileBytes} from './hostile.ts';
import {getPicture, write} from './picture.ts';
import {assertOnlyAllowed} from './recogniser.ts';
import {streams} from './streams.ts';
import {scaled} from '../support/scale.ts';

type Size = {readonly columns: number; readonly rows: number};

function drawn(bytes: Uint8Array, size: Size): Screen {
  const screen = createScreen(size);
  screen.write(bytes);
  return screen;
}

/** Drawn anew on a fresh screen, and on one where something else was, it looks the same. */
function assertRedrawn(screen: Screen, before: Uint8Array, what: string): void {
  const text = screen.serialize();
  const bytes = new TextEncoder().encode(text);
  assertOnlyAllowed(bytes, what);
  assert.equal(
    Buffer.from(createOutputFilter().write(bytes)).toString(),
    text,
    `${what}: the filter lets all of it through`,
  );
  const expected = getPicture(screen);
  for (const [where, used] of [
    ['a fresh screen', new Uint8Array()],
    ['a used screen', before],
  ] as const) {
    const other = drawn(used, screen);
    // Whatever was begun there is broken off.
    write(other, '\u0018\u001B\\');
    other.write(bytes);
    assert.deepEqual(getPicture(other), expected, `${what}, on ${where}`);
    other.close();
  }
}

test('2,000 random screens are redrawn with equal cells, cursor and modes', () => {
  for (let seed = 0; seed < scaled(2000); seed++) {
    const random = createRandom(`redraw ${seed}`);
    const screen = drawn(hostileBytes(random, 1 + random.below(30)), {
      columns: random.pick([2, 7, 20, 40]),
      rows: random.pick([1, 3, 5, 10]),
    });
    assertRedrawn(screen, hostileBytes(random, 10), `seed ${seed}`);
    screen.close();
  }
});

test('the screen after each entry of the corpus is redrawn', () => {
  for (const {name, bytes} of corpus) {
    const screen = drawn(bytes, {columns: 40, rows: 6});
    assertRedrawn(screen, Buffer.from('\u001B[?1049h\u001B[5;2Hx\u001B[7m'), name);
    screen.close();
  }
});

test('the screens of real programs are redrawn', () => {
  for (const [name, make] of Object.entries(streams)) {
    for (const size of [
      {columns: 80, rows: 24},
      {columns: 120, rows: 40},
    ]) {
      const screen = drawn(make(size, 30_000), size);
      assertRedrawn(screen, make(size, 5000, 2), name);
      screen.close();
    }
  }
});

test('a redrawn screen goes on like the one it was made from', () => {
  for (let seed = 0; seed < 1000; seed++) {
    const random = createRandom(`go on ${seed}`);
    const size = {columns: random.pick([2, 7, 20, 40]), rows: random.pick([1, 3, 5, 10])};
    // Without wrapping, xterm.js leaves out wide characters at the edge in a way that no redrawing
    // brings about.
    const wrapping = (bytes: Uint8Array): Uint8Array =>
      Buffer.from(
        Buffer.from(bytes)
          .toString()
          .replaceAll(/\u001B\[\?7(?:;25)?l/g, ''),
      );
    const screen = drawn(wrapping(hostileBytes(random, 1 + random.below(30))), size);
    // A sequence, so that the next character does not join the last one.
    write(screen, '\u0018\u001B[?12l');
    const other = drawn(new TextEncoder().encode(screen.serialize({history: 1000})), size);
    const more = wrapping(hostileBytes(random, 1 + random.below(10)));
    screen.write(more);
    other.write(more);
    assert.deepEqual(getPicture(other), getPicture(screen), `seed ${seed}`);
    assert.equal(other.history, screen.history, `seed ${seed}`);
    assert.deepEqual(
      other.text(-other.history, other.history),
      screen.text(-screen.history, screen.history),
      `seed ${seed}`,
    );
    screen.close();
    other.close();
  }
});

test('as many lines above the screen are drawn first as are wanted', () => {
  const screen = createScreen({columns: 20, rows: 3});
  for (let line = 1; line <= 50; line++) write(screen, `line ${line} ${'x'.repeat(line % 25)}\r\n`);
  const other = createScreen({columns: 20, rows: 3});
  write(other, screen.serialize({history: 10}));
  assert.equal(other.history, 10);
  assert.deepEqual(other.text(-10, 13), screen.text(-10, 13));
  screen.close();
  other.close();
});

test('a wide character that did not fit leaves no blank in the text when what was redrawn is resized', () => {
  const [screen, other] = [
    createScreen({columns: 21, rows: 6}),
    createScreen({columns: 21, rows: 6}),
  ];
  write(screen, `${'漢'.repeat(11)}end\r\n${'x'.repeat(20)} 漢字\r\nlast`);
  write(other, screen.serialize());
  for (const one of [screen, other]) one.resize(40, 6);
  assert.deepEqual(other.text(), screen.text());
  assert.deepEqual(other.text().slice(0, 2), [`${'漢'.repeat(11)}end`, `${'x'.repeat(20)} 漢字`]);
  screen.close();
  other.close();
});

describe('the text that redraws', () => {
  const size = {columns: 20, rows: 4};
  const cases: readonly [name: string, drawn: string][] = [
    ['plain', 'one\r\n  two'],
    ['styled', '\u001B[1;31mred\u001B[0m plain \u001B[48;5;22m bg\u001B[K'],
    [
      'second',
      'shell\r\n\u001B[?1049h\u001B[H\u001B[7mvim\u001B[m\u001B[2;3r\u001B[?1h\u001B=\u001B[?25l',
    ],
    ['wrapped', `${'a'.repeat(20)}b日${'c'.repeat(17)}`],
    ['clustered', 'e\u0301👍🏽🇩🇪\u001B[3;19H👩‍👩‍👧'],
    ['saved', '\u001B[2;5H\u001B[32m\u001B(0\u001B7\u001B(B\u001B[m\u001B[Hx'],
    ['tabbed', '\u001B[3g\u001B[5G\u001BH\r\tx'],
    ['scrolling', '\u001B[2;3r\u001B[?6h\u001B[2;5Hx'],
  ];
  for (const [name, text] of cases) {
    test(`of a ${name} screen`, () => {
      const screen = drawn(new TextEncoder().encode(text), size);
      assertRedrawn(screen, new Uint8Array(), name);
      assertGolden(
        `${name}.ansi.txt`,
        screen
          .serialize()
          .replaceAll('\u001B', '␛')
          .replaceAll('\u000F', '␏')
          .replaceAll('\r\n', '␍␊\n'),
      );
      screen.close();
    });
  }
});
