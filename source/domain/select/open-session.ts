import type {Run} from '../run.ts';
import {isBetweenTurns, isInteractive, type Session} from '../session.ts';
import type {State} from '../state.ts';
import type {Attempt, Task} from '../task.ts';
import {selectAttempt, selectSession} from './find.ts';
import {isCutShort} from './sessions.ts';

/**
 * A person leads the agent of this session: it was opened without a plan, in its own interface, and
 * does not repair a failure.
 */
export function isLedByPerson({request}: Run, {repairs}: Attempt, session: Session): boolean {
  return request.open !== undefined && isInteractive(session) && repairs === undefined;
}

/**
 * Whether the end of the agent's turn, or of the agent, ends the attempt, so that the work is
 * checked. Without a plan, the agent's turn usually ends because it waits for the person. Its work
 * is checked if the person asked for that, if the agent said that it is done, or at the end of the
 * turn in which it repairs what a check found.
 */
export function isWorkOver({request}: Run, attempt: Attempt, session: Session): boolean {
  if (request.open === undefined || !isInteractive(session)) return true;
  const {turn} = session;
  if (attempt.isCheckAsked === true || turn?.isDone === true) return true;
  if (attempt.repairs !== undefined && turn?.by !== 'person') return true;
  return hasFailedToStart(session);
}

/** It ended with an error before anybody could write to it. */
function hasFailedToStart({life, turn}: Session): boolean {
  return life.at === 'exited' && life.code !== 0 && turn === undefined;
}

/** The session in which the agent of an opened task waits for its person; undefined if it works. */
export function selectWaitingSession(state: State, run: Run, task: Task): Session | undefined {
  const attempt = selectAttempt(task);
  if (run.request.open === undefined || task.stage.at !== 'attempting') return undefined;
  if (attempt?.step.at !== 'working') return undefined;
  const session = selectSession(state, attempt.step.session);
  if (session === undefined || !isInteractive(session) || isWorkOver(run, attempt, session))
    return undefined;
  const hasEnded = session.life.at === 'exited' && !isCutShort(state, session.id);
  return hasEnded || isBetweenTurns(session) ? session : undefined;
}
