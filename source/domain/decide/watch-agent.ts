import {isLive, type LoopKind, maxLoops, type NoticedLoop, type Session} from '../session.ts';
import {defaultLoopLimits, type Limits, type State} from '../state.ts';
import type {Observation} from '../command.ts';
import type {EventBody} from '../event.ts';
import {selectSession} from '../select/find.ts';
import {selectTokens} from '../select/sessions.ts';
import {type Answer, refuse} from './answer.ts';

/** The limit for each kind of loop; 0 is no limit. */
const limitNames = {
  'same-calls': 'sameCalls',
  'same-failures': 'sameFailures',
  'undone-edits': 'undoneEdits',
  unchanged: 'unchangedMinutes',
} as const satisfies Readonly<Record<LoopKind, keyof Limits>>;

export function selectLoopLimit(limits: Limits, kind: LoopKind): number | undefined {
  const limit = limits[limitNames[kind]] ?? defaultLoopLimits[limitNames[kind]];
  return limit > 0 ? limit : undefined;
}

/**
 * Whether a sign of a loop was seen as often as the project allows. `weight` raises the limit for
 * calls that are expected to repeat.
 */
export function isLoopOverLimit(
  limits: Limits,
  {
    kind,
    times,
    weight = 1,
  }: {readonly kind: LoopKind; readonly times: number; readonly weight?: number},
): boolean {
  const limit = selectLoopLimit(limits, kind);
  return limit !== undefined && times >= limit * weight;
}

export function isLoopKnown(
  {loops = []}: Session,
  {kind, key}: Pick<NoticedLoop, 'kind' | 'key'>,
): boolean {
  return loops.some((loop) => loop.kind === kind && loop.key === key);
}

/** The oldest sign of a loop that no person has acknowledged. */
export function selectOpenLoop(session: Session): NoticedLoop | undefined {
  return isLive(session) ? session.loops?.find(({isSeen}) => isSeen !== true) : undefined;
}

type ObservationOf<Type extends Observation['type']> = Extract<Observation, {readonly type: Type}>;

/** Partial counts never decrease, and are ignored after the final count. */
export function countUsage(state: State, saw: ObservationOf<'usage-counted'>): Answer {
  if (saw.isPartial !== true) return saw;
  const session = selectSession(state, saw.session);
  if (session === undefined || !isLive(session))
    return refuse(`${saw.session} does not run; its tokens are counted when it ends`);
  return selectTokens(saw.usage) <= selectTokens(session.usage) ? undefined : saw;
}

/** A retry that is recorded already is not recorded again. */
export function noticeRetry(
  state: State,
  saw: ObservationOf<'retry-noticed' | 'retry-ended'>,
): Answer {
  const session = findWorkingAgent(state, saw.session);
  if ('refused' in session) return session;
  const {retrying} = session;
  if (saw.type === 'retry-ended') return retrying === undefined ? undefined : saw;
  return retrying?.since === saw.since && retrying.times >= saw.times ? undefined : saw;
}

/** Each sign is recorded once in a session, up to `maxLoops`: an agent chooses what it calls. */
export function noticeLoop(
  state: State,
  {kind, key, evidence, times, weight = 1, since, session: id}: ObservationOf<'loop-found'>,
): Answer {
  const session = findWorkingAgent(state, id);
  if ('refused' in session) return session;
  const {loops = []} = session;
  if (
    loops.length >= maxLoops ||
    isLoopKnown(session, {kind, key}) ||
    !isLoopOverLimit(state.project.limits, {kind, times, weight})
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

/** The loop that stops the agent, if the project says `onLoop: stop`. */
export function selectStoppingLoop(
  state: State,
  session: Session,
):
  | Pick<
      Extract<EventBody, {readonly type: 'loop-noticed'}>,
      'kind' | 'evidence' | 'times' | 'since'
    >
  | undefined {
  const loop = state.project.limits.onLoop === 'stop' ? selectOpenLoop(session) : undefined;
  return loop === undefined
    ? undefined
    : {kind: loop.kind, evidence: loop.evidence, times: loop.times, since: loop.since};
}

function findWorkingAgent(state: State, id: Session['id']): Session | {readonly refused: string} {
  const session = selectSession(state, id);
  if (session === undefined || !isLive(session)) return refuse(`${id} does not run`);
  return session.purpose.for === 'attempt' || session.purpose.for === 'plan'
    ? session
    : refuse(`${id} is not a planner or worker`);
}
