import {mkdirSync, readFileSync, renameSync, writeFileSync} from 'node:fs';
import path from 'node:path';

/** Where the person left, and how they like it: of this repository alone. */
export function createMemory(directory: () => string, isThere: boolean): {readonly read: () => unknown; readonly write: (value: unknown) => void} {
  const file = (): string => path.join(directory(), 'app.json');
  return {
    read: () => {
      try {
        return isThere ? (JSON.parse(readFileSync(file(), 'utf8')) as unknown) : undefined;
      } catch {
        return undefined;
      }
    },
    write: (value) => {
      if (!isThere) return;
      mkdirSync(directory(), {recursive: true, mode: 0o700});
      const temporary = `${file()}.tmp`;
      writeFileSync(temporary, JSON.stringify(value), {mode: 0o600});
      renameSync(temporary, file());
    },
  };
}
