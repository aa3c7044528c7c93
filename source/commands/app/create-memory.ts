import path from 'node:path';
import {isSame} from '../../base/index.ts';
import {tryReadText, writeWhole} from '../../files/index.ts';
import {
  makeDirectories,
  preferenceNames,
  readPreferences,
  type ChangedKeys,
  type Preferences,
} from '../../settings/index.ts';

export type Memory = {readonly read: () => unknown; readonly write: (value: unknown) => void};

/** Where the person left, of this repository alone; and how they like it, which is the same in all. */
export function createMemory(
  directory: () => string,
  preferences: string,
  isThere: boolean,
): Memory {
  const file = (): string => path.join(directory(), 'app.json');
  let liked: Preferences | undefined;
  return {
    read: () => {
      liked = readPreferences(preferences);
      return {...(isThere ? recordIn(file()) : {}), settings: liked};
    },
    write: (value) => {
      const {settings = {}, ...place} = value as {readonly settings?: Partial<Preferences>};
      const changed = preferenceNames.filter(
        (name) => settings[name] !== undefined && !isSame(settings[name], liked?.[name]),
      );
      if (changed.length > 0) {
        // Of the keys only those that were changed here: another app, or the command line, may have changed others meanwhile.
        const change = Object.fromEntries(
          changed.map((name) => [
            name,
            name === 'keys' ? changedKeys(liked?.keys, settings.keys) : settings[name],
          ]),
        );
        liked = {...readPreferences(preferences), ...settings};
        // What writes them is loaded only when somebody changes one.
        void import('../../settings/index.ts')
          .then(({keepPreferences}) => {
            keepPreferences(preferences, change);
          })
          .catch(() => undefined);
      }

      if (!isThere) return;
      try {
        makeDirectories(directory(), 0o700);
        writeWhole(file(), JSON.stringify(place), {below: directory()});
      } catch {
        // A disk that is full or read-only: to come back elsewhere is better than not to see what runs.
      }
    },
  };
}

function changedKeys(before: ChangedKeys = {}, after: ChangedKeys = {}): ChangedKeys {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.filter((name) => !isSame(before[name], after[name])).map((name) => [name, after[name]]),
  );
}

function recordIn(file: string): object {
  try {
    const value = JSON.parse(tryReadText(file, {maxBytes: 16 * 1024 * 1024}) ?? '') as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
