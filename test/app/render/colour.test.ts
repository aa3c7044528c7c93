import assert from 'node:assert/strict';
import {test} from 'node:test';
import {detectColourDepth, reduceColour} from '../../../source/app/render/colour.ts';

const attributes = 0xf800_0000;

test('a colour becomes the nearest that the terminal has, and the rest of the word stays', () => {
  const rows: readonly [number, number, number][] = [
    // What it is, what it is of 256, what it is of 16.
    [0x300_0000 | 0xff_0000, 0x200_0000 | 196, 0x100_0000 | 9],
    [0x300_0000 | 0x5f_87af, 0x200_0000 | 67, 0x100_0000 | 8],
    [0x300_0000 | 0x80_8080, 0x200_0000 | 244, 0x100_0000 | 8],
    [0x300_0000 | 0x08_0808, 0x200_0000 | 232, 0x100_0000 | 0],
    [0x200_0000 | 46, 0x200_0000 | 46, 0x100_0000 | 10],
    [0x200_0000 | 3, 0x200_0000 | 3, 0x100_0000 | 3],
    [0x100_0000 | 5, 0x100_0000 | 5, 0x100_0000 | 5],
    [0, 0, 0],
  ];
  for (const [word, of256, of16] of rows) {
    const given = (word | attributes) >>> 0;
    assert.deepEqual(
      [
        reduceColour(given, 'full'),
        reduceColour(given, '256'),
        reduceColour(given, '16'),
        reduceColour(given, 'none'),
      ],
      [given, (of256 | attributes) >>> 0, (of16 | attributes) >>> 0, attributes],
      word.toString(16),
    );
  }
});

test('the environment says how many colours there are', () => {
  const depths = [
    {TERM: 'xterm-256color'},
    {TERM: 'xterm-256color', COLORTERM: 'truecolor'},
    {TERM: 'screen'},
    {TERM: 'xterm-kitty'},
    {TERM: 'dumb'},
    {},
    {TERM: 'xterm-256color', NO_COLOR: '1'},
    {TERM: 'xterm', NO_COLOR: ''},
  ].map((env) => detectColourDepth(env));
  assert.deepEqual(depths, ['256', 'full', '16', 'full', 'none', 'none', 'none', '16']);
});
