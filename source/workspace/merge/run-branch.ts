import {sanitizeText} from '../../base/index.ts';
import {aside} from '../change/aside.ts';
import {keepNow} from '../change/keep-object.ts';
import {isAncestor, moveRef, readRef, refOf, settleRef} from '../commit/refs.ts';
import {GitFailure} from '../git/git-failure.ts';
import {checkoutsOf} from '../home/checkouts-of.ts';
import type {Workspace} from '../open-workspace.ts';

/** Where a run's own branch is though the run did not move it there, and what that has to do with where the run left it. */
export type Moved = {readonly found: string; readonly relation: 'ahead' | 'behind' | 'apart'};

/** Nothing when it is where it is expected. Nor when it is not there: it begins with the next merge. */
export async function movedBranch(
  workspace: Workspace,
  {branch, expected}: {readonly branch: string; readonly expected: string},
): Promise<Moved | undefined> {
  const found = await readRef(workspace, refOf(branch));
  return found === null || found === expected
    ? undefined
    : {found, relation: await relationOf(workspace, expected, found)};
}

async function relationOf(
  workspace: Workspace,
  expected: string,
  found: string,
): Promise<Moved['relation']> {
  try {
    if (await isAncestor(workspace, expected, found)) return 'ahead';
    return (await isAncestor(workspace, found, expected)) ? 'behind' : 'apart';
  } catch (error) {
    // Whoever writes the ref's file by hand may name what is no commit, or what is not there at all.
    if (error instanceof GitFailure) return 'apart';
    throw error;
  }
}

/** Puts the branch back to what the run left there, in one step, if it still is where it was found. What was found is kept under a ref of ours, if it exists at all. */
export function restoreBranch(
  workspace: Workspace,
  {branch, to, from}: {readonly branch: string; readonly to: string; readonly from: string},
): Promise<{readonly kept: string | null} | Moved> {
  return workspace.inTurn(async () => {
    const ref = refOf(branch);
    const seen = await readRef(workspace, ref);
    if (seen !== null && seen !== to && seen !== from)
      return {found: seen, relation: await relationOf(workspace, to, seen)};
    const kept = (await exists(workspace, from)) ? await keepNow(workspace, 'moved', from) : null;
    if (seen === to) {
      settleRef(workspace, ref);
      return {kept};
    }

    expectNowhereCheckedOut(workspace, branch);
    if ((await moveRef(workspace, {ref, to, from: seen})) === 'moved') return {kept};
    const now = (await readRef(workspace, ref)) ?? from;
    return {found: now, relation: await relationOf(workspace, to, now)};
  });
}

async function exists(workspace: Workspace, object: string): Promise<boolean> {
  try {
    await aside(workspace, ['cat-file', '-e', object], {isRead: true});
    return true;
  } catch (error) {
    if (error instanceof GitFailure) return false;
    throw error;
  }
}

/** Moving a branch under a checkout would make everything there look changed. */
export function expectNowhereCheckedOut(workspace: Workspace, branch: string): void {
  const place = checkoutsOf(workspace).find((checkout) => checkout.branch === branch);
  if (place === undefined) return;
  throw new Error(
    `Expected ${sanitizeText(branch)} to be checked out nowhere, but it is in ${sanitizeText(place.directory)}. Moving it would make that checkout look changed. Switch to another branch there ("git switch --detach"), then go on.`,
  );
}
