import type {ColourDepth} from '../render/colour.ts';
import {isDark} from './contrast.ts';
import {noneTheme, terminalTheme} from './few-colours.ts';
import {themeFromPalette} from './from-palette.ts';
import {themeFromTerminal} from './from-terminal.ts';
import {type ColourPalette, type PaletteName, paletteNames, palettes} from './palettes.ts';
import type {TerminalColours} from './terminal-colours.ts';
import type {Theme} from './tokens.ts';

export const themeSettings = ['auto', 'terminal', 'none', ...paletteNames] as const;
export type ThemeSetting = (typeof themeSettings)[number];

export type ResolveThemeOptions = {
  readonly setting: ThemeSetting;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly depth: ColourDepth;
  /** The colours that the terminal has reported. */
  readonly terminal?: TerminalColours | undefined;
};

/**
 * The theme of a setting. A named theme paints its background; `auto` uses the background of the
 * terminal, and what is known of it.
 */
export function resolveTheme({setting, env, depth, terminal}: ResolveThemeOptions): Theme {
  const hasNone = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb' || depth === 'none';
  if (hasNone || setting === 'none') return noneTheme;
  const kind = kindOfTerminal(terminal, env);
  if (setting === 'terminal') return terminalTheme(kind ?? 'dark');
  if (setting !== 'auto') {
    const palette: ColourPalette = palettes[setting];
    return depth === '16'
      ? terminalTheme(kind ?? palette.kind)
      : themeFromPalette(setting, palette, {depth, paintsBackground: true});
  }

  if (kind === undefined || depth === '16') return terminalTheme(kind ?? 'dark');
  if (depth === 'full' && terminal?.background !== undefined)
    return themeFromTerminal({...terminal, background: terminal.background});
  const name: PaletteName = kind === 'dark' ? 'overture' : 'overture-day';
  return themeFromPalette(name, palettes[name], {depth, paintsBackground: false});
}

/** Whether the background of the terminal is dark, as it reported, or as COLORFGBG says. */
function kindOfTerminal(
  terminal: TerminalColours | undefined,
  env: ResolveThemeOptions['env'],
): ColourPalette['kind'] | undefined {
  if (terminal?.background !== undefined) return isDark(terminal.background) ? 'dark' : 'light';
  const number = /;(\d{1,2})$/.exec(env['COLORFGBG'] ?? '')?.[1];
  if (number === undefined) return undefined;
  return number === '7' || number === '15' ? 'light' : 'dark';
}
