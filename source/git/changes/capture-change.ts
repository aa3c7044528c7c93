import path from 'node:path';
import {lstatSync, readlinkSync, existsSync} from 'node:fs';
import type {Workspace} from '../open-workspace.ts';
import {runOnObjects, splitByNul, withTemporaryIndex} from '../client/plumbing.ts';
import {computeDifferences, type Difference, isNotUtf8, verifyDifferences} from './differences.ts';
import type {Change, ChangedFile} from '../../domain/index.ts';
import {captureContent} from '../worktrees/get-tree.ts';
import {type AddedLines, readAddedLines} from './added-lines.ts';
import {backUpObject} from '../commit/refs.ts';

/** A symbolic link that a change creates or retargets. */
export type ChangedLink = {
  readonly path: string;
  readonly target: string;
  readonly isOutside: boolean;
};

/** The kernel's limit for following links. */
const maxLinks = 40;

export async function findLinks(
  workspace: Workspace,
  directory: string,
  differences: readonly Difference[],
): Promise<readonly ChangedLink[]> {
  const links: ChangedLink[] = [];
  for (const one of differences) {
    if (one.new?.mode !== '120000') continue;
    const target = await runOnObjects(workspace, ['cat-file', 'blob', one.new.object], {
      isRead: true,
    });
    links.push({path: one.path, target, isOutside: leadsOut(directory, one.path, target)});
  }

  return links;
}

/**
 * Whether a link leads out of the directory or into `.git`, also through another link. An absolute
 * target is outside: it does not move with the worktree.
 */
function leadsOut(directory: string, file: string, target: string): boolean {
  let place: string[] = path.posix
    .dirname(file)
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  let rest = target.split('/');
  if (target.startsWith('/')) return true;
  for (let followed = 0; rest.length > 0;) {
    const [part = '', ...others] = rest;
    rest = others;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (place.length === 0) return true;
      place = place.slice(0, -1);
      continue;
    }

    if (part.toLowerCase() === '.git') return true;
    const next = readLinkAt(path.join(directory, ...place, part));
    if (next === undefined) {
      place = [...place, part];
      continue;
    }

    followed += 1;
    if (next.startsWith('/') || followed > maxLinks) return true;
    rest = [...next.split('/'), ...rest];
  }

  return false;
}

function readLinkAt(file: string): string | undefined {
  try {
    return lstatSync(file).isSymbolicLink() ? readlinkSync(file) : undefined;
  } catch {
    return undefined;
  }
}

export type CaptureOptions = {
  readonly directory: string;
  /**
   * The commit that the worktree was made from. Commits that an agent made since belong to the
   * change.
   */
  readonly base: string;
  /**
   * Name of the backup ref for the tree, such as `r1.t3.a2`. Without it, git may garbage-collect
   * the tree.
   */
  readonly save?: string;
};

export type Inspected = AddedLines & {
  readonly change: Change;
  readonly links: readonly ChangedLink[];
};

export type Captured = Inspected & {
  /** Git repositories that were created inside. Their files are not in the change. */
  readonly nested: readonly string[];
};

/**
 * Captures how a worktree differs from its base. Its own git files are not trusted: only git's
 * common directory is read.
 */
export async function captureChange(
  workspace: Workspace,
  {directory, base, save}: CaptureOptions,
): Promise<Captured> {
  const {tree, nested} = await captureTree(workspace, {directory, base});
  if (save !== undefined) await backUpObject(workspace, save, tree);
  const inspected = await inspectChange(workspace, {directory, base, tree});
  return {
    ...inspected,
    nested: [
      ...new Set([...nested, ...repositoriesAmong(directory, inspected.change.files)]),
    ].sort(),
  };
}

/**
 * Like `captureChange`, for a tree that was captured earlier; later changes in the directory do not
 * count.
 */
export async function inspectChange(
  workspace: Workspace,
  {directory, base, tree}: CaptureOptions & {readonly tree: string},
): Promise<Inspected> {
  const differences = await computeDifferences(workspace, base, tree);
  await verifyDifferences(workspace, differences);
  return {
    change: {tree, files: differences.map(toChangedFile)},
    ...(await readAddedLines(workspace, {from: base, to: tree, differences})),
    links: await findLinks(workspace, directory, differences),
  };
}

