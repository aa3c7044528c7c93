import type {SessionId, WorktreeOwner} from '../ids.ts';
import type {Run} from '../run.ts';
import {workedFor} from '../session.ts';
import type {State} from '../state.ts';
import {sessionOf, worktreeOf} from './find.ts';
import {isCutShort} from './session-end.ts';

/** The project's command has not passed in this worktree yet, or not for the manifests and lock files that lie there now. No check runs there before it has. */
export function needsSetup({project: {setup}}: State, run: Run, owner: WorktreeOwner): boolean {
  const worktree = worktreeOf(run, owner);
  if (setup === undefined || worktree === undefined) return false;
  return worktree.setUp?.command !== setup || worktree.setUp.reads !== worktree.reads;
}

/** How a session of `setup` stands; `failed` with its status, or with the limit of time that it has used up. */
export type SetupEnd =
  | {readonly at: 'running' | 'passed' | 'cut-short'}
  | {readonly at: 'failed'; readonly code: number | null; readonly limit?: number};

export function setupEndOf(state: State, run: Run, id: SessionId, at: number): SetupEnd {
  const session = sessionOf(state, id);
  const limit = run.budget.attemptWallClock;
  if (session !== undefined && limit !== undefined && workedFor(session, at) >= limit)
    return {at: 'failed', code: null, limit};
  if (isCutShort(state, id)) return {at: 'cut-short'};
  if (session?.life.at !== 'exited') return {at: 'running'};
  return session.life.code === 0 ? {at: 'passed'} : {at: 'failed', code: session.life.code};
}
