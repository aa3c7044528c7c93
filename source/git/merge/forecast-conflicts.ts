import {captureTree} from '../changes/capture-change.ts';
import {computeDifferences} from '../changes/differences.ts';
import {makeCommit} from '../commit/commit-objects.ts';
import type {Workspace} from '../open-workspace.ts';
import {mergeTrees} from './build-merge.ts';

/** The current work of a task: its worktree, or a captured tree. */
export type Work = {readonly owner: string; readonly base: string} & (
  {readonly directory: string} | {readonly tree: string}
);

export type Forecast = {
  readonly owners: readonly [string, string];
  readonly paths: readonly string[];
};

/** Pairs to merge in one forecast; each takes git some ten milliseconds. */
const maxPairs = 50;

/**
 * Pairs of tasks that would conflict if they ended now. Pairs without a common path are not merged.
 */
export async function forecastConflicts(
  workspace: Workspace,
  works: readonly Work[],
  limit = maxPairs,
): Promise<readonly Forecast[]> {
  const changes: {
    readonly owner: string;
    readonly paths: ReadonlySet<string>;
    readonly commit: string;
  }[] = [];
  for (const work of works) {
    const tree = 'tree' in work ? work.tree : (await captureTree(workspace, work)).tree;
    const paths = new Set(
      (await computeDifferences(workspace, work.base, tree)).map(({path}) => path),
    );
    if (paths.size > 0)
      changes.push({
        owner: work.owner,
        paths,
        commit: await makeCommit(workspace, {
          parents: [work.base],
          tree,
          message: 'forecast\n',
          at: 0,
        }),
      });
  }

  const pairs = changes
    .flatMap((one, index) => changes.slice(index + 1).map((other) => [one, other] as const))
    .filter(([one, other]) => haveCommon(one.paths, other.paths));
  const found: Forecast[] = [];
  for (const [one, other] of pairs.slice(0, limit)) {
    const {problems} = await mergeTrees(workspace, one.commit, other.commit);
    if (problems.length > 0)
      found.push({owners: [one.owner, other.owner], paths: problems.map(({path}) => path)});
  }

  return found;
}

/** Whether both change the same path, or one a file where the other has a directory. */
function haveCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const getParents = (file: string): string[] =>
    file.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  return (
    [...one].some((file) => getParents(file).some((place) => other.has(place))) ||
    [...other].some((file) => getParents(file).some((place) => one.has(place)))
  );
}
