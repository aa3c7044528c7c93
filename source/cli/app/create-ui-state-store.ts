import path from 'node:path';
import {isSame} from '../../shared/index.ts';
import {makeDirectories, tryReadText, writeFileAtomic} from '../../files/index.ts';
import {
  type ChangedKeys,
  preferenceNames,
  type Preferences,
  readPreferences,
} from '../../config/index.ts';

export type UiStateStore = {readonly read: () => unknown; readonly write: (value: unknown) => void};

/** Stores the UI state of this repository, and the preferences, which all repositories share. */
export function createUiStateStore(
  directory: () => string,
  preferences: string,
  isThere: boolean,
): UiStateStore {
  const file = (): string => path.join(directory(), 'app.json');
  let saved: Preferences | undefined;
  return {
    read: () => {
      saved = readPreferences(preferences);
      return {...(isThere ? readRecord(file()) : {}), settings: saved};
    },
    write: (value) => {
      const {settings = {}, ...place} = value as {readonly settings?: Partial<Preferences>};
      const changed = preferenceNames.filter(
        (name) => settings[name] !== undefined && !isSame(settings[name], saved?.[name]),
      );
      if (changed.length > 0) {
        // Saves only the keys that changed here: another app or the command line may have changed
        // others meanwhile.
        const change = Object.fromEntries(
          changed.map((name) => [
            name,
            name === 'keys' ? selectChangedKeys(saved?.keys, settings.keys) : settings[name],
          ]),
        );
        saved = {...readPreferences(preferences), ...settings};
        // The code that writes preferences is loaded only when one changes.
        void import('../../config/index.ts')
          .then(({savePreferences}) => {
            savePreferences(preferences, change);
          })
          .catch(() => undefined);
      }

      if (!isThere) return;
      try {
        makeDirectories(directory());
        writeFileAtomic(file(), JSON.stringify(place), {below: directory()});
      } catch {
        // On a full or read-only disk the app works without saving its state.
      }
    },
  };
}

function selectChangedKeys(before: ChangedKeys = {}, after: ChangedKeys = {}): ChangedKeys {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.filter((name) => !isSame(before[name], after[name])).map((name) => [name, after[name]]),
  );
}

function readRecord(file: string): object {
  try {
    const value = JSON.parse(tryReadText(file, {maxBytes: 16 * 1024 * 1024}) ?? '') as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
