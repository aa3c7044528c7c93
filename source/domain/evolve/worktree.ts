import {without} from '../../base/index.ts';
import type {WorktreeOwner} from '../ids.ts';
import type {Run, Worktree} from '../run.ts';
import type {State} from '../state.ts';

export function changeWorktree(
  run: Run,
  owner: WorktreeOwner,
  change: (worktree: Worktree) => Worktree,
): Run {
  return {
    ...run,
    worktrees: run.worktrees.map((worktree) =>
      worktree.owner === owner ? change(worktree) : worktree,
    ),
  };
}

/** Other files lie there now; what `setup` reads among them is as somebody looked, or not known. */
export function laidOut(worktree: Worktree, reads: string | undefined): Worktree {
  return reads === undefined ? without(worktree, 'reads') : {...worktree, reads};
}

/** The project's command passed in it, for what lies there. */
export function setUp({project: {setup = ''}}: State, run: Run, owner: WorktreeOwner): Run {
  return changeWorktree(run, owner, (worktree) => ({
    ...worktree,
    setUp: {command: setup, ...(worktree.reads === undefined ? {} : {reads: worktree.reads})},
  }));
}
