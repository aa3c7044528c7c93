import path from 'node:path';
import {
  type Activity,
  activityFileName,
  maxActivityBytes,
  parseActivityFile,
} from '../../agents/index.ts';
import {redact} from '../../secrets/index.ts';
import {
  isLoopKnown,
  isLoopOverLimit,
  isUsageWorthRecording,
  type Observation,
  selectLiveSessions,
  type Session,
  type SessionId,
} from '../../domain/index.ts';
import type {Conductor} from '../engine/conductor.ts';
import {pauseFor} from '../engine/pacing.ts';
import type {
  DaemonClock,
  DaemonDirectory,
  SecretValues,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';
import {tryReadText} from '../../files/index.ts';
import {getExchange} from '../launch/exchange.ts';

/** As often as agents write their activity file. */
const checkEveryMs = 500;

/** Retries after the first are reported at most this often. */
const retryEveryMs = 5000;

type LastReports = {usageAt: number; retryAt: number};

/** Reports the token usage of working agents, failures of their services, and loops. */
export async function watchActivity(
  context: StateReader & SessionFiles & DaemonDirectory & SecretValues & DaemonClock,
  conductor: Pick<Conductor, 'submit'>,
  signal: AbortSignal,
  everyMs = checkEveryMs,
): Promise<void> {
  const lastReports = new Map<SessionId, LastReports>();
  while (!signal.aborted) {
    const agents = selectLiveSessions(context.state()).filter(
      ({purpose, life}) =>
        life.at === 'running' && (purpose.for === 'attempt' || purpose.for === 'plan'),
    );
    for (const id of lastReports.keys())
      if (!agents.some((session) => session.id === id)) lastReports.delete(id);
    for (const session of agents) {
      const activity = readActivity(context, session.id);
      const last = lastReports.get(session.id) ?? {usageAt: context.now(), retryAt: 0};
      lastReports.set(session.id, last);
      if (activity === undefined) continue;
      for (const saw of newsIn(context, session, activity, last)) {
        if (saw.type === 'usage-counted') last.usageAt = context.now();
        if (saw.type === 'retry-noticed') last.retryAt = context.now();
        // Ignored on a full disk: the next check reports it again.
        await conductor.submit({type: 'report', at: context.now(), saw}).catch(() => undefined);
      }
    }

    await pauseFor(everyMs, signal);
  }
}

function newsIn(
  context: StateReader & SecretValues & DaemonClock,
  session: Session,
  {usage, retry, loops}: Activity,
  {usageAt, retryAt}: LastReports,
): Observation[] {
  const {state, now} = context;
  const {id} = session;
  const secrets = context.secrets();
  const {limits} = state().project;
  const signs = loops.filter(
    (sign) => !isLoopKnown(session, sign) && isLoopOverLimit(limits, sign),
  );
  return [
    ...(usage !== undefined && isUsageWorthRecording(state(), session, usage, now() - usageAt)
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

/**
 * The agent's activity file in its exchange directory. The agent can write there, so it is trusted
 * no more than its outcome.
 */
export function readActivity(
  context: SessionFiles & DaemonDirectory,
  id: SessionId,
): Activity | undefined {
  const {directory, below} = getExchange(context, id);
  const text = tryReadText(path.join(directory, activityFileName), {
    maxBytes: maxActivityBytes,
    below,
  });
  return text === undefined ? undefined : parseActivityFile(text);
}
