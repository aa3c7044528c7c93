import type {RunId} from '../ids.ts';
import type {Session} from '../session.ts';
import type {State} from '../state.ts';
import {attemptOf, runIdOfSession, runOf, sessionOf, taskIdOfSession, taskOf} from './find.ts';

/**
 * The conversation that a session of a task, or of a planner, goes on with: the last that is known from before it, through crashes,
 * repairs and rejected plans. Not after `reset`, unless a person takes over; not in a round that begins anew; and none from before its
 * agent said that it had not kept it.
 */
export function conversationOf(state: State, session: Session): string | undefined {
  const {purpose} = session;
  if (purpose.for === 'plan')
    return lastKnown(plannersBefore(state, session, purpose.run, purpose.round));
  if (purpose.for !== 'attempt' && purpose.for !== 'takeover') return undefined;
  const task = taskOf(state, purpose.task);
  const attempt = task === undefined ? undefined : attemptOf(task);
  if (attempt === undefined || (attempt.context > 1 && purpose.for === 'attempt')) return undefined;
  return lastKnown(sessionsBefore(state, session));
}

function lastKnown(earlier: readonly Session[]): string | undefined {
  const lost = earlier.findLastIndex(({lostConversation}) => lostConversation === true);
  return earlier.slice(lost + 1).findLast(({conversation}) => conversation !== undefined)
    ?.conversation;
}

/** Those of the run's planner since it last began anew. */
function plannersBefore(state: State, session: Session, run: RunId, round: number): Session[] {
  const first =
    (runOf(state, run)?.rounds ?? []).findLast(
      ({number, isAnew}) => number <= round && isAnew === true,
    )?.number ?? 1;
  return sessionsBefore(state, session).filter(
    ({purpose}) => purpose.for === 'plan' && purpose.round >= first,
  );
}

/** A session before this one, of the same attempt or the same round of planning, found its conversation lost: this one has begun anew, or comes after one that has. */
export function hasBegunAnew(state: State, session: Session): boolean {
  const {purpose} = session;
  if (purpose.for === 'plan')
    return sessionsBefore(state, session).some(
      ({purpose: other, lostConversation}) =>
        lostConversation === true && other.for === 'plan' && other.round === purpose.round,
    );
  if (purpose.for !== 'attempt') return false;
  return sessionsBefore(state, session).some(
    ({purpose: other, lostConversation}) =>
      lostConversation === true && other.for === 'attempt' && other.attempt === purpose.attempt,
  );
}

/** Those of the same task, or of no task, in their order. */
function sessionsBefore(state: State, session: Session): Session[] {
  const run = runIdOfSession(session);
  const ids = (run === undefined ? undefined : runOf(state, run))?.sessions ?? [];
  return ids
    .slice(0, ids.indexOf(session.id))
    .flatMap((id) => sessionOf(state, id) ?? [])
    .filter((other) => taskIdOfSession(other) === taskIdOfSession(session));
}
