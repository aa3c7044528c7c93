import {lstatSync} from 'node:fs';
import path from 'node:path';
import {namesIn} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {dependencyKinds, type DependencyKind} from './dependency-kinds.ts';

export type FoundDependencies = {readonly path: string; readonly tool: string};

/** So many directories are found at most: a repository of many packages has one in each. */
const maxFound = 50;
/** So many names stand for a `*`. */
const maxTried = 20;
/** Ignored directories that are looked into, so that a disk full of build output costs no time. */
const maxLookedAt = 2000;

/** Directories of dependencies in the checkout: git ignores them, and what is in them says what they are. */
export async function detectDependencies({
  root,
  git,
}: Pick<Workspace, 'root' | 'git'>): Promise<readonly FoundDependencies[]> {
  const listed = await git(
    root,
    ['ls-files', '-z', '-o', '-i', '--exclude-standard', '--directory'],
    {isRead: true},
  );
  const ignored = listed
    .split('\0')
    .filter((name) => name.endsWith('/'))
    .map((name) => name.slice(0, -1))
    .slice(0, maxLookedAt);
  // A directory in which all is ignored is listed, and so is what is ignored in it.
  const found = new Map(
    ignored.flatMap((name) => dependenciesAt(root, name, 2)).map((one) => [one.path, one]),
  );
  return [...found.values()]
    .toSorted((one, other) => (one.path < other.path ? -1 : 1))
    .slice(0, maxFound);
}

/** An ignored directory may hold them a little deeper: `.yarn/cache`, `build/venv`. */
function dependenciesAt(root: string, name: string, depth: number): readonly FoundDependencies[] {
  if (!isDirectory(path.join(root, name))) return [];
  const kind = dependencyKinds.find((one) => isOfKind(root, name, one));
  if (kind !== undefined) return [{path: name, tool: kind.tool}];
  if (depth === 0) return [];
  return namesIn(path.join(root, name), {maxEntries: maxTried}).flatMap((child) =>
    dependenciesAt(root, `${name}/${child}`, depth - 1),
  );
}

function isOfKind(
  root: string,
  name: string,
  {names, inside = [], beside}: DependencyKind,
): boolean {
  if (names !== undefined && !names.includes(path.basename(name))) return false;
  const directory = path.join(root, name);
  return (
    inside.some((pattern) => hasMatch(directory, pattern.split('/'))) &&
    (beside === undefined || beside.some((one) => hasMatch(path.dirname(directory), [one])))
  );
}

function hasMatch(directory: string, [first = '', ...rest]: readonly string[]): boolean {
  const names = first === '*' ? namesIn(directory, {maxEntries: maxTried}) : [first];
  return names.some((name) => {
    const place = path.join(directory, name);
    return rest.length === 0
      ? lstatSync(place, {throwIfNoEntry: false}) !== undefined
      : isDirectory(place) && hasMatch(place, rest);
  });
}

function isDirectory(place: string): boolean {
  return lstatSync(place, {throwIfNoEntry: false})?.isDirectory() === true;
}
