import type {ColourPalette} from './palettes.ts';
import {black, contrast, white} from './contrast.ts';
import {type Surface, surfaces, type TextStyle, type Theme, type Token, tokens} from './tokens.ts';

/** The colours of a theme: one for each token, absent where the terminal has none for it. */
export type Colours = Readonly<Record<Token, string>>;

export type PaletteThemeOptions = {
  readonly depth: 'full' | '256';
  /** The terminal has this background already, more or less. */
  readonly paintsBackground: boolean;
};

/** A theme of a named palette. */
export function themeFromPalette(
  name: string,
  {colours}: ColourPalette,
  {depth, paintsBackground}: PaletteThemeOptions,
): Theme {
  const hex = Object.fromEntries(tokens.map((token) => [token, colours[token][0]])) as Colours;
  const shown =
    depth === 'full'
      ? hex
      : Object.fromEntries(
          tokens.flatMap((token) => {
            const [, number] = colours[token];
            return number === undefined ? [] : [[token, `ansi256(${number})`]];
          }),
        );
  return themeFromColours(name, {shown, hex, paintsBackground});
}

/**
 * A theme of colours. `shown` is what Ink gets; `hex` are the same colours, from which the text on
 * a `mode` bar is chosen.
 */
export function themeFromColours(
  name: string,
  {
    shown,
    hex,
    paintsBackground,
  }: {
    readonly shown: Partial<Colours>;
    readonly hex: Colours;
    readonly paintsBackground: boolean;
  },
): Theme {
  const fills = Object.fromEntries(
    surfaces.map((surface) => [surface, toFill(surface, shown, hex, paintsBackground)]),
  ) as Readonly<Record<Surface, TextStyle>>;
  const styles = Object.fromEntries(
    tokens.map((token) => [token, isBehindText(token) ? fills[token] : toColour(shown[token])]),
  ) as Readonly<Record<Token, TextStyle>>;
  const {text, bg} = shown;
  return {
    name,
    styles,
    fill: (surface) => fills[surface],
    paintsBackground,
    ...(paintsBackground && text !== undefined && bg !== undefined ? {pane: {text, bg}} : {}),
    frames: 'colour',
  };
}

function isBehindText(token: Token): token is Exclude<Surface, 'mode'> {
  return token !== 'mode' && (surfaces as readonly Token[]).includes(token);
}

function toColour(color: string | undefined): TextStyle {
  return color === undefined ? {} : {color};
}

function toFill(
  surface: Surface,
  shown: Partial<Colours>,
  hex: Colours,
  paintsBackground: boolean,
): TextStyle {
  const backgroundColor = shown[surface];
  if (backgroundColor === undefined || (surface === 'bg' && !paintsBackground)) return {};
  if (surface === 'mode') return {backgroundColor, color: textOnMode(shown, hex)};
  return surface === 'add-word' || surface === 'del-word'
    ? {backgroundColor, ...toColour(shown.text)}
    : {backgroundColor};
}

/** The background of the theme, or black or white where that is not readable enough. */
function textOnMode(shown: Partial<Colours>, {mode, bg}: Colours): string {
  if (contrast(bg, mode) >= minContrast && shown.bg !== undefined) return shown.bg;
  return contrast(black, mode) >= contrast(white, mode) ? black : white;
}

const minContrast = 4.5;
