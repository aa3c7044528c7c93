import {readdirSync, statSync, type Dirent} from 'node:fs';
import path from 'node:path';

export type NewestChange = {
  readonly file: string;
  readonly at: number;
  /** There is more than was looked at. */ readonly isCut?: true;
};

/** What builds and tools write is not the code that a server serves. */
const skipped = new Set([
  'node_modules',
  'dist',
  'build',
  'target',
  'coverage',
  'vendor',
  '__pycache__',
]);

/** Enough for a glance; a tree with more is looked at as far as this. */
const mostEntries = 20_000;

/** The file below a directory that was changed last. Hidden files and folders are passed over, and links are not followed. */
export function newestChange(directory: string): NewestChange | undefined {
  const folders = [directory];
  let left = mostEntries;
  let newest: NewestChange | undefined;
  for (let folder = folders.pop(); folder !== undefined && left > 0; folder = folders.pop()) {
    for (const entry of entriesIn(folder)) {
      left -= 1;
      if (entry.name.startsWith('.') || skipped.has(entry.name)) continue;
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) folders.push(file);
      if (!entry.isFile()) continue;
      const at = statSync(file, {throwIfNoEntry: false})?.mtimeMs ?? 0;
      if (newest === undefined || at > newest.at) newest = {file, at};
    }
  }

  return newest === undefined || left > 0 ? newest : {...newest, isCut: true};
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, {withFileTypes: true});
  } catch {
    return [];
  }
}
