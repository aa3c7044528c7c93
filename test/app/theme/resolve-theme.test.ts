import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {ColourDepth} from '../../../source/app/render/colour.ts';
import {
  resolveTheme,
  type ResolveThemeOptions,
  themeSettings,
} from '../../../source/app/theme/resolve-theme.ts';
import {toSgr} from '../../../source/app/theme/to-sgr.ts';
import {surfaces, tokens} from '../../../source/app/theme/tokens.ts';
import {terminals} from './terminals.ts';

const xterm = {TERM: 'xterm-256color'};
const dark = {background: '#101010', palette: {}};
const light = {background: '#fafafa', palette: {}};

const cases: readonly (readonly [string, ResolveThemeOptions, string, string])[] = [
  ['a name', {setting: 'nord', env: xterm, depth: 'full'}, 'nord, painted', '#88c0d0'],
  [
    'a name in 256 colours',
    {setting: 'nord', env: xterm, depth: '256'},
    'nord, painted',
    'ansi256(152)',
  ],
  ['a name in 16 colours', {setting: 'overture-day', env: xterm, depth: '16'}, 'terminal', 'blue'],
  [
    'a name in 16 colours on black',
    {setting: 'overture-day', env: xterm, depth: '16', terminal: dark},
    'terminal',
    'cyan',
  ],
  ['NO_COLOR', {setting: 'nord', env: {...xterm, NO_COLOR: '1'}, depth: 'full'}, 'none', ''],
  [
    'an empty NO_COLOR',
    {setting: 'nord', env: {...xterm, NO_COLOR: ''}, depth: 'full'},
    'nord, painted',
    '#88c0d0',
  ],
  ['a dumb terminal', {setting: 'nord', env: {TERM: 'dumb'}, depth: 'full'}, 'none', ''],
  [
    'a terminal without colours',
    {setting: 'nord', env: {TERM: 'vt100'}, depth: 'none'},
    'none',
    '',
  ],
  ['none', {setting: 'none', env: xterm, depth: 'full'}, 'none', ''],
  ['terminal', {setting: 'terminal', env: xterm, depth: 'full'}, 'terminal', 'cyan'],
  [
    'terminal on white',
    {setting: 'terminal', env: xterm, depth: 'full', terminal: light},
    'terminal',
    'blue',
  ],
  ['auto, nothing known', {setting: 'auto', env: xterm, depth: 'full'}, 'terminal', 'cyan'],
  [
    'auto, only colours known',
    {setting: 'auto', env: xterm, depth: 'full', terminal: {palette: {4: '#0000ff'}}},
    'terminal',
    'cyan',
  ],
  [
    'auto, background known',
    {setting: 'auto', env: xterm, depth: 'full', terminal: {...dark, palette: {4: '#99ccff'}}},
    'auto',
    '#99ccff',
  ],
  [
    'auto, black in 256 colours',
    {setting: 'auto', env: xterm, depth: '256', terminal: dark},
    'overture',
    'ansi256(147)',
  ],
  [
    'auto, white in 256 colours',
    {setting: 'auto', env: xterm, depth: '256', terminal: light},
    'overture-day',
    'ansi256(25)',
  ],
  [
    'auto, white in 16 colours',
    {setting: 'auto', env: xterm, depth: '16', terminal: light},
    'terminal',
    'blue',
  ],
  [
    'auto, COLORFGBG white',
    {setting: 'auto', env: {...xterm, COLORFGBG: '0;15'}, depth: '256'},
    'overture-day',
    'ansi256(25)',
  ],
  [
    'auto, COLORFGBG black',
    {setting: 'auto', env: {...xterm, COLORFGBG: '15;default;0'}, depth: 'full'},
    'overture',
    '#a3b4ff',
  ],
  [
    'auto, COLORFGBG of no use',
    {setting: 'auto', env: {...xterm, COLORFGBG: 'default;default'}, depth: 'full'},
    'terminal',
    'cyan',
  ],
];

for (const [what, options, expected, accent] of cases) {
  test(`${what}: ${expected}`, () => {
    const theme = resolveTheme(options);
    assert.equal(`${theme.name}${theme.paintsBackground ? ', painted' : ''}`, expected);
    assert.equal(theme.styles.accent.color ?? '', accent);
    assert.equal(theme.pane !== undefined, theme.paintsBackground);
    assert.equal(theme.fill('bg').backgroundColor !== undefined, theme.paintsBackground);
    assert.equal(theme.frames, /^(?:terminal|none)$/.test(theme.name) ? 'heavy' : 'colour');
  });
}

test('without colours the chosen row, changed words and the bar of typing still stand out', () => {
  for (const setting of ['none', 'terminal'] as const) {
    const {fill} = resolveTheme({setting, env: xterm, depth: '16'});
    assert.equal(fill('select').inverse, true);
    assert.equal(fill('mode').inverse, true);
    assert.equal(fill('add-word').underline, true);
    assert.deepEqual(fill('raised'), {});
  }
});

test('no theme uses bright black, nor a faint style', () => {
  const depths: readonly ColourDepth[] = ['full', '256', '16', 'none'];
  const known = [undefined, dark, light, ...Object.values(terminals)];
  for (const setting of themeSettings)
    for (const depth of depths)
      for (const terminal of known) {
        const theme = resolveTheme({setting, env: xterm, depth, terminal});
        const styles = [
          ...tokens.map((token) => theme.styles[token]),
          ...surfaces.map((surface) => theme.fill(surface)),
        ];
        for (const style of styles)
          assert.match(
            toSgr(style),
            /^(?:(?:[147]|3[0-7]|[34]8;2;\d+;\d+;\d+|[34]8;5;(?:1[6-9]|[2-9]\d|\d{3}))(?:;|$))*$/,
          );
      }
});
