import {isAncestor, moveRef, readRef, refOf, settleRef} from '../commit/refs.ts';
import type {Workspace} from '../open-workspace.ts';
import {expectNowhereCheckedOut} from './run-branch.ts';

export type PublishWish = {
  /** The run's own branch. */
  readonly branch: string;
  readonly candidate: string;
  /** What the candidate was built on: when the branch is elsewhere by now, somebody else moved it. */
  readonly onto: string;
};

/** One step: the branch has the merge, or it has not. A branch that is not there yet begins at `onto`. */
export function publishMerge(
  workspace: Workspace,
  {branch, candidate, onto}: PublishWish,
): Promise<'published' | 'outdated'> {
  return workspace.inTurn(async () => {
    const ref = refOf(branch);
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
