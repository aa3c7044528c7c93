import Conf from 'conf';
import {preferenceNames, preferenceRows, preferencesFile, type Preferences} from './preferences.ts';

/** Writes what is given, whole or not at all, and leaves the rest as it is, also what another version put there. Throws when what is there cannot be read: a person's own words are not written over. */
export function keepPreferences(directory: string, changed: Partial<Preferences>): void {
  const [name = '', extension = ''] = preferencesFile.split('.');
  const store = new Conf<Record<string, unknown>>({
    cwd: directory, configName: name, fileExtension: extension, configFileMode: 0o600, accessPropertiesByDotNotation: false, clearInvalidConfig: false,
    schema: Object.fromEntries(preferenceNames.map((one) => {
      const {values} = preferenceRows[one] as {readonly values?: readonly unknown[]};
      return [one, values === undefined ? {type: 'string' as const} : {enum: [...values]}];
    })),
  });
  for (const [key, value] of Object.entries(changed)) store.set(key, value);
}
