import {type Surface, surfaces, type TextStyle, type Theme, type Token, tokens} from './tokens.ts';

/**
 * The theme `terminal`: the sixteen colours that the person chose for the terminal. Bright black is
 * not among them: in several well-known schemes it is the background, or nearly so. Second-rank
 * text therefore has the default colour, and titles are bold instead.
 */
export function terminalTheme(kind: 'dark' | 'light'): Theme {
  return themeOfStyles('terminal', kind === 'dark' ? dark : light, {
    select: {inverse: true},
    'add-word': {underline: true},
    'del-word': {underline: true},
    mode: {color: 'magenta', bold: true, inverse: true},
  });
}

const plain: TextStyle = {};

/** The theme `none`: bold, inverse and underline alone. */
export const noneTheme: Theme = themeOfStyles(
  'none',
  {accent: bold(), mode: bold(), warn: bold(), bad: bold()},
  {
    select: {inverse: true},
    'add-word': {underline: true},
    'del-word': {underline: true},
    mode: {bold: true, inverse: true},
  },
);

const dark: Partial<Record<Token, TextStyle>> = {
  accent: bold('cyan'),
  mode: bold('magenta'),
  run: {color: 'cyan'},
  good: {color: 'green'},
  warn: bold('yellow'),
  bad: bold('red'),
  keyword: {color: 'magenta'},
  string: {color: 'green'},
  number: {color: 'cyan'},
  add: {color: 'green'},
  del: {color: 'red'},
};

/** Yellow and cyan cannot be read on white. */
const light: Partial<Record<Token, TextStyle>> = {
  accent: bold('blue'),
  mode: bold('magenta'),
  run: {color: 'blue'},
  good: bold('green'),
  warn: bold(),
  bad: bold('red'),
  keyword: {color: 'magenta'},
  number: {color: 'blue'},
  add: {color: 'green'},
  del: {color: 'red'},
};

function bold(color?: string): TextStyle {
  return color === undefined ? {bold: true} : {color, bold: true};
}

function themeOfStyles(
  name: string,
  own: Partial<Record<Token, TextStyle>>,
  fills: Partial<Record<Surface, TextStyle>>,
): Theme {
  const fillOf = (surface: Surface): TextStyle =>
    fills[surface] ?? (surface === 'add' || surface === 'del' ? own[surface] : undefined) ?? plain;
  const styleOf = (token: Token): TextStyle =>
    own[token] ?? (isSurface(token) ? fillOf(token) : plain);
  const known = Object.fromEntries(surfaces.map((surface) => [surface, fillOf(surface)])) as Record<
    Surface,
    TextStyle
  >;
  return {
    name,
    styles: Object.fromEntries(tokens.map((token) => [token, styleOf(token)])) as Record<
      Token,
      TextStyle
    >,
    fill: (surface) => known[surface],
    paintsBackground: false,
    frames: 'heavy',
  };
}

function isSurface(token: Token): token is Token & Surface {
  return (surfaces as readonly string[]).includes(token);
}
