import path from 'node:path';
import {readRegularFile, tryReadText} from '../files/index.ts';
import type {Environment} from '../shared/index.ts';
import type {Account} from './environment.ts';

/** The person's preferences for all repositories. Names and values are public. */
export type Preferences = {
  readonly theme: (typeof themes)[number];
  readonly leave: string;
  readonly notify: 'bell' | 'message' | 'off';
  readonly followsNeedy: boolean;
  readonly mouse: boolean;
  readonly signs: 'auto' | 'ascii';
  readonly frames: 'full' | 'rules' | 'none';
  readonly motion: 'calm' | 'none';
  readonly desktop: boolean;
  readonly command: string;
  /** Key bindings of the app by name. The app knows which names and keys exist. */
  readonly keys: Readonly<Record<string, unknown>>;
};

export type PreferenceName = keyof Preferences;

type Row<Value> = {
  readonly words: string;
  readonly usual: Value;
  /** Absent: any text; for keys, any object. */ readonly values?: readonly Value[];
  /** Names of earlier versions, and the values that they mean now. */
  readonly aliases?: Readonly<Record<string, Value>>;
};

/** The app has the colours of them; a test compares the names. */
const themes = [
  'auto',
  'terminal',
  'none',
  'overture',
  'overture-day',
  'catppuccin-mocha',
  'catppuccin-latte',
  'tokyonight',
  'gruvbox-dark',
  'nord',
  'solarized-dark',
  'solarized-light',
  'high-contrast',
  'high-contrast-light',
] as const;

/** Control characters that are no other key and that programs in a pane rarely need. */
const leaveKeys: readonly string[] = [
  'ctrl-]',
  'ctrl-g',
  'ctrl-\\',
  'ctrl-^',
  'ctrl-_',
  ...Array.from('abdefklnopqrstuvwxyz', (letter) => `ctrl-${letter}`),
];

export const preferenceRows: {readonly [Name in PreferenceName]: Row<Preferences[Name]>} = {
  theme: {
    words: 'colours of the app',
    usual: 'auto',
    values: themes,
    aliases: {dark: 'overture', light: 'overture-day'},
  },
  leave: {
    words: 'key that ends typing into a pane, and attach',
    usual: 'ctrl-]',
    values: leaveKeys,
  },
  notify: {
    words: 'what the open app does when something needs you',
    usual: 'bell',
    values: ['bell', 'message', 'off'],
  },
  followsNeedy: {
    words: 'follow what needs me: move the focus to the pane that asks',
    usual: false,
    values: [true, false],
  },
  mouse: {words: 'the app takes the mouse', usual: true, values: [true, false]},
  signs: {
    words: 'signs and frames of the app; ascii where the font lacks others',
    usual: 'auto',
    values: ['auto', 'ascii'],
  },
  frames: {
    words: 'lines around the panes of the app',
    usual: 'full',
    values: ['full', 'rules', 'none'],
  },
  motion: {
    words: 'whether anything in the app moves by itself',
    usual: 'calm',
    values: ['calm', 'none'],
  },
  desktop: {
    words: 'desktop notification when something needs you and no app is open',
    usual: true,
    values: [true, false],
  },
  command: {
    words:
      'command to run for each thing that needs you; ORCHESTRA_NEED has the text, standard input the JSON',
    usual: '',
  },
  keys: {
    words: 'your own key bindings; orchestra settings keys lists all',
    usual: {},
  },
};

export const preferenceNames = Object.keys(preferenceRows) as readonly PreferenceName[];

/**
 * Settings that got a plainer name. Both names are read, the new one first; the new one is written
 * and shown.
 */
const newNames: Readonly<Partial<Record<PreferenceName, string>>> = {
  followsNeedy: 'autoFocusNeeds',
};

/** The name of a setting in the file, on the command line and in texts. */
export function publicNameOf(name: PreferenceName): string {
  return newNames[name] ?? name;
}

/** Takes the new name and the old one. */
export function findPreference(name: string): PreferenceName | undefined {
  return preferenceNames.find((one) => one === name || publicNameOf(one) === name);
}

export function preferencesDirectory(
  {homedir}: Pick<Account, 'homedir'>,
  env: Environment,
): string {
  const own = env['XDG_CONFIG_HOME'];
  return path.join(
    own !== undefined && path.isAbsolute(own) ? own : path.join(homedir, '.config'),
    'orchestra',
  );
}

export const preferencesFile = 'settings.json';

/** People keep their settings elsewhere and link to them. */
const bounds = {maxBytes: 1024 * 1024, links: 'follow'} as const;

/**
 * Reads all valid values; defaults for the rest. It is on the way to the app's first frame, so it
 * only reads the file.
 */
export function readPreferences(directory: string): Preferences {
  const found = readRecord(path.join(directory, preferencesFile));
  return Object.fromEntries(
    preferenceNames.map((name) => {
      const values = [found[publicNameOf(name)], found[name]];
      const valid = values
        .map((value) => parsePreference(name, value))
        .find((value) => value !== undefined);
      return [name, valid ?? preferenceRows[name].usual];
    }),
  ) as Preferences;
}

/** Why the file is ignored and cannot be written. */
export function preferencesProblem(directory: string): string | undefined {
  const file = path.join(directory, preferencesFile);
  const reading = readRegularFile(file, bounds);
  if (reading.at === 'refused')
    return reading.why === 'missing' ? undefined : formatProblem(file, `it ${reading.message}`);
  try {
    return isRecord(JSON.parse(reading.bytes.toString('utf8')))
      ? undefined
      : formatProblem(file, 'it is no JSON object');
  } catch {
    return formatProblem(file, 'it is no JSON');
  }
}

function formatProblem(file: string, why: string): string {
  return `${file} is ignored, and changes are not saved: ${why}. Repair it, or remove it.`;
}

/** A value as it is used now; undefined if it is none. */
export function parsePreference(name: PreferenceName, value: unknown): unknown {
  const {aliases = {}} = preferenceRows[name] as Row<unknown>;
  const meant = typeof value === 'string' && Object.hasOwn(aliases, value) ? aliases[value] : value;
  return isPreference(name, meant) ? meant : undefined;
}

export function isPreference(name: PreferenceName, value: unknown): boolean {
  if (name === 'keys') return isRecord(value);
  const {values} = preferenceRows[name] as Row<unknown>;
  return values === undefined
    ? typeof value === 'string' && value.length <= maxCharacters && !value.includes('\0')
    : values.includes(value);
}

const maxCharacters = 4000;

function readRecord(file: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(tryReadText(file, bounds) ?? '') as unknown;
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
