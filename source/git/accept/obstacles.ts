import path from 'node:path';
import {
  type CheckoutPaths,
  runInCheckout,
  runOnObjects,
  splitByNul,
  withTemporaryIndex,
} from '../client/plumbing.ts';
import {type Difference, isNotUtf8} from '../changes/differences.ts';
import {walkTree} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {statAt} from '../worktrees/paths.ts';
import {formatNames} from './user-branch.ts';

/**
 * Why these paths cannot change in a checkout without touching the person's own work; undefined
 * when they can.
 */
export async function findObstacle(
  workspace: Workspace,
  place: CheckoutPaths,
  {to, differences}: {readonly to: string; readonly differences: readonly Difference[]},
): Promise<string | undefined> {
  return (
    findUndecodableNames(differences) ??
    findSubmodules(differences) ??
    (await findFiltered(workspace, to, differences)) ??
    (await findHidden(workspace, place, differences)) ??
    (await findEdited(workspace, place, differences)) ??
    findUntracked(place.directory, differences)
  );
}

function findUndecodableNames(differences: readonly Difference[]): string | undefined {
  const found = differences.map(({path: file}) => file).filter(isNotUtf8);
  return found.length === 0 ? undefined : `some names are not UTF-8 (${formatNames(found)})`;
}

function findSubmodules(differences: readonly Difference[]): string | undefined {
  const found = differences
    .filter((one) => one.old?.mode === '160000' || one.new?.mode === '160000')
    .map(({path: file}) => file);
  return found.length === 0
    ? undefined
    : `submodules change (${formatNames(found)}), and only git can update them`;
}

/**
 * Files with a `filter` attribute (LFS): only an external program can write them to the working
 * tree.
 */
async function findFiltered(
  workspace: Workspace,
  to: string,
  differences: readonly Difference[],
): Promise<string | undefined> {
  const written = differences.filter((one) => one.new !== null).map(({path: file}) => file);
  if (written.length === 0) return undefined;
  const parts = await withTemporaryIndex(workspace, async (index) => {
    await runOnObjects(workspace, ['read-tree', to], {index});
    return (
      await runOnObjects(workspace, ['check-attr', '-z', '--stdin', '--cached', 'filter'], {
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
    : `some files go through a filter such as LFS (${formatNames(found)})`;
}

/** Paths that the index hides from git: assume-unchanged or skip-worktree. */
async function findHidden(
  workspace: Workspace,
  place: CheckoutPaths,
  differences: readonly Difference[],
): Promise<string | undefined> {
  const changed = new Set(differences.map(({path: file}) => file));
  const lines = splitByNul(
    await runInCheckout(workspace, place, ['ls-files', '-v', '-z'], {isRead: true}),
  );
  const hidden = lines.filter((line) => /^[a-zS] /.test(line));
  const found = hidden.map((line) => line.slice(2)).filter((file) => changed.has(file));
  if (found.length > 0)
    return `the index hides some files (assume-unchanged or sparse: ${formatNames(found)})`;
  const added = differences.filter(({how}) => how === 'added').map(({path: file}) => file);
  return added.length > 0 && hidden.some((line) => line.startsWith('S '))
    ? `the checkout is sparse and files are added (${formatNames(added)})`
    : undefined;
}

async function findEdited(
  workspace: Workspace,
  place: CheckoutPaths,
  differences: readonly Difference[],
): Promise<string | undefined> {
  const dirty = await dirtyPaths(workspace, place);
  const changed = differences.map(({path: file}) => file);
  const found = dirty.filter((file) => changed.some((other) => isRelated(file, other)));
  return found.length === 0
    ? undefined
    : `you have uncommitted changes in ${formatNames(found)}. Commit them, or stash them with "git stash push"`;
}

/** Tracked paths that are staged, edited or unmerged. `findUntracked` covers untracked files. */
export async function dirtyPaths(
  workspace: Workspace,
  place: CheckoutPaths,
): Promise<readonly string[]> {
  const parts = splitByNul(
    await runInCheckout(
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
  return parts.flatMap((part) => {
    // `1` is an ordinary entry with eight fields before the path, `u` an unmerged one with ten.
    if (part.startsWith('1 ')) return [part.split(' ').slice(8).join(' ')];
    return part.startsWith('u ') ? [part.split(' ').slice(10).join(' ')] : [];
  });
}

function findUntracked(directory: string, differences: readonly Difference[]): string | undefined {
  const going = new Set(differences.filter((one) => one.old !== null).map(({path: file}) => file));
  const found = new Set<string>();
  for (const {path: file, old, new: next} of differences) {
    for (const parent of getParents(file)) {
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
    : `untracked files would be overwritten (${formatNames([...found])}). Move them elsewhere`;
}

function filesUnder(directory: string, place: string): readonly string[] {
  return walkTree(path.join(directory, place), {maxEntries: 200_000, maxDepth: 200}).flatMap(
    ({name, kind}) => (kind === 'directory' ? [] : [`${place}/${name}`]),
  );
}

function getParents(file: string): readonly string[] {
  return file
    .split('/')
    .slice(0, -1)
    .map((_, index, parts) => parts.slice(0, index + 1).join('/'));
}

function isRelated(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}
