import type {Happening} from '../event.ts';
import type {SessionId} from '../ids.ts';
import type {Run} from '../run.ts';
import {
  baselineOf,
  isBaselineDue,
  isBaselineOver,
  isRecalled,
  uncheckedOf,
} from '../select/baseline.ts';
import {liveSessionsOf, sessionOf, worktreeOf, worktreeOwnerOf} from '../select/find.ts';
import {isCutShort} from '../select/session-end.ts';
import {needsSetup, setupEndOf} from '../select/setup.ts';
import {interruptionLimit, type State} from '../state.ts';
import {askSession} from './ask-session.ts';

/** The checks on the untouched base, in the worktree where merges will be checked: set up first, then one after the other. */
export function followBaseline(state: State, run: Run, at: number): Happening | undefined {
  if (!isBaselineDue(state, run)) return undefined;
  const {session, interruptions} = baselineOf(run);
  if (session !== undefined) return followSession(state, run, session, at);
  if (isBaselineOver(state, run)) return undefined;
  if (interruptions >= interruptionLimit)
    return {type: 'baseline-failed', run: run.id, why: {kind: 'interrupted', times: interruptions}};
  return isRecalled(state, run) && isLaidOut(state, run) ? begin(state, run) : undefined;
}

/** The base lies in the worktree for merges, and nobody is at work there. */
export function isLaidOut(state: State, run: Run): boolean {
  const owner = `${run.id}.merge` as const;
  const isOccupied = liveSessionsOf(state).some((session) => worktreeOwnerOf(session) === owner);
  return !isOccupied && run.head !== undefined && worktreeOf(run, owner)?.commit === run.head;
}

function begin(state: State, run: Run): Happening | undefined {
  const owner = `${run.id}.merge` as const;
  if (needsSetup(state, run, owner))
    return askSession(state, {for: 'worktree-setup', run: run.id, owner});
  const [check] = uncheckedOf(state, run);
  return check === undefined
    ? undefined
    : askSession(state, {for: 'baseline', run: run.id, check: check.name, command: check.command});
}

function followSession(
  state: State,
  run: Run,
  session: SessionId,
  at: number,
): Happening | undefined {
  const purpose = sessionOf(state, session)?.purpose;
  if (purpose?.for !== 'worktree-setup')
    return isCutShort(state, session)
      ? {type: 'baseline-interrupted', run: run.id, session}
      : undefined;
  const end = setupEndOf(state, run, session, at);
  switch (end.at) {
    case 'running':
      return undefined;
    case 'passed':
      return {type: 'worktree-set-up', owner: purpose.owner};
    case 'cut-short':
      return {type: 'baseline-interrupted', run: run.id, session};
    case 'failed':
      return {
        type: 'baseline-failed',
        run: run.id,
        why: {
          kind: 'setup',
          code: end.code,
          ...(end.limit === undefined ? {} : {limit: end.limit}),
        },
      };
  }
}
