import {minuteOf} from '../base/index.ts';
import {limitsOf} from '../documents/index.ts';
import {
  isLoopKnown,
  liveSessionsOf,
  loopLimitOf,
  openQuestionOf,
  waitedFor,
  type Observation,
  type Session,
  type SessionId,
} from '../domain/index.ts';
import {lookAtAgent, type Look} from './agent-progress.ts';
import type {Conductor} from './conductor.ts';
import {pauseFor} from './pause-for.ts';
import type {Workshop} from './workshop.ts';

const lookEveryMs = 20_000;

/** An agent that makes no progress for too long is stopped: it would cost money for ever. One that works for long and changes nothing is told of. */
export async function watchProgress(
  workshop: Workshop,
  conductor: Pick<Conductor, 'submit'>,
  signal: AbortSignal,
  everyMs = lookEveryMs,
): Promise<void> {
  const looks = new Map<SessionId, Look>();
  while (!signal.aborted) {
    const {project} = workshop.state();
    const minute = minuteOf(workshop.env);
    const limit = limitsOf(project).noProgressMinutes * minute;
    const unchanged = loopLimitOf(project.limits, 'unchanged');
    const agents = liveSessionsOf(workshop.state()).filter(
      ({purpose, life}) =>
        life.at === 'running' && (purpose.for === 'attempt' || purpose.for === 'plan'),
    );
    for (const id of looks.keys())
      if (!agents.some((session) => session.id === id)) looks.delete(id);
    for (const session of agents) {
      const look = await lookAtAgent(workshop, session, looks.get(session.id));
      // Whoever waits for a person is a need, not a stall.
      const isWaiting = session.waiting !== undefined || openQuestionOf(session) !== undefined;
      looks.set(session.id, isWaiting ? {...look, since: look.at} : look);
      if (isWaiting) continue;
      const silentFor = look.at - look.since;
      const news: Observation[] = [
        ...(silentFor >= limit
          ? [{type: 'no-progress' as const, session: session.id, silentFor, limit}]
          : []),
        ...(unchanged === undefined ? [] : unchangedFor(session, look, {limit: unchanged, minute})),
      ];
      for (const saw of news)
        await conductor.submit({type: 'report', at: look.at, saw}).catch(() => undefined);
    }

    await pauseFor(
      Math.min(
        everyMs,
        Math.max(1000, Math.min(limit, (unchanged ?? Number.POSITIVE_INFINITY) * minute) / 4),
      ),
      signal,
    );
  }
}

/** What a planner leaves unchanged is as it should be; of a tree that was not looked through nobody can say it. */
function unchangedFor(
  session: Session,
  {at, changed}: Look,
  {limit, minute}: {readonly limit: number; readonly minute: number},
): Observation[] {
  if (session.purpose.for !== 'attempt' || session.life.at !== 'running' || changed?.isCut === true)
    return [];
  const isItsOwn = changed !== undefined && changed.at > session.life.since;
  const since = Math.round(isItsOwn ? changed.at : session.life.since);
  const minutes = Math.floor((at - since - waitedFor(session, at)) / minute);
  const key = String(since);
  if (minutes < limit || isLoopKnown(session, {kind: 'unchanged', key})) return [];
  return [
    {
      type: 'loop-found',
      session: session.id,
      kind: 'unchanged',
      key,
      evidence: isItsOwn ? `the last change was in ${changed.file}` : '',
      times: minutes,
      since,
    },
  ];
}
