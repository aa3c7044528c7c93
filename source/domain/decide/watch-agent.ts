import type {Observation} from '../command.ts';
import type {Happening} from '../event.ts';
import {sessionOf} from '../select/find.ts';
import {isLoopKnown, isLoopOver, openLoopOf} from '../select/loops.ts';
import {tokensOf} from '../select/usage-of.ts';
import {isLive, maxLoops, type Session} from '../session.ts';
import type {State} from '../state.ts';
import {type Answer, refuse} from './answer.ts';

type Seen<Type extends Observation['type']> = Extract<Observation, {readonly type: Type}>;

/** What is counted while an agent works is never less than before, and is nothing once the whole of it has been counted. */
export function countUsage(state: State, saw: Seen<'usage-counted'>): Answer {
  if (saw.isPartial !== true) return saw;
  const session = sessionOf(state, saw.session);
  if (session === undefined || !isLive(session))
    return refuse(`${saw.session} does not run; what it used is counted at its end`);
  return tokensOf(saw.usage) <= tokensOf(session.usage) ? undefined : saw;
}

/** What is known is no news. */
export function noticeRetry(state: State, saw: Seen<'retry-noticed' | 'retry-ended'>): Answer {
  const session = agentIn(state, saw.session);
  if ('refused' in session) return session;
  const {retrying} = session;
  if (saw.type === 'retry-ended') return retrying === undefined ? undefined : saw;
  return retrying?.since === saw.since && retrying.times >= saw.times ? undefined : saw;
}

/** Each sign once in a session, and not without end: an agent chooses what it calls. */
export function noticeLoop(
  state: State,
  {kind, key, evidence, times, weight = 1, since, session: id}: Seen<'loop-found'>,
): Answer {
  const session = agentIn(state, id);
  if ('refused' in session) return session;
  const {loops = []} = session;
  if (
    loops.length >= maxLoops ||
    isLoopKnown(session, {kind, key}) ||
    !isLoopOver(state.project.limits, {kind, times, weight})
  )
    return undefined;
  return {
    type: 'loop-noticed',
    session: id,
    number: loops.length + 1,
    kind,
    key,
    evidence,
    times,
    since,
  };
}

/** What follows from a sign that nobody has looked at: by itself only what the project says. */
export function stopForLoop(
  state: State,
  session: Session,
):
  | Pick<
      Extract<Happening, {readonly type: 'loop-noticed'}>,
      'kind' | 'evidence' | 'times' | 'since'
    >
  | undefined {
  const loop = state.project.limits.onLoop === 'stop' ? openLoopOf(session) : undefined;
  return loop === undefined
    ? undefined
    : {kind: loop.kind, evidence: loop.evidence, times: loop.times, since: loop.since};
}

function agentIn(state: State, id: Session['id']): Session | {readonly refused: string} {
  const session = sessionOf(state, id);
  if (session === undefined || !isLive(session)) return refuse(`${id} does not run`);
  return session.purpose.for === 'attempt' || session.purpose.for === 'plan'
    ? session
    : refuse(`${id} is no agent that works by itself`);
}
