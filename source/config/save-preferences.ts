import Conf from 'conf';
import {makeDirectories} from '../files/index.ts';
import {
  isPreference,
  type PreferenceName,
  preferenceNames,
  preferenceRows,
  type Preferences,
  preferencesFile,
  publicNameOf,
} from './preferences.ts';

/** Key bindings by name; `undefined` restores the default. */
export type ChangedKeys = Readonly<Record<string, unknown>>;

/**
 * Writes the given values, all or none, and leaves the rest of the file unchanged, including values
 * of other versions. Throws when the file cannot be read, so that the person's text is not
 * overwritten.
 */
export function savePreferences(
  directory: string,
  {keys, ...changed}: Partial<Omit<Preferences, 'keys'>> & {readonly keys?: ChangedKeys},
): void {
  makeDirectories(directory, {mode: 0o755});
  const store = openStore(directory);
  for (const [name, value] of Object.entries(changed)) {
    const publicName = publicNameOf(name as PreferenceName);
    store.set(publicName, value);
    // The old name of a setting goes, so that the file never has two answers.
    if (publicName !== name) store.delete(name);
  }

  if (keys === undefined) return;
  const before = store.get('keys');
  const after = Object.entries({
    ...(isPreference('keys', before) ? (before as object) : {}),
    ...keys,
  }).filter(([, value]) => value !== undefined);
  if (after.length === 0) store.delete('keys');
  else store.set('keys', Object.fromEntries(after));
}

function openStore(directory: string): Conf {
  const [name = '', extension = ''] = preferencesFile.split('.');
  return new Conf({
    cwd: directory,
    configName: name,
    fileExtension: extension,
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    clearInvalidConfig: false,
    schema: Object.fromEntries(preferenceNames.map((name) => [publicNameOf(name), toSchema(name)])),
  });
}

function toSchema(name: PreferenceName): {type: 'object' | 'string'} | {enum: unknown[]} {
  if (name === 'keys') return {type: 'object'};
  const {values, aliases = {}} = preferenceRows[name] as {
    readonly values?: readonly unknown[];
    readonly aliases?: object;
  };
  return values === undefined ? {type: 'string'} : {enum: [...values, ...Object.keys(aliases)]};
}
