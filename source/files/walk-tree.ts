import path from 'node:path';
import {listDirectory, type ListedEntry} from './list-directory.ts';

export type WalkOptions = {
  /** Of all directories together. */
  readonly maxEntries: number;
  readonly maxDepth: number;
};

/** Everything below a directory by its relative path, no link followed, until the bounds are reached. */
export function walkTree(directory: string, {maxEntries, maxDepth}: WalkOptions): ListedEntry[] {
  const found: ListedEntry[] = [];
  const visit = (name: string, depth: number): void => {
    const listing = listDirectory(path.join(directory, name), {
      maxEntries: maxEntries - found.length,
      below: directory,
    });
    if (listing.at === 'refused') return;
    for (const entry of listing.entries) {
      if (found.length === maxEntries) return;
      const child = path.join(name, entry.name);
      found.push({name: child, kind: entry.kind});
      if (entry.kind === 'directory' && depth < maxDepth) visit(child, depth + 1);
    }
  };

  visit('', 1);
  return found;
}
