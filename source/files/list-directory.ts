import path from 'node:path';
import {lstatSync, opendirSync, realpathSync} from 'node:fs';
import {opendir} from 'node:fs/promises';
import {
  type FileKind,
  type FileRefusal,
  refuseFile,
  refuseError,
  refuseKind,
  toFileKind,
} from './refusal.ts';
import {isWithin, openDirectory} from './open-directory.ts';
import type {LinkPolicy} from './regular-file.ts';

export type ListOptions = {
  /** Stops after this many entries, in the order of the disk. */
  readonly maxEntries: number;
  readonly below?: string;
  readonly links?: LinkPolicy;
};

export type ListedEntry = {readonly name: string; readonly kind: FileKind};

export type DirectoryListing =
  | {
      readonly at: 'read';
      readonly entries: readonly ListedEntry[];
      /** Whether there are more entries than `maxEntries`. */ readonly isCut: boolean;
    }
  | FileRefusal;

/**
 * Lists a directory by name, without following links. Never throws, and stops after `maxEntries`.
 */
export function listDirectory(
  directory: string,
  {maxEntries, below, links = 'refuse'}: ListOptions,
): DirectoryListing {
  try {
    const target = links === 'refuse' ? directory : realpathSync(directory);
    if (links === 'follow' || below === undefined)
      return links === 'refuse' ? listUnlessLink(target, maxEntries) : listAt(target, maxEntries);
    if (links === 'inside' && !isWithin(realpathSync(below), target))
      return refuseFile('link', `is a link that leads out of ${below}`);
    const place = openDirectory(links === 'inside' ? realpathSync(below) : below, target);
    if (place.at === 'refused') return place;
    try {
      return listAt(place.name, maxEntries);
    } finally {
      place.close();
    }
  } catch (error) {
    return refuseError(error);
  }
}

/** The names alone. A directory that cannot be listed counts as empty. */
export function namesIn(directory: string, options: ListOptions): string[] {
  const listing = listDirectory(directory, options);
  return listing.at === 'read' ? listing.entries.map(({name}) => name) : [];
}

function listUnlessLink(directory: string, maxEntries: number): DirectoryListing {
  const stats = lstatSync(directory);
  return stats.isSymbolicLink() ? refuseKind('link') : listAt(directory, maxEntries);
}

function listAt(directory: string, maxEntries: number): DirectoryListing {
  const opened = opendirSync(path.join(directory, '.'), {bufferSize: 256});
  const entries: ListedEntry[] = [];
  try {
    for (let found = opened.readSync(); found !== null; found = opened.readSync()) {
      if (entries.length === maxEntries) return {at: 'read', entries: byName(entries), isCut: true};
      entries.push({name: found.name, kind: toFileKind(found)});
    }

    return {at: 'read', entries: byName(entries), isCut: false};
  } finally {
    opened.closeSync();
  }
}

function byName(entries: readonly ListedEntry[]): ListedEntry[] {
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/**
 * Yields one entry after the other, so that a directory of any size takes no memory. Links are not
 * followed. Ends where the directory cannot be read.
 */
export async function* streamDirectory(directory: string): AsyncGenerator<ListedEntry> {
  if (lstatSync(directory, {throwIfNoEntry: false})?.isDirectory() !== true) return;
  const opened = await opendir(directory, {bufferSize: 256}).catch(() => undefined);
  if (opened === undefined) return;
  for await (const found of opened) yield {name: found.name, kind: toFileKind(found)};
}

export type WalkOptions = {
  /** In all directories together. */
  readonly maxEntries: number;
  readonly maxDepth: number;
};

/**
 * Lists everything below a directory by relative path, up to the limits. Links are not followed.
 */
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
