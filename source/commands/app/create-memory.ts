import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {preferenceNames, readPreferences, type Preferences} from '../../settings/index.ts';

export type Memory = {readonly read: () => unknown; readonly write: (value: unknown) => void};

/** Where the person left, of this repository alone; and how they like it, which is the same in all. */
export function createMemory(directory: () => string, preferences: string, isThere: boolean): Memory {
  const file = (): string => path.join(directory(), 'app.json');
  let liked: Preferences | undefined;
  return {
    read: () => {
      liked = readPreferences(preferences);
      return {...(isThere ? recordIn(file()) : {}), settings: liked};
    },
    write: (value) => {
      const {settings = {}, ...place} = value as {readonly settings?: Partial<Preferences>};
      const changed = preferenceNames.filter((name) => settings[name] !== undefined && settings[name] !== liked?.[name]);
      if (changed.length > 0) {
        liked = {...readPreferences(preferences), ...settings};
        // What writes them is loaded only when somebody changes one.
        void import('../../settings/index.ts').then(({keepPreferences}) => { keepPreferences(preferences, Object.fromEntries(changed.map((name) => [name, settings[name]]))); }).catch(() => undefined);
      }

      if (!isThere) return;
      mkdirSync(directory(), {recursive: true, mode: 0o700});
      const temporary = `${file()}.tmp`;
      writeFileSync(temporary, JSON.stringify(place), {mode: 0o600});
      renameSync(temporary, file());
    },
  };
}

function recordIn(file: string): object {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
