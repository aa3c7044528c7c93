import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {contrast} from '../../../source/app/theme/contrast.ts';
import {type Colours} from '../../../source/app/theme/from-palette.ts';
import {coloursFromTerminal, resolveTheme} from '../../../source/app/theme/resolve-theme.ts';
import {paletteNames, palettes} from '../../../source/app/theme/palettes.ts';
import {type Token, tokens} from '../../../source/app/theme/tokens.ts';
import {terminals} from './terminals.ts';
import {hexOf256} from './hex-of-256.ts';

type Rule = {readonly of: readonly Token[]; readonly on: readonly Token[]; readonly min: number};

const tones = ['accent', 'mode', 'run', 'good', 'warn', 'bad'] as const;
const code = ['keyword', 'string', 'number', 'name', 'comment'] as const;
const rules: readonly Rule[] = [
  {of: ['text'], on: ['bg', 'surface'], min: 7},
  {of: ['text'], on: ['raised', 'select'], min: 5.5},
  {of: ['dim', ...tones], on: ['bg', 'surface', 'raised', 'select'], min: 4.5},
  {of: ['faint'], on: ['bg', 'surface'], min: 3},
  {of: [...code, 'text', 'good', 'bad'], on: ['bg', 'add', 'del'], min: 4.5},
  {of: ['text'], on: ['add-word', 'del-word'], min: 4.5},
];

/** The pairs that are harder to read than a rule allows. Tokens without a colour are left out. */
function tooLow(colours: Partial<Colours>): string[] {
  return rules.flatMap(({of, on, min}) =>
    of.flatMap((token) =>
      on.flatMap((surface) => {
        const [text, behind] = [colours[token], colours[surface]];
        if (text === undefined || behind === undefined) return [];
        const ratio = contrast(text, behind);
        return ratio >= min ? [] : [`${token} on ${surface}: ${ratio.toFixed(2)} < ${min}`];
      }),
    ),
  );
}

const take = (pick: (token: Token) => string | undefined): Partial<Colours> =>
  Object.fromEntries(
    tokens.flatMap((token): readonly [Token, string][] => {
      const colour = pick(token);
      return colour === undefined ? [] : [[token, colour]];
    }),
  );

describe('every token can be read on every surface', () => {
  for (const name of paletteNames) {
    const {colours} = palettes[name];
    test(`of ${name}`, () => {
      assert.deepEqual(tooLow(take((token) => colours[token][0])), []);
    });
    test(`of ${name} in 256 colours`, () => {
      const shown = take((token) => {
        const number: number | undefined = colours[token][1];
        return number === undefined ? undefined : hexOf256(number);
      });
      assert.deepEqual(tooLow(shown), []);
    });
  }

  for (const [name, terminal] of Object.entries(terminals)) {
    test(`of the theme that is made from the colours of ${name}`, () => {
      assert.deepEqual(tooLow(coloursFromTerminal(terminal)), []);
    });
  }

  test('of themes made from a background alone, unless it is a middle grey', () => {
    for (const background of ['#000000', '#1e1e2e', '#333333', '#cccccc', '#fdf6e3', '#ffffff'])
      assert.deepEqual(tooLow(coloursFromTerminal({background, palette: {}})), [], background);
  });
});

test('what stands on a bar in the colour of typing can be read', () => {
  const env = {TERM: 'xterm-256color'};
  const themes = [
    ...paletteNames.map((setting) => resolveTheme({setting, env, depth: 'full'})),
    ...Object.values(terminals).map((terminal) =>
      resolveTheme({setting: 'auto', env, depth: 'full', terminal}),
    ),
  ];
  for (const theme of themes) {
    const {color = '', backgroundColor = ''} = theme.fill('mode');
    assert.ok(contrast(color, backgroundColor) >= 4.5, theme.name);
  }
});

test('a background that leaves no contrast gets the best there is', () => {
  assert.equal(coloursFromTerminal({background: '#777777', palette: {}}).text, '#000000');
});
