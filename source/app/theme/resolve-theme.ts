import {type ColourDepth, detectColourDepth} from '../render/colour.ts';
import {black, contrast, isDark, mix, moveUntil, white} from './contrast.ts';
import {noneTheme, terminalTheme} from './few-colours.ts';
import {type Colours, themeFromColours, themeFromPalette} from './from-palette.ts';
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

const minText = 7;
const minTextOnRaised = 5.5;
const minTone = 4.5;
const minFaint = 3;

type ThemeSelector = (setting: ThemeSetting, terminal: TerminalColours | undefined) => Theme;

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

/** A theme of the terminal's own colours, for a terminal that said what its background is. */
function themeFromTerminal(terminal: TerminalColours & {readonly background: string}): Theme {
  const colours = coloursFromTerminal(terminal);
  return themeFromColours('auto', {shown: colours, hex: colours, paintsBackground: false});
}

/**
 * The colours of the tokens. Each starts as a colour of the terminal, or as a mixture of its text
 * and background, and moves towards white (dark) or black (light) until it can be read everywhere.
 * The normal colours are used, not the bright ones: in Solarized those are greys.
 */
export function coloursFromTerminal({
  foreground,
  background: bg,
  palette,
}: TerminalColours & {readonly background: string}): Colours {
  const end = isDark(bg) ? white : black;
  const fallback = palettes[isDark(bg) ? 'overture' : 'overture-day'].colours;
  const moved = (colour: string, min: number, behind: readonly string[]): string =>
    moveUntil(colour, end, (one) => behind.every((other) => contrast(one, other) >= min));

  const first = moved(foreground ?? end, minText, [bg]);
  const [surface, raised, border] = [0.04, 0.1, 0.28].map((share) => mix(bg, first, share)) as [
    string,
    string,
    string,
  ];
  const chosen = moved(palette[4] ?? fallback.accent[0], minTone, [bg, surface, raised]);
  const select = mix(bg, chosen, 0.22);
  const tone = (colour: string): string => moved(colour, minTone, [bg, surface, raised, select]);
  const accent = tone(chosen);
  const mode = tone(palette[5] ?? fallback.mode[0]);
  const run = tone(palette[6] ?? fallback.run[0]);
  const good = tone(palette[2] ?? fallback.good[0]);
  const warn = tone(palette[3] ?? fallback.warn[0]);
  const bad = tone(palette[1] ?? fallback.bad[0]);
  const [add, del] = [mix(bg, good, 0.14), mix(bg, bad, 0.14)];
  const [addWord, delWord] = [mix(bg, good, 0.32), mix(bg, bad, 0.32)];
  const readable = moved(first, minTone, [addWord, delWord]);
  const onRaised = moved(readable, minTextOnRaised, [raised, select]);
  const text = moved(onRaised, minText, [bg, surface]);
  const dim = tone(mix(text, bg, 0.3));
  const code = (colour: string): string => moved(colour, minTone, [bg, add, del]);
  return {
    bg,
    surface,
    raised,
    select,
    border,
    faint: moved(mix(text, bg, 0.5), minFaint, [bg, surface]),
    dim,
    text,
    accent,
    mode,
    run,
    good,
    warn,
    bad,
    keyword: code(mode),
    string: code(good),
    number: code(run),
    name: code(accent),
    comment: code(dim),
    add,
    'add-word': addWord,
    del,
    'del-word': delWord,
  };
}

/**
 * `resolveTheme` for one terminal. It returns the same object as long as nothing changed, so that
 * components are not drawn again.
 */
export function createThemeSelector(
  env: Readonly<Record<string, string | undefined>>,
): ThemeSelector {
  const depth = detectColourDepth(env);
  let last:
    | {
        readonly setting: ThemeSetting;
        readonly terminal: TerminalColours | undefined;
        readonly theme: Theme;
      }
    | undefined;
  return (setting, terminal) => {
    if (last?.setting !== setting || last.terminal !== terminal)
      last = {setting, terminal, theme: resolveTheme({setting, env, depth, terminal})};
    return last.theme;
  };
}
