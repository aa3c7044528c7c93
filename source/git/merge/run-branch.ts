import {sanitizeText} from '../../shared/index.ts';
import {runOnObjects} from '../client/plumbing.ts';
import {backUpNow, isAncestor, moveRef, readRef, settleRef, toBranchRef} from '../commit/refs.ts';
import {GitFailure} from '../client/create-git.ts';
import {readCheckouts} from '../accept/user-branch.ts';
import type {Workspace} from '../open-workspace.ts';

/**
 * The tip of a run's branch that something other than the run moved, and how it relates to the
 * run's own tip.
 */
export type RunBranchMove = {
  readonly found: string;
  readonly relation: 'ahead' | 'behind' | 'apart';
};

/**
 * Undefined when the branch is at the expected commit, and when it does not exist: the next merge
 * creates it.
 */
export async function findMovedRunBranch(
  workspace: Workspace,
  {branch, expected}: {readonly branch: string; readonly expected: string},
): Promise<RunBranchMove | undefined> {
  const found = await readRef(workspace, toBranchRef(branch));
  return found === null || found === expected
    ? undefined
    : {found, relation: await readRelation(workspace, expected, found)};
}

async function readRelation(
  workspace: Workspace,
  expected: string,
  found: string,
): Promise<RunBranchMove['relation']> {
  try {
    if (await isAncestor(workspace, expected, found)) return 'ahead';
    return (await isAncestor(workspace, found, expected)) ? 'behind' : 'apart';
  } catch (error) {
    // A ref file that was written by hand can name a missing object, or one that is not a commit.
    if (error instanceof GitFailure) return 'apart';
    throw error;
  }
}

/**
 * Moves the branch back to the run's tip, atomically, if it still is at `from`. The commit that was
 * found there is backed up under a ref, if it exists.
 */
export function restoreBranch(
  workspace: Workspace,
  {branch, to, from}: {readonly branch: string; readonly to: string; readonly from: string},
): Promise<{readonly retained: string | null} | RunBranchMove> {
  return workspace.withLock(async () => {
    const ref = toBranchRef(branch);
    const seen = await readRef(workspace, ref);
    if (seen !== null && seen !== to && seen !== from)
      return {found: seen, relation: await readRelation(workspace, to, seen)};
    const retained = (await hasObject(workspace, from))
      ? await backUpNow(workspace, 'moved', from)
      : null;
    if (seen === to) {
      settleRef(workspace, ref);
      return {retained};
    }

    expectNowhereCheckedOut(workspace, branch);
    if ((await moveRef(workspace, {ref, to, from: seen})) === 'moved') return {retained};
    const now = (await readRef(workspace, ref)) ?? from;
    return {found: now, relation: await readRelation(workspace, to, now)};
  });
}

async function hasObject(workspace: Workspace, object: string): Promise<boolean> {
  try {
    await runOnObjects(workspace, ['cat-file', '-e', object], {isRead: true});
    return true;
  } catch (error) {
    if (error instanceof GitFailure) return false;
    throw error;
  }
}

/** Moving a checked-out branch would make every file of that checkout look changed. */
export function expectNowhereCheckedOut(workspace: Workspace, branch: string): void {
  const place = readCheckouts(workspace).find((checkout) => checkout.branch === branch);
  if (place === undefined) return;
  throw new Error(
    `Expected ${sanitizeText(branch)} to be checked out nowhere, but it is in ` +
      `${sanitizeText(place.directory)}. Moving it would make that checkout look changed. ` +
      'Switch to another branch there ("git switch --detach"), then resume.',
  );
}

export type PublishOptions = {
  /** The run's own branch. */
  readonly branch: string;
  readonly candidate: string;
  /** The tip that the candidate was built on. A branch with another tip is `outdated`. */
  readonly onto: string;
};

/**
 * Moves the run's branch to the merge, atomically. A missing branch is created at the candidate.
 */
export function publishMerge(
  workspace: Workspace,
  {branch, candidate, onto}: PublishOptions,
): Promise<'published' | 'outdated'> {
  return workspace.withLock(async () => {
    const ref = toBranchRef(branch);
    const seen = await readRef(workspace, ref);
    if (seen !== null && (seen === candidate || (await isAncestor(workspace, candidate, seen)))) {
      settleRef(workspace, ref);
      return 'published';
    }

    if (seen !== null && seen !== onto) return 'outdated';
    expectNowhereCheckedOut(workspace, branch);
    return (await moveRef(workspace, {ref, to: candidate, from: seen})) === 'moved'
      ? 'published'
      : 'outdated';
  });
}
