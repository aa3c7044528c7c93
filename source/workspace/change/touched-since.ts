import type {Workspace} from '../open-workspace.ts';
import {aside, partsOf} from './aside.ts';
import {captureTree} from './capture-change.ts';
import {differencesOf, isUnspeakable} from './differences-of.ts';
import {withIndex} from './with-index.ts';

export type TouchedWish = {
  readonly directory: string;
  /** What stood there before. */
  readonly tree: string;
};

/** What a check changed: files that were there, and new ones that git does not ignore. */
export async function touchedSince(
  workspace: Workspace,
  {directory, tree}: TouchedWish,
): Promise<string[]> {
  const now = await captureTree(workspace, {directory, base: tree});
  return (await differencesOf(workspace, tree, now.tree)).map(({path: file}) => file);
}

/** Puts back what was there before, as a checkout writes it. Gives the paths; what is new is left where it is. */
export async function restoreTracked(
  workspace: Workspace,
  {directory, tree, paths}: TouchedWish & {readonly paths: readonly string[]},
): Promise<string[]> {
  const known = new Set(
    partsOf(await aside(workspace, ['ls-tree', '-r', '-z', '--name-only', tree], {isRead: true})),
  );
  const ours = paths.filter((file) => known.has(file));
  if (ours.length === 0) return [];
  await withIndex(workspace, async (index) => {
    await aside(workspace, ['read-tree', tree], {index});
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
    // What cannot be named is put back with everything else: what is as it was stays as it is.
    if (ours.some(isUnspeakable)) await run(['-a']);
    else await run(['-z', '--stdin'], ours.map((file) => `${file}\0`).join(''));
  });
  return ours;
}
