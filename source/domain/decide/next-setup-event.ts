import type {EventBody} from '../event.ts';
import type {Run} from '../run.ts';
import {hasLiveSessionIn, selectAttempt} from '../select/find.ts';
import {needsSetup, selectSetupStatus} from '../select/environment.ts';
import {interruptionLimit, type State} from '../state.ts';
import type {Task} from '../task.ts';
import {askTaskSession} from './answer.ts';

/** `done`: the next step may begin. `waiting`: setup is running, or there is no capacity for it. */
type SetupStep = EventBody | 'done' | 'waiting';

/**
 * Runs before the first attempt. A setup that crashes repeatedly is reported as trouble, because
 * there is no attempt yet that could be stopped.
 */
export function nextFirstSetupEvent(
  state: State,
  run: Run,
  task: Task,
  {setup, setups}: Extract<Task['stage'], {at: 'preparing'}>,
  at: number,
): SetupStep {
  if (!needsSetup(state, run, task.id)) return 'done';
  const end = setup === undefined ? undefined : selectSetupStatus(state, run, setup, at);
  if (end?.at === 'running') return 'waiting';
  if (end?.at === 'passed') return {type: 'setup-passed', task: task.id};
  if (end?.at === 'failed') return {type: 'trouble-met', owner: task.id, why: toSetupTrouble(end)};
  if (setups >= interruptionLimit)
    return {type: 'trouble-met', owner: task.id, why: {kind: 'setup', code: null}};
  return askTaskSession(state, task, {for: 'setup', task: task.id}) ?? 'waiting';
}

/**
 * Runs setup again where the files that it reads differ from those it passed for: in the task's
 * worktree after a change or on another head, and in the merge worktree for each candidate that
 * changes them. A setup that fails on the task's change is a failure of the change; anywhere else
 * it is trouble.
 */
export function nextSetupEvent(
  state: State,
  run: Run,
  task: Task,
  on: 'change' | 'merge',
  at: number,
): SetupStep {
  const owner = on === 'merge' ? (`${run.id}.merge` as const) : task.id;
  const attempt = selectAttempt(task);
  if (attempt === undefined || !needsSetup(state, run, owner)) return 'done';
  const session = task.setupSession;
  if (session === undefined) {
    const isOccupied = on === 'merge' && hasLiveSessionIn(state, owner);
    return (
      (isOccupied ? undefined : askTaskSession(state, task, {for: 'setup', task: task.id, on})) ??
      'waiting'
    );
  }

  const end = selectSetupStatus(state, run, session, at);
  switch (end.at) {
    case 'running':
      return 'waiting';
    case 'passed':
      return {type: 'setup-passed', task: task.id, on};
    case 'cut-short':
      return {type: 'attempt-interrupted', task: task.id, attempt: attempt.number, session};
    case 'failed':
      if (on === 'merge' || attempt.step.at !== 'checking')
        return {type: 'trouble-met', owner: task.id, why: toSetupTrouble(end)};
      return {
        type: 'attempt-failed',
        task: task.id,
        attempt: attempt.number,
        failure: {
          kind: 'check',
          name: 'setup',
          code: 'SETUP_FAILURE',
          on,
          firstFailure: formatSetupFailure(state.project.setup ?? '', end),
        },
      };
  }
}

export function afterSetup(
  setup: SetupStep,
  then: () => EventBody | undefined,
): EventBody | undefined {
  if (setup === 'done') return then();
  return setup === 'waiting' ? undefined : setup;
}

type FailedSetup = {readonly code: number | null; readonly limit?: number};

function toSetupTrouble({code, limit}: FailedSetup): {
  readonly kind: 'setup';
  readonly code: number | null;
  readonly limit?: number;
} {
  return {kind: 'setup', code, ...(limit === undefined ? {} : {limit})};
}

function formatSetupFailure(command: string, {code, limit}: FailedSetup): string {
  const end =
    limit === undefined
      ? `exited with ${code ?? 'a signal'}`
      : `was not done after ${Math.round(limit / 60_000)} minutes`;
  return `"${command}" passed before and ${end} after this change to its manifests or lock files`;
}
