import type {Activity} from '../agents/index.ts';
import {redact} from '../documents/index.ts';
import {
  isLoopKnown,
  isLoopOver,
  isUsageNews,
  liveSessionsOf,
  type Observation,
  type Session,
  type SessionId,
} from '../domain/index.ts';
import type {Conductor} from './conductor.ts';
import {pauseFor} from './pause-for.ts';
import {readActivity} from './read-activity.ts';
import type {Workshop} from './workshop.ts';

/** As often as an agent's activity is written. */
const lookEveryMs = 500;

/** Retries beyond the first are told not more often than this. */
const retryEveryMs = 5000;

type Told = {usageAt: number; retryAt: number};

/** Follows what agents use while they work, how their services fail them, and whether they go in circles. */
export async function watchActivity(
  workshop: Workshop,
  conductor: Pick<Conductor, 'submit'>,
  signal: AbortSignal,
  everyMs = lookEveryMs,
): Promise<void> {
  const told = new Map<SessionId, Told>();
  while (!signal.aborted) {
    const agents = liveSessionsOf(workshop.state()).filter(
      ({purpose, life}) =>
        life.at === 'running' && (purpose.for === 'attempt' || purpose.for === 'plan'),
    );
    for (const id of told.keys()) if (!agents.some((session) => session.id === id)) told.delete(id);
    for (const session of agents) {
      const activity = readActivity(workshop, session.id);
      const memory = told.get(session.id) ?? {usageAt: workshop.now(), retryAt: 0};
      told.set(session.id, memory);
      if (activity === undefined) continue;
      for (const saw of newsIn(workshop, session, activity, memory)) {
        if (saw.type === 'usage-counted') memory.usageAt = workshop.now();
        if (saw.type === 'retry-noticed') memory.retryAt = workshop.now();
        // A full disk is no reason to stop looking; the next look tells it again.
        await conductor.submit({type: 'report', at: workshop.now(), saw}).catch(() => undefined);
      }
    }

    await pauseFor(everyMs, signal);
  }
}

function newsIn(
  workshop: Workshop,
  session: Session,
  {usage, retry, loops}: Activity,
  {usageAt, retryAt}: Told,
): Observation[] {
  const {state, now} = workshop;
  const {id} = session;
  const secrets = workshop.secrets();
  const {limits} = state().project;
  const signs = loops.filter((sign) => !isLoopKnown(session, sign) && isLoopOver(limits, sign));
  return [
    ...(usage !== undefined && isUsageNews(state(), session, usage, now() - usageAt)
      ? [{type: 'usage-counted' as const, session: id, usage, isPartial: true as const}]
      : []),
    ...retryNews(session, retry, now() - retryAt).map((saw) =>
      saw.type === 'retry-noticed' ? {...saw, words: redact(saw.words, secrets)} : saw,
    ),
    ...signs.map(({kind, key, what, times, weight, since}): Observation => ({
      type: 'loop-found',
      session: id,
      kind,
      key,
      evidence: redact(what, secrets),
      times,
      weight,
      since,
    })),
  ];
}

function retryNews(
  {id, retrying}: Session,
  retry: Activity['retry'],
  sinceMs: number,
): Extract<Observation, {readonly type: 'retry-noticed' | 'retry-ended'}>[] {
  if (retry === undefined)
    return retrying === undefined ? [] : [{type: 'retry-ended', session: id}];
  const isFirst = retrying?.since !== retry.since;
  if (!isFirst && (retry.times <= retrying.times || sinceMs < retryEveryMs)) return [];
  return [
    {
      type: 'retry-noticed',
      session: id,
      since: retry.since,
      times: retry.times,
      words: retry.said,
      ...(retry.status !== undefined && {status: retry.status}),
    },
  ];
}
