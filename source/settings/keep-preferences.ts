import Conf from 'conf';
import {makeDirectories} from './make-directories.ts';
import {
  isPreference,
  preferenceNames,
  preferenceRows,
  preferencesFile,
  type Preferences,
} from './preferences.ts';

/** Keys by name; without a value where the usual ones are wanted again. */
export type ChangedKeys = Readonly<Record<string, unknown>>;

/**
 * Writes what is given, whole or not at all, and leaves the rest as it is, also what another version put there, and keys that are not
 * named. Throws when what is there cannot be read: a person's own words are not written over.
 */
export function keepPreferences(
  directory: string,
  {keys, ...changed}: Partial<Omit<Preferences, 'keys'>> & {readonly keys?: ChangedKeys},
): void {
  makeDirectories(directory, 0o755);
  const store = openStore(directory);
  for (const [name, value] of Object.entries(changed)) store.set(name, value);
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
    schema: Object.fromEntries(
      preferenceNames.map((one) => {
        const {values} = preferenceRows[one] as {readonly values?: readonly unknown[]};
        return [
          one,
          one === 'keys'
            ? {type: 'object' as const}
            : values === undefined
              ? {type: 'string' as const}
              : {enum: [...values]},
        ];
      }),
    ),
  });
}
