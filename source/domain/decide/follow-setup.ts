import type {Happening} from '../event.ts';
import type {Run} from '../run.ts';
import {attemptOf, liveSessionsOf, worktreeOwnerOf} from '../select/find.ts';
import {needsSetup, setupEndOf} from '../select/setup.ts';
import {interruptionLimit, type State} from '../state.ts';
import type {Task} from '../task.ts';
import {askTaskSession} from './ask-session.ts';

/** `done`: whatever counts on it may begin. `waiting`: it is at work, or there is no room for it yet. */
export type SetupStep = Happening | 'done' | 'waiting';

/** Before the first attempt. What crashes again and again is trouble by itself: there is no attempt yet that would be stopped. */
export function followFirstSetup(
  state: State,
  run: Run,
  task: Task,
  {setup, setups}: Extract<Task['stage'], {at: 'preparing'}>,
  at: number,
): SetupStep {
  if (!needsSetup(state, run, task.id)) return 'done';
  const end = setup === undefined ? undefined : setupEndOf(state, run, setup, at);
  if (end?.at === 'running') return 'waiting';
  if (end?.at === 'passed') return {type: 'setup-passed', task: task.id};
  if (end?.at === 'failed') return {type: 'trouble-met', owner: task.id, why: troubleOf(end)};
  if (setups >= interruptionLimit)
    return {type: 'trouble-met', owner: task.id, why: {kind: 'setup', code: null}};
  return askTaskSession(state, task, {for: 'setup', task: task.id}) ?? 'waiting';
}

/**
 * Again, wherever what it reads is not what it passed for: in the task's worktree after a change of its own or on another head, in the one for
 * merges with each candidate that changes it. A change that setup cannot deal with is the change's failure; anywhere else it is trouble.
 */
export function followSetup(
  state: State,
  run: Run,
  task: Task,
  on: 'change' | 'merge',
  at: number,
): SetupStep {
  const owner = on === 'merge' ? (`${run.id}.merge` as const) : task.id;
  const attempt = attemptOf(task);
  if (attempt === undefined || !needsSetup(state, run, owner)) return 'done';
  const session = task.setupSession;
  if (session === undefined) {
    const isOccupied =
      on === 'merge' && liveSessionsOf(state).some((other) => worktreeOwnerOf(other) === owner);
    return (
      (isOccupied ? undefined : askTaskSession(state, task, {for: 'setup', task: task.id, on})) ??
      'waiting'
    );
  }

  const end = setupEndOf(state, run, session, at);
  switch (end.at) {
    case 'running':
      return 'waiting';
    case 'passed':
      return {type: 'setup-passed', task: task.id, on};
    case 'cut-short':
      return {type: 'attempt-interrupted', task: task.id, attempt: attempt.number, session};
    case 'failed':
      if (on === 'merge' || attempt.step.at !== 'checking')
        return {type: 'trouble-met', owner: task.id, why: troubleOf(end)};
      return {
        type: 'attempt-failed',
        task: task.id,
        attempt: attempt.number,
        failure: {
          kind: 'check',
          name: 'setup',
          code: 'SETUP_FAILURE',
          on,
          firstFailure: wordsOf(state.project.setup ?? '', end),
        },
      };
  }
}

export function afterSetup(
  setup: SetupStep,
  then: () => Happening | undefined,
): Happening | undefined {
  if (setup === 'done') return then();
  return setup === 'waiting' ? undefined : setup;
}

type Failed = {readonly code: number | null; readonly limit?: number};

function troubleOf({code, limit}: Failed): {
  readonly kind: 'setup';
  readonly code: number | null;
  readonly limit?: number;
} {
  return {kind: 'setup', code, ...(limit === undefined ? {} : {limit})};
}

function wordsOf(command: string, {code, limit}: Failed): string {
  const end =
    limit === undefined
      ? `ended with ${code ?? 'a signal'}`
      : `was not done after ${Math.round(limit / 60_000)} minutes`;
  return `"${command}" passed before and ${end} after this change of what it reads (manifests, lock files)`;
}
