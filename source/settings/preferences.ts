import path from 'node:path';
import {readRegularFile, tryReadText} from '../files/index.ts';
import type {Environment} from './environment.ts';
import type {Account} from './read-account.ts';

/** How a person likes it, in every repository. Names and values are public. */
export type Preferences = {
  readonly theme: 'auto' | 'dark' | 'light' | 'none';
  readonly leave: string;
  readonly notify: 'bell' | 'message' | 'off';
  readonly followsNeedy: boolean;
  readonly mouse: boolean;
  readonly desktop: boolean;
  readonly command: string;
  /** Keys of the app by name, as they are written there: the app knows which names and keys there are. */
  readonly keys: Readonly<Record<string, unknown>>;
};

export type PreferenceName = keyof Preferences;

type Row<Value> = {
  readonly words: string;
  readonly usual: Value;
  /** Absent: any text, or for keys any object. */ readonly values?: readonly Value[];
};

/** Control characters that are no other key, and without which a program in a pane can do. */
const leaveKeys: readonly string[] = [
  'ctrl-]',
  'ctrl-g',
  'ctrl-\\',
  'ctrl-^',
  'ctrl-_',
  ...Array.from('abdefklnopqrstuvwxyz', (letter) => `ctrl-${letter}`),
];

export const preferenceRows: {readonly [Name in PreferenceName]: Row<Preferences[Name]>} = {
  theme: {words: 'colours of the app', usual: 'auto', values: ['auto', 'dark', 'light', 'none']},
  leave: {
    words: 'the key that leaves typing into a pane, and attach',
    usual: 'ctrl-]',
    values: leaveKeys,
  },
  notify: {
    words: 'what the open app does when something needs you',
    usual: 'bell',
    values: ['bell', 'message', 'off'],
  },
  followsNeedy: {
    words: 'the focus goes to the pane that asks something',
    usual: false,
    values: [true, false],
  },
  mouse: {words: 'the app takes the mouse', usual: true, values: [true, false]},
  desktop: {
    words: 'a message on the desktop when something needs you and no app is open',
    usual: true,
    values: [true, false],
  },
  command: {
    words:
      'a command of yours that is run once for each thing that needs you; ORCHESTRA_NEED has the words, its input the whole as JSON',
    usual: '',
  },
  keys: {
    words: 'keys of the app that are yours; orchestra settings keys lists them all',
    usual: {},
  },
};

export const preferenceNames = Object.keys(preferenceRows) as readonly PreferenceName[];

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

/** People keep their settings elsewhere and link them. */
const bounds = {maxBytes: 1024 * 1024, links: 'follow'} as const;

/** What is there and understood; the usual for the rest. Whoever opens the app waits for this, so it is plain reading. */
export function readPreferences(directory: string): Preferences {
  const found = recordIn(path.join(directory, preferencesFile));
  return Object.fromEntries(
    preferenceNames.map((name) => [
      name,
      isPreference(name, found[name]) ? found[name] : preferenceRows[name].usual,
    ]),
  ) as Preferences;
}

/** Why nothing of the file counts, nor is anything written into it. */
export function preferencesProblem(directory: string): string | undefined {
  const file = path.join(directory, preferencesFile);
  const reading = readRegularFile(file, bounds);
  if (reading.at === 'refused')
    return reading.why === 'missing' ? undefined : problemOf(file, `it ${reading.message}`);
  try {
    return isRecord(JSON.parse(reading.bytes.toString('utf8')))
      ? undefined
      : problemOf(file, 'it is no JSON object');
  } catch {
    return problemOf(file, 'it is no JSON');
  }
}

function problemOf(file: string, why: string): string {
  return `Nothing of ${file} counts, and what is changed is not kept: ${why}. Mend it, or remove it.`;
}

export function isPreference(name: PreferenceName, value: unknown): boolean {
  if (name === 'keys') return isRecord(value);
  const {values} = preferenceRows[name] as Row<unknown>;
  return values === undefined
    ? typeof value === 'string' && value.length <= mostCharacters && !value.includes('\0')
    : values.includes(value);
}

const mostCharacters = 4000;

function recordIn(file: string): Readonly<Record<string, unknown>> {
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
