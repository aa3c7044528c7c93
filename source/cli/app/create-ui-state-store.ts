import path from 'node:path';
import {isRecord, isSame} from '../../shared/index.ts';
import {makeDirectories, tryReadText, writeFileAtomic} from '../../files/index.ts';
import {
  type ChangedKeys,
  preferenceNames,
  type Preferences,
  readPreferences,
} from '../../config/index.ts';

export type UiStateStore = {readonly read: () => unknown; readonly write: (value: unknown) => void};

/**
 * Stores the UI state of this repository; and the preferences and the hints that were seen, which
 * all repositories share.
 */
export function createUiStateStore(
  directory: () => string,
  preferences: string,
  isThere: boolean,
): UiStateStore {
  const file = (): string => path.join(directory(), 'app.json');
  const hintsFile = path.join(preferences, 'hints.json');
  let saved: Preferences | undefined;
  let savedHints: readonly unknown[] = [];
  return {
    read: () => {
      saved = readPreferences(preferences);
      const place: {readonly hints?: unknown} = isThere ? readRecord(file()) : {};
      savedHints = toList(readRecord(hintsFile)['hints']);
      const hints = [...new Set([...savedHints, ...toList(place.hints)])];
      return {...place, ...(hints.length > 0 && {hints}), settings: saved};
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

      const hints = toList((place as {readonly hints?: unknown}).hints);
      if (hints.some((one) => !savedHints.includes(one))) {
        savedHints = hints;
        tryWrite(preferences, hintsFile, {hints});
      }

      if (isThere) tryWrite(directory(), file(), place);
    },
  };
}

/** On a full or read-only disk the app works without saving its state. */
function tryWrite(directory: string, file: string, value: object): void {
  try {
    makeDirectories(directory);
    writeFileAtomic(file, JSON.stringify(value), {below: directory});
  } catch {
    // The next start knows less.
  }
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function selectChangedKeys(before: ChangedKeys = {}, after: ChangedKeys = {}): ChangedKeys {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.filter((name) => !isSame(before[name], after[name])).map((name) => [name, after[name]]),
  );
}

function readRecord(file: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(tryReadText(file, {maxBytes: 16 * 1024 * 1024}) ?? '') as unknown;
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
