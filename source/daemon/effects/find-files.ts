import path from 'node:path';
import {hasWildcard, pathMatcher} from '../../shared/index.ts';
import {listDirectory, type ListedEntry} from '../../files/index.ts';

export type FoundFiles = {
  /** Relative paths, sorted. */
  readonly paths: readonly string[];
  /** There may be more than the limits allow. */
  readonly isCut: boolean;
};

const maxFiles = 500;
/** In all directories together, each counted once. */
const maxEntries = 20_000;
const maxDepth = 12;

/**
 * The files below a directory that match one of the globs. Enters only directories that can match,
 * follows no links, and stays within limits, whatever an agent has put there. A link is found only
 * where a glob names it in full, so that its reader can say why it is not read.
 */
export function findFiles(directory: string, globs: readonly string[]): FoundFiles {
  const paths = new Set<string>();
  const listings = new Map<string, readonly ListedEntry[]>();
  let entries = 0;
  const list = (folder: string): readonly ListedEntry[] => {
    const known = listings.get(folder);
    if (known !== undefined) return known;
    const listing = listDirectory(path.join(directory, folder), {
      maxEntries: Math.max(1, maxEntries - entries),
      below: directory,
    });
    const found = listing.at === 'refused' ? [] : listing.entries;
    entries += found.length;
    listings.set(folder, found);
    return found;
  };
  const isFull = (): boolean => paths.size >= maxFiles || entries >= maxEntries;

  for (const glob of globs) {
    const matches = pathMatcher([glob]);
    const parts = toParts(glob);
    const visited = new Set<string>();
    const visit = (folder: string, index: number, depth: number): void => {
      const key = `${index} ${folder}`;
      if (depth > maxDepth || isFull() || visited.has(key)) return;
      visited.add(key);
      const part = parts[index] ?? '**';
      if (part === '**' && index + 1 < parts.length) visit(folder, index + 1, depth);
      const isMatch = part === '**' ? (): boolean => true : pathMatcher([part]);
      const isNamed = !hasWildcard(part);
      for (const {name, kind} of list(folder)) {
        const child = path.posix.join(folder, name);
        if (isNamed ? name !== part : !isMatch(name) || skipped.has(name)) continue;
        if (kind === 'directory') visit(child, part === '**' ? index : index + 1, depth + 1);
        else if (paths.size < maxFiles && isWanted(kind, glob, child) && matches(child))
          paths.add(child);
      }
    };
    visit('', 0, 0);
  }

  return {paths: [...paths].toSorted(), isCut: isFull()};
}

/** Never searched, unless a glob names them. */
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Braces may hold slashes; such a glob is searched from its first brace on. */
function toParts(glob: string): string[] {
  const parts = glob.replace(/\/$/, '').split('/');
  const brace = parts.findIndex((part) => /\{[^}]*$/.test(part));
  return brace === -1 ? parts : [...parts.slice(0, brace), '**'];
}

function isWanted(kind: ListedEntry['kind'], glob: string, child: string): boolean {
  return kind === 'file' || child === glob;
}
