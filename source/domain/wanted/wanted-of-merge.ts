import type {Effect} from '../effect.ts';
import type {MovedBranch, Run} from '../run.ts';
import {isBaselineOver} from '../select/baseline.ts';
import {checkOfSession, liveSessionsOf, worktreeOf, worktreeOwnerOf} from '../select/find.ts';
import {mergerOf} from '../select/progress.ts';
import {hasExited} from '../select/session-end.ts';
import type {State} from '../state.ts';

/** Merges go one after another, beside every working tree: built, validated, and only then published. */
export function wantedOfMerge(state: State, run: Run): Effect[] {
  if (run.moved !== undefined) return wantedOfMoved(run, run.moved);
  const task = mergerOf(run);
  if (task?.stage.at !== 'merging' || run.head === undefined) return [];
  const of = {run: run.id, task: task.id};
  const owner = `${run.id}.merge` as const;
  // The base is checked in the same worktree, and has begun earlier.
  if (task.stage.step.at === 'building' && !isBaselineOver(state, run)) return [];
  if (worktreeOf(run, owner) === undefined)
    return [{key: `${owner}/make`, do: 'make-worktree', ...of, owner, from: run.head}];
  const {commit, step} = task.stage;
  switch (step.at) {
    case 'building':
      // What another task's check, or what serves it, still has under its hands is not replaced.
      if (liveSessionsOf(state).some((session) => worktreeOwnerOf(session) === owner)) return [];
      return [
        {
          key: `${task.id}/build-merge/${commit}/${run.head}`,
          do: 'build-merge',
          ...of,
          commit,
          onto: run.head,
        },
      ];
    case 'checking': {
      const check = step.session === undefined ? undefined : checkOfSession(state, step.session);
      if (check === undefined || step.session === undefined || !hasExited(state, step.session))
        return [];
      return [
        {
          key: `${task.id}/read-merge-check/${check}/${step.session}`,
          do: 'read-check',
          ...of,
          on: 'merge',
          check,
          session: step.session,
        },
      ];
    }

    case 'publishing':
      return [
        {
          key: `${task.id}/publish-merge/${step.candidate}`,
          do: 'publish-merge',
          ...of,
          candidate: step.candidate,
          onto: step.onto,
        },
      ];
  }
}

/** Somebody moved the branch: nothing is built on it until a person has said what holds. */
function wantedOfMoved({id, head}: Run, {branch, found, isRestoring}: MovedBranch): Effect[] {
  if (isRestoring !== true || head === undefined) return [];
  return [
    {
      key: `${id}/restore-branch/${found}`,
      do: 'restore-branch',
      run: id,
      branch,
      to: head,
      from: found,
    },
  ];
}
