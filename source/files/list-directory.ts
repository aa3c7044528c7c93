import {lstatSync, opendirSync, realpathSync} from 'node:fs';
import {opendir} from 'node:fs/promises';
import path from 'node:path';
import {kindOf, type FileKind} from './kind-of.ts';
import {openPlace} from './open-place.ts';
import {isInside, type LinkPolicy} from './read-regular-file.ts';
import {refuse, refuseError, refuseKind, type FileRefusal} from './refusal.ts';

export type ListOptions = {
  /** So many are looked at, in whatever order the disk has them. */
  readonly maxEntries: number;
  readonly below?: string;
  readonly links?: LinkPolicy;
};

export type ListedEntry = {readonly name: string; readonly kind: FileKind};

export type DirectoryListing =
  | {
      readonly at: 'read';
      readonly entries: readonly ListedEntry[];
      /** There are more than may be listed. */ readonly isCut: boolean;
    }
  | FileRefusal;

/** What stands in a directory, by name, links not followed. Never throws, and stops after `maxEntries`. */
export function listDirectory(
  directory: string,
  {maxEntries, below, links = 'refuse'}: ListOptions,
): DirectoryListing {
  try {
    const target = links === 'refuse' ? directory : realpathSync(directory);
    if (links === 'follow' || below === undefined)
      return links === 'refuse' ? listUnlessLink(target, maxEntries) : listAt(target, maxEntries);
    if (links === 'inside' && !isInside(realpathSync(below), target))
      return refuse('link', `is a link that leads out of ${below}`);
    const place = openPlace(links === 'inside' ? realpathSync(below) : below, target);
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

/** The same as plain names, for whoever takes a directory that cannot be listed for an empty one. */
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
      entries.push({name: found.name, kind: kindOf(found)});
    }

    return {at: 'read', entries: byName(entries), isCut: false};
  } finally {
    opened.closeSync();
  }
}

function byName(entries: readonly ListedEntry[]): ListedEntry[] {
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** One entry after the other, so that a directory of any size takes no memory; links are not followed. Ends where it cannot be read. */
export async function* streamDirectory(directory: string): AsyncGenerator<ListedEntry> {
  if (lstatSync(directory, {throwIfNoEntry: false})?.isDirectory() !== true) return;
  const opened = await opendir(directory, {bufferSize: 256}).catch(() => undefined);
  if (opened === undefined) return;
  for await (const found of opened) yield {name: found.name, kind: kindOf(found)};
}
