import type {Tone} from '../model/line.ts';

/**
 * How each tone looks, as numbers of SGR. Only the terminal's own sixteen colours: a person chose those to be readable.
 * They are written by us and not by Ink, which leaves out bold and inverse as well where it thinks that there are no colours.
 */
export type Theme = Readonly<Record<Tone, string>>;
export type ThemeName = 'dark' | 'light' | 'none';

export function themeOf(name: ThemeName): Theme {
  return themes[name];
}

/** What the person chose, else what the terminal says of its background (COLORFGBG), else dark. */
export function themeNameOf(
  chosen: ThemeName | 'auto',
  env: Readonly<Record<string, string | undefined>>,
): ThemeName {
  if ((env['NO_COLOR'] ?? '') !== '') return 'none';
  if (chosen !== 'auto') return chosen;
  const background = Number(/;(\d+)$/.exec(env['COLORFGBG'] ?? '')?.[1] ?? Number.NaN);
  return background === 7 || background === 15 ? 'light' : 'dark';
}

const bold = '1';
const underlined = '4';
const inverse = '7';

const none: Theme = {
  plain: '',
  strong: bold,
  title: `${bold};${underlined}`,
  quiet: '',
  good: '',
  bad: bold,
  needs: bold,
  accent: bold,
  bar: inverse,
  'bar-needs': `${bold};${inverse}`,
  cursor: inverse,
  caret: '',
  added: '',
  removed: '',
  keyword: '',
  string: '',
  comment: '',
  number: '',
  name: '',
};

const [red, green, yellow, blue, magenta, cyan, grey] = ['31', '32', '33', '34', '35', '36', '90'];

const dark: Theme = {
  plain: '',
  strong: bold,
  title: bold,
  quiet: grey,
  good: green,
  bad: red,
  needs: yellow,
  accent: cyan,
  bar: inverse,
  'bar-needs': `${bold};${yellow};${inverse}`,
  cursor: inverse,
  caret: '',
  added: green,
  removed: red,
  keyword: magenta,
  string: green,
  comment: grey,
  number: yellow,
  name: cyan,
};

/** Yellow and cyan are hard to read on white. */
const light: Theme = {
  ...dark,
  needs: `${bold};${magenta}`,
  accent: blue,
  'bar-needs': `${bold};${magenta};${inverse}`,
  number: red,
  name: blue,
};

const themes: Readonly<Record<ThemeName, Theme>> = {dark, light, none};
