import type {Session} from '../session.ts';
import type {State} from '../state.ts';
import {attemptOf, runIdOfSession, runOf, sessionOf, taskIdOfSession, taskOf} from './find.ts';

/**
 * The conversation that a session of a task goes on with: the last that is known from before it, through crashes and repairs. Not
 * after `reset`, unless a person takes over; and none from before its agent said that it had not kept it.
 */
export function conversationOf(state: State, session: Session): string | undefined {
  const {purpose} = session;
  if (purpose.for !== 'attempt' && purpose.for !== 'takeover') return undefined;
  const task = taskOf(state, purpose.task);
  const attempt = task === undefined ? undefined : attemptOf(task);
  if (attempt === undefined || (attempt.context > 1 && purpose.for === 'attempt')) return undefined;
  const earlier = sessionsBefore(state, session);
  const lost = earlier.findLastIndex(({lostConversation}) => lostConversation === true);
  return earlier.slice(lost + 1).findLast(({conversation}) => conversation !== undefined)?.conversation;
}

/** A session before this one, of the same attempt, found its conversation lost: this one has begun anew, or comes after one that has. */
export function hasBegunAnew(state: State, session: Session): boolean {
  const {purpose} = session;
  if (purpose.for !== 'attempt') return false;
  return sessionsBefore(state, session).some(({purpose: other, lostConversation}) => lostConversation === true && other.for === 'attempt' && other.attempt === purpose.attempt);
}

/** Those of the same task, in their order. */
function sessionsBefore(state: State, session: Session): Session[] {
  const run = runIdOfSession(session);
  const ids = (run === undefined ? undefined : runOf(state, run))?.sessions ?? [];
  return ids.slice(0, ids.indexOf(session.id)).flatMap((id) => sessionOf(state, id) ?? []).filter((other) => taskIdOfSession(other) === taskIdOfSession(session));
}
