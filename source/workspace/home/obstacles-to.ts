import path from 'node:path';
import {aside, partsOf} from '../change/aside.ts';
import type {Difference} from '../change/differences-of.ts';
import {withIndex} from '../change/with-index.ts';
import {walkTree} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {runIn, type Place} from './run-in.ts';
import {statAt} from './stat-at.ts';
import {namesOf} from './words.ts';

/** Why these paths can't be changed in this checkout without touching what is the person's; undefined when they can. */
export async function obstaclesTo(
  workspace: Workspace,
  place: Place,
  {to, differences}: {readonly to: string; readonly differences: readonly Difference[]},
): Promise<string | undefined> {
  return (
    strangeNames(differences) ??
    submodules(differences) ??
    (await filtered(workspace, to, differences)) ??
    (await flagged(workspace, place, differences)) ??
    (await edited(workspace, place, differences)) ??
    inTheWay(place.directory, differences)
  );
}

function strangeNames(differences: readonly Difference[]): string | undefined {
  const found = differences
    .filter(({path: file}) => file.includes('\uFFFD'))
    .map(({path: file}) => file);
  return found.length === 0 ? undefined : `some names are not UTF-8 (${namesOf(found)})`;
}

function submodules(differences: readonly Difference[]): string | undefined {
  const found = differences
    .filter((one) => one.old?.mode === '160000' || one.new?.mode === '160000')
    .map(({path: file}) => file);
  return found.length === 0
    ? undefined
    : `submodules change (${namesOf(found)}), and git has to bring them along`;
}

/** LFS and its like: what stands in the working tree is made by a program. */
async function filtered(
  workspace: Workspace,
  to: string,
  differences: readonly Difference[],
): Promise<string | undefined> {
  const written = differences.filter((one) => one.new !== null).map(({path: file}) => file);
  if (written.length === 0) return undefined;
  const parts = await withIndex(workspace, async (index) => {
    await aside(workspace, ['read-tree', to], {index});
    return (
      await aside(workspace, ['check-attr', '-z', '--stdin', '--cached', 'filter'], {
        index,
        input: written.map((file) => `${file}\0`).join(''),
        isRead: true,
      })
    ).split('\0');
  });
  const found = parts.flatMap((value, at) =>
    at % 3 === 2 && value !== 'unspecified' && value !== 'unset' ? [parts[at - 2] ?? ''] : [],
  );
  return found.length === 0
    ? undefined
    : `some files go through a filter such as LFS (${namesOf(found)})`;
}

/** Flags in the index by which a person hides a path from git. */
async function flagged(
  workspace: Workspace,
  place: Place,
  differences: readonly Difference[],
): Promise<string | undefined> {
  const changed = new Set(differences.map(({path: file}) => file));
  const lines = partsOf(await runIn(workspace, place, ['ls-files', '-v', '-z'], {isRead: true}));
  const hidden = lines.filter((line) => /^[a-zS] /.test(line));
  const found = hidden.map((line) => line.slice(2)).filter((file) => changed.has(file));
  if (found.length > 0)
    return `the index hides some files (assume-unchanged or sparse: ${namesOf(found)})`;
  const added = differences.filter(({how}) => how === 'added').map(({path: file}) => file);
  return added.length > 0 && hidden.some((line) => line.startsWith('S '))
    ? `the checkout is sparse and files are added (${namesOf(added)})`
    : undefined;
}

async function edited(
  workspace: Workspace,
  place: Place,
  differences: readonly Difference[],
): Promise<string | undefined> {
  const dirty = await dirtyPaths(workspace, place);
  const changed = differences.map(({path: file}) => file);
  const found = dirty.filter((file) => changed.some((other) => isRelated(file, other)));
  return found.length === 0
    ? undefined
    : `you have edits of your own in ${namesOf(found)}. Commit them, or put them aside with "git stash push"`;
}

/** Staged, edited or unmerged; untracked files are looked for where they would be in the way. */
export async function dirtyPaths(workspace: Workspace, place: Place): Promise<readonly string[]> {
  const parts = partsOf(
    await runIn(
      workspace,
      place,
      [
        'status',
        '--porcelain=v2',
        '-z',
        '--untracked-files=no',
        '--no-renames',
        '--ignore-submodules=all',
      ],
      {isRead: true},
    ),
  );
  return parts.flatMap((part) =>
    part.startsWith('1 ')
      ? [part.split(' ').slice(8).join(' ')]
      : part.startsWith('u ')
        ? [part.split(' ').slice(10).join(' ')]
        : [],
  );
}

function inTheWay(directory: string, differences: readonly Difference[]): string | undefined {
  const going = new Set(differences.filter((one) => one.old !== null).map(({path: file}) => file));
  const found = new Set<string>();
  for (const {path: file, old, new: next} of differences) {
    for (const parent of parentsOf(file)) {
      const stat = statAt(path.join(directory, parent));
      if (stat !== undefined && !stat.isDirectory() && !going.has(parent)) found.add(parent);
    }

    if (next === null || old !== null || found.size > 0) continue;
    const stat = statAt(path.join(directory, file));
    if (stat === undefined) continue;
    if (!stat.isDirectory()) found.add(file);
    else for (const inner of filesUnder(directory, file)) if (!going.has(inner)) found.add(inner);
  }

  return found.size === 0
    ? undefined
    : `files that git does not know are in the way (${namesOf([...found])}). Move them elsewhere`;
}

function filesUnder(directory: string, place: string): readonly string[] {
  return walkTree(path.join(directory, place), {maxEntries: 200_000, maxDepth: 200}).flatMap(
    ({name, kind}) => (kind === 'directory' ? [] : [`${place}/${name}`]),
  );
}

function parentsOf(file: string): readonly string[] {
  return file
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'));
}

function isRelated(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}
