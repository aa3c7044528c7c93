import path from 'node:path';
import {readRegularFile, tryReadText} from '../files/index.ts';
import type {Account, Environment} from './environment.ts';

/** The person's preferences for all repositories. Names and values are public. */
export type Preferences = {
  readonly theme: 'auto' | 'dark' | 'light' | 'none';
  readonly leave: string;
  readonly notify: 'bell' | 'message' | 'off';
  readonly followsNeedy: boolean;
  readonly mouse: boolean;
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
};

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

/** People keep their settings elsewhere and link to them. */
const bounds = {maxBytes: 1024 * 1024, links: 'follow'} as const;

/**
 * Reads all valid values; defaults for the rest. It is on the way to the app's first frame, so it
 * only reads the file.
 */
export function readPreferences(directory: string): Preferences {
  const found = readRecord(path.join(directory, preferencesFile));
  return Object.fromEntries(
    preferenceNames.map((name) => [
      name,
      isPreference(name, found[name]) ? found[name] : preferenceRows[name].usual,
    ]),
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
  return `Nothing of ${file} counts, and what is changed is not kept: ${why}. Mend it, or remove it.`;
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
