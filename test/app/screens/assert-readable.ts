import assert from 'node:assert/strict';
import {contrast} from '../../../source/app/theme/contrast.ts';
import {themeFromPalette} from '../../../source/app/theme/from-palette.ts';
import {palettes} from '../../../source/app/theme/palettes.ts';
import {drawCells} from './draw.tsx';
import {type Fixture, paneText} from './fixtures.ts';

const palette = palettes.overture;
const theme = themeFromPalette('overture', palette, {depth: 'full', paintsBackground: true});
/** Below this, letters are lost; what is read has far more (see the test of the palettes). */
const minContrast = 3;

/** The whole screen in colours: the same words in the same places, and each letter can be read. */
export function assertReadable({model, state, now}: Fixture, plain: string): void {
  const {cells, rows} = drawCells(model, state, now, {pane: paneText, theme});
  assert.deepEqual(
    rows.map((row) => withLightLines(row)),
    plain
      .trimEnd()
      .split('\n')
      .map((row) => withLightLines(row)),
    'colours move nothing',
  );
  const unreadable = new Map<string, string>();
  for (let index = 0; index < cells.columns * cells.rows; index++) {
    const [unit = 0, foreground = 0, background = 0] = cells.words.subarray(index * 3);
    const character = String.fromCodePoint(unit & 0x1f_ffff);
    if (!/[\p{L}\p{N}]/u.test(character)) continue;
    const pair = `${toHex(foreground, 'text')} on ${toHex(background, 'bg')}`;
    const [front = '', , behind = ''] = pair.split(' ');
    if (contrast(front, behind) < minContrast)
      unreadable.set(pair, (unreadable.get(pair) ?? '') + character);
  }

  assert.deepEqual([...unreadable], []);
}

function toHex(unit: number, otherwise: 'text' | 'bg'): string {
  return ((unit >> 24) & 3) === 3
    ? `#${(unit & 0xff_ffff).toString(16).padStart(6, '0')}`
    : palette.colours[otherwise][0];
}

/** Where there is no colour for the focus, its frame is heavy. */
function withLightLines(row: string): string {
  return row
    .trimEnd()
    .replaceAll('━', '─')
    .replaceAll('┃', '│')
    .replaceAll('┏', '╭')
    .replaceAll('┓', '╮')
    .replaceAll('┗', '╰')
    .replaceAll('┛', '╯');
}