export async function listChangedFiles(
  workspace: Workspace,
  {from, to}: {readonly from: string; readonly to: string},
): Promise<readonly ChangedFile[]> {
  return (await computeDifferences(workspace, from, to)).map(toChangedFile);
}

function toChangedFile({path: file, how, added, removed}: Difference): ChangedFile {
  return {path: file, how, added, removed};
}

export async function captureTree(
  workspace: Workspace,
  {directory, base}: CaptureOptions,
): Promise<{readonly tree: string; readonly nested: readonly string[]}> {
  const {tree, nested} = await captureContent(workspace, directory);
  const before = new Set(await findGitlinks(workspace, base, nested));
  const made = nested.map((file) => file.replace(/\/$/, '')).filter((file) => !before.has(file));
  const links = await findGitlinks(workspace, tree, made);
  return {
    tree: links.length === 0 ? tree : await withoutPaths(workspace, tree, links),
    nested: made,
  };
}

async function findGitlinks(
  workspace: Workspace,
  tree: string,
  within: readonly string[],
): Promise<readonly string[]> {
  if (within.length === 0) return [];
  const entries = splitByNul(
    await runOnObjects(workspace, ['ls-tree', '-r', '-z', tree], {isRead: true}),
  );
  const asked = new Set(within.map((file) => file.replace(/\/$/, '')));
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
  return withTemporaryIndex(workspace, async (index) => {
    await runOnObjects(workspace, ['read-tree', tree], {index});
    await runOnObjects(workspace, ['update-index', '-z', '--index-info'], {
      index,
      input: paths.map((file) => `0 ${'0'.repeat(tree.length)}\t${file}\0`).join(''),
    });
    return (await runOnObjects(workspace, ['write-tree'], {index})).trim();
  });
}

/** Repositories that were created around tracked files, which git ignores. */
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

export type TouchedOptions = {
  readonly directory: string;
  /** The earlier content. */
  readonly tree: string;
  /** Name of the backup ref for the present content, if there is a difference. */
  readonly save?: string;
};

/** Paths that a check changed, and new ones that git does not ignore. */
export async function touchedSince(
  workspace: Workspace,
  {directory, tree, save}: TouchedOptions,
): Promise<string[]> {
  const now = await captureTree(workspace, {directory, base: tree});
  const touched = await computeDifferences(workspace, tree, now.tree);
  if (save !== undefined && touched.length > 0) await backUpObject(workspace, save, now.tree);
  return touched.map(({path: file}) => file);
}

/** Restores changed and deleted files from the tree, and returns their paths. New files stay. */
export async function restoreTracked(
  workspace: Workspace,
  {directory, tree, paths}: Omit<TouchedOptions, 'save'> & {readonly paths: readonly string[]},
): Promise<string[]> {
  const known = new Set(
    splitByNul(
      await runOnObjects(workspace, ['ls-tree', '-r', '-z', '--name-only', tree], {isRead: true}),
    ),
  );
  const ours = paths.filter((file) => known.has(file));
  if (ours.length === 0) return [];
  await withTemporaryIndex(workspace, async (index) => {
    await runOnObjects(workspace, ['read-tree', tree], {index});
    const run = (argv: readonly string[], input?: string): Promise<string> =>
      workspace.git(
        directory,
        [
          '--git-dir',
          workspace.commonDirectory,
          '--work-tree',
          directory,
          'checkout-index',
          '-f',
          '-q',
          ...argv,
        ],
        {index, ...(input === undefined ? {} : {input})},
      );
    // A path that is not UTF-8 cannot be passed to git, so everything is checked out; unchanged
    // files stay as they are.
    if (ours.some(isNotUtf8)) await run(['-a']);
    else await run(['-z', '--stdin'], ours.map((file) => `${file}\0`).join(''));
  });
  return ours;
}
