import {existsSync} from 'node:fs';
import path from 'node:path';
import type {Change, ChangedFile} from '../../domain/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {contentOf} from '../worktree/tree-of.ts';
import {addedLinesOf, type AddedLines} from './added-lines-of.ts';
import {aside, partsOf} from './aside.ts';
import {type Difference, differencesOf} from './differences-of.ts';
import {keepObject} from './keep-object.ts';
import {type Link, linksOf} from './links-of.ts';
import {verifyDifferences} from './verify-objects.ts';
import {withIndex} from './with-index.ts';

export type CaptureWish = {
  readonly directory: string;
  /** The commit that the worktree was made from: what an agent committed by itself since then counts as well. */
  readonly base: string;
  /** What the tree is kept for, such as `r1.t3.a2`. Without it is looked at only, and git may take it when nobody looks any more. */
  readonly keep?: string;
};

export type Inspected = AddedLines & {
  readonly change: Change;
  readonly links: readonly Link[];
};

export type Captured = Inspected & {
  /** Git repositories that were made inside. Their files are not in the change. */
  readonly nested: readonly string[];
};

/** What stands in a worktree now, against what it was made from. Whatever was done to its own git files does not matter: only git's shared directory is asked. */
export async function captureChange(
  workspace: Workspace,
  {directory, base, keep}: CaptureWish,
): Promise<Captured> {
  const {tree, nested} = await captureTree(workspace, {directory, base});
  if (keep !== undefined) await keepObject(workspace, keep, tree);
  const inspected = await inspectChange(workspace, {directory, base, tree});
  return {
    ...inspected,
    nested: [
      ...new Set([...nested, ...repositoriesAmong(directory, inspected.change.files)]),
    ].sort(),
  };
}

/** The same of a tree that was captured before; what came into the directory since then does not count. */
export async function inspectChange(
  workspace: Workspace,
  {directory, base, tree}: CaptureWish & {readonly tree: string},
): Promise<Inspected> {
  const differences = await differencesOf(workspace, base, tree);
  await verifyDifferences(workspace, differences);
  return {
    change: {tree, files: differences.map(fileOf)},
    ...(await addedLinesOf(workspace, {from: base, to: tree, differences})),
    links: await linksOf(workspace, directory, differences),
  };
}

export async function changedFilesOf(
  workspace: Workspace,
  {from, to}: {readonly from: string; readonly to: string},
): Promise<readonly ChangedFile[]> {
  return (await differencesOf(workspace, from, to)).map(fileOf);
}

function fileOf({path: file, how, added, removed}: Difference): ChangedFile {
  return {path: file, how, added, removed};
}

export async function captureTree(
  workspace: Workspace,
  {directory, base}: CaptureWish,
): Promise<{readonly tree: string; readonly nested: readonly string[]}> {
  const {tree, nested} = await contentOf(workspace, directory);
  const before = new Set(await gitlinksOf(workspace, base, nested));
  const made = nested.map((file) => file.replace(/\/$/, '')).filter((file) => !before.has(file));
  const links = await gitlinksOf(workspace, tree, made);
  return {
    tree: links.length === 0 ? tree : await withoutPaths(workspace, tree, links),
    nested: made,
  };
}

async function gitlinksOf(
  workspace: Workspace,
  tree: string,
  among: readonly string[],
): Promise<readonly string[]> {
  if (among.length === 0) return [];
  const entries = partsOf(await aside(workspace, ['ls-tree', '-r', '-z', tree], {isRead: true}));
  const asked = new Set(among.map((file) => file.replace(/\/$/, '')));
  return entries
    .filter((line) => line.startsWith('160000 '))
    .map((line) => line.slice(line.indexOf('\t') + 1))
    .filter((file) => asked.has(file));
}

function withoutPaths(
  workspace: Workspace,
  tree: string,
  paths: readonly string[],
): Promise<string> {
  return withIndex(workspace, async (index) => {
    await aside(workspace, ['read-tree', tree], {index});
    await aside(workspace, ['update-index', '-z', '--index-info'], {
      index,
      input: paths.map((file) => `0 ${'0'.repeat(tree.length)}\t${file}\0`).join(''),
    });
    return (await aside(workspace, ['write-tree'], {index})).trim();
  });
}

/** A repository that was made around tracked files: git goes on as if it were not there. */
function repositoriesAmong(directory: string, files: readonly ChangedFile[]): string[] {
  const places = new Set<string>();
  for (const {path: file} of files) {
    for (
      let place = path.posix.dirname(file);
      place !== '.' && !places.has(place);
      place = path.posix.dirname(place)
    )
      places.add(place);
  }

  return [...places].filter((place) => existsSync(path.join(directory, place, '.git')));
}
