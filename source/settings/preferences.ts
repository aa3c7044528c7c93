import {readFileSync} from 'node:fs';
import path from 'node:path';
import type {Environment} from './environment.ts';
import type {Account} from './read-account.ts';

/** How a person likes it, in every repository. Names and values are public. */
export type Preferences = {
  readonly theme: 'auto' | 'dark' | 'light' | 'none';
  readonly leave: 'ctrl-]' | 'ctrl-g' | 'ctrl-\\';
  readonly notify: 'bell' | 'message' | 'off';
  readonly followsNeedy: boolean;
  readonly mouse: boolean;
  readonly desktop: boolean;
  readonly command: string;
};

export type PreferenceName = keyof Preferences;

type Row<Value> = {readonly words: string; readonly usual: Value; /** Absent: any text. */ readonly values?: readonly Value[]};

export const preferenceRows: {readonly [Name in PreferenceName]: Row<Preferences[Name]>} = {
  theme: {words: 'colours of the app', usual: 'auto', values: ['auto', 'dark', 'light', 'none']},
  leave: {words: 'the key that leaves typing into a pane, and attach', usual: 'ctrl-]', values: ['ctrl-]', 'ctrl-g', 'ctrl-\\']},
  notify: {words: 'what the open app does when something needs you', usual: 'bell', values: ['bell', 'message', 'off']},
  followsNeedy: {words: 'the focus goes to the pane that asks something', usual: false, values: [true, false]},
  mouse: {words: 'the app takes the mouse', usual: true, values: [true, false]},
  desktop: {words: 'a message on the desktop when something needs you and no app is open', usual: true, values: [true, false]},
  command: {words: 'a command of yours that is run once for each thing that needs you; ORCHESTRA_NEED has the words, its input the whole as JSON', usual: ''},
};

export const preferenceNames = Object.keys(preferenceRows) as readonly PreferenceName[];

export function preferencesDirectory({homedir}: Pick<Account, 'homedir'>, env: Environment): string {
  const own = env['XDG_CONFIG_HOME'];
  return path.join(own !== undefined && path.isAbsolute(own) ? own : path.join(homedir, '.config'), 'orchestra');
}

export const preferencesFile = 'settings.json';

/** What is there and understood; the usual for the rest. Whoever opens the app waits for this, so it is plain reading. */
export function readPreferences(directory: string): Preferences {
  const found = recordIn(path.join(directory, preferencesFile));
  return Object.fromEntries(preferenceNames.map((name) => [name, isPreference(name, found[name]) ? found[name] : preferenceRows[name].usual])) as Preferences;
}

export function isPreference(name: PreferenceName, value: unknown): boolean {
  const {values} = preferenceRows[name] as Row<unknown>;
  return values === undefined ? typeof value === 'string' && value.length <= mostCharacters && !value.includes('\0') : values.includes(value);
}

const mostCharacters = 4000;

function recordIn(file: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as unknown;
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}
