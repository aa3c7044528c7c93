import {aside} from '../change/aside.ts';
import {keepObject} from '../change/keep-object.ts';
import {verifyRange} from '../change/verify-objects.ts';
import {makeCommit} from '../commit/make-commit.ts';
import {isAncestor} from '../commit/refs.ts';
import {GitFailure} from '../git/git-failure.ts';
import type {Workspace} from '../open-workspace.ts';
import {hunksOf} from './hunks-of.ts';
import {type MergeReading, readMergeTree} from './read-merge-tree.ts';

export type MergeWish = {
  readonly onto: string;
  readonly commit: string;
  readonly message: string;
  readonly at: number;
};

export type Conflict = {
  readonly path: string;
  /** `content`, `add/add`, `modify/delete`, `rename/rename`, `binary`, `submodule` and so on, as git calls them. */
  readonly kind: string;
  /** The places in the file, with conflict markers; at most 4,000 characters. Empty when there are none to show. */
  readonly hunks: string;
};

export type BuiltMerge =
  {readonly candidate: string; readonly tree: string} | {readonly conflicts: readonly Conflict[]};

const largestShown = 4 * 1024 * 1024;

/** Merges beside every working tree: objects only, until the candidate is published. Always a commit of two parents, so that the first parents of a run's branch are its tasks. */
export async function buildMerge(
  workspace: Workspace,
  {onto, commit, message, at}: MergeWish,
): Promise<BuiltMerge> {
  if (await isAncestor(workspace, commit, onto))
    return {candidate: onto, tree: await treeOfCommit(workspace, onto)};
  const {tree, problems} = await mergeTrees(workspace, onto, commit);
  if (problems.length > 0) {
    const conflicts: Conflict[] = [];
    for (const problem of problems)
      conflicts.push({...problem, hunks: await hunksIn(workspace, tree, problem.path)});
    return {conflicts};
  }

  const candidate = await makeCommit(workspace, {parents: [onto, commit], tree, message, at});
  await verifyRange(workspace, {from: onto, to: candidate});
  await keepCandidate(workspace, candidate);
  return {candidate, tree};
}

/** Until it is published nothing else names it. */
export function keepCandidate(workspace: Workspace, candidate: string): Promise<string> {
  return keepObject(workspace, 'merges', candidate);
}

export async function mergeTrees(
  workspace: Workspace,
  onto: string,
  commit: string,
): Promise<MergeReading> {
  try {
    return readMergeTree(
      await aside(workspace, ['merge-tree', '--write-tree', '-z', '--messages', onto, commit]),
    );
  } catch (error) {
    // 1 says that there are conflicts, and what was printed is the answer.
    if (!(error instanceof GitFailure) || error.code !== 1) throw error;
    const reading = readMergeTree(error.stdout);
    return {
      ...reading,
      problems:
        reading.problems.length > 0
          ? reading.problems
          : [{path: '(git named no path)', kind: 'content'}],
    };
  }
}

async function treeOfCommit(workspace: Workspace, commit: string): Promise<string> {
  return (
    await aside(workspace, ['rev-parse', '--verify', `${commit}^{tree}`], {isRead: true})
  ).trim();
}

async function hunksIn(workspace: Workspace, tree: string, file: string): Promise<string> {
  try {
    const size = Number(
      await aside(workspace, ['cat-file', '-s', `${tree}:${file}`], {isRead: true}),
    );
    return size > largestShown
      ? ''
      : hunksOf(await aside(workspace, ['cat-file', 'blob', `${tree}:${file}`], {isRead: true}));
  } catch {
    // A path that one side deleted or moved is not in the tree: its kind says it all.
    return '';
  }
}
