import type {Tone} from '../model/line.ts';

/**
 * The SGR codes of each tone. Only the sixteen colours of the terminal are used, because the person
 * chose those to be readable. We write the codes ourselves: Ink drops even bold and inverse where
 * it detects no colours.
 */
export type Theme = Readonly<Record<Tone, string>>;
export type ThemeName = 'dark' | 'light' | 'none';

export function getTheme(name: ThemeName): Theme {
  return themes[name];
}

/** The chosen theme, else the one for the background of the terminal (COLORFGBG), else dark. */
export function resolveThemeName(
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
