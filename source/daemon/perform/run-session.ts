import {minuteOf} from '../../base/index.ts';
import {limitsOf} from '../../documents/index.ts';
import {sessionOf, type SessionId} from '../../domain/index.ts';
import type {KeeperLink} from '../../keeper/index.ts';
import {stopTree} from '../../machine/index.ts';
import type {KeeperReply} from '../../protocol/index.ts';
import type {Perform} from '../conductor.ts';
import {ensureKeeper} from '../ensure-keeper.ts';
import {forgetEnvironment, forgetSecrets} from '../forget-secrets.ts';
import {isKeeperAlive, meetKeeper} from '../meet-keeper.ts';
import {sweepConfinements} from '../launch/sweep-confinements.ts';
import {pauseFor} from '../pause-for.ts';
import {releaseKeeper} from '../release-keeper.ts';
import {reportRefusals} from '../report-refusals.ts';
import {rootsOf} from '../session-report.ts';
import type {Workshop} from '../workshop.ts';
import {askPrompt} from './ask-prompt.ts';
import {baselineResult} from './baseline.ts';
import {resultOf} from './read-check.ts';
import {reportLostConversation} from './report-lost-conversation.ts';
import {reportRemains} from './report-remains.ts';

/**
 * How long until a keeper that lives but is not to be reached is tried again; and how long the work of a run is kept waiting for one. Nobody sees
 * its program meanwhile, so that no limit of time reaches it either.
 */
const againMs = 500;
const mostUnreachedMs = 5 * 60_000;

/**
 * Start in two phases: the keeper is there, the journal knows it, only then the program runs. What is there already is
 * taken as it is, so that this can begin again after a crash at any point.
 */
export function runSession(workshop: Workshop): Perform {
  return async (effect, report, signal) => {
    if (effect.do !== 'run-session') return;
    const {session: id} = effect;
    const lifeOf = (): string | undefined => sessionOf(workshop.state(), id)?.life.at;
    if (lifeOf() === 'asked') {
      await ensureKeeper(workshop, id, signal);
      await report({type: 'session-created', session: id}, false);
    }

    const go = async (link: KeeperLink): Promise<void> => {
      if (lifeOf() === 'created') {
        await link.ask({type: 'go'});
        await report({type: 'session-running', session: id}, false);
        forgetEnvironment(workshop, id);
      }

      await askPrompt(workshop, id, report);
    };

    const late = watchTheClock(workshop, id, report, signal);
    try {
      await stay(workshop, id, go, report, {
        signal,
        mostUnreachedMs: effect.run === undefined ? Number.POSITIVE_INFINITY : mostUnreachedMs,
      });
    } finally {
      late.abort();
    }
  };
}

/** Until the program has ended, or its keeper is gone. */
async function stay(
  workshop: Workshop,
  id: SessionId,
  go: (link: KeeperLink) => Promise<void>,
  report: Parameters<Perform>[1],
  {signal, mostUnreachedMs: most}: Patience,
): Promise<void> {
  let reachedAt = performance.now();
  const reach = (link: KeeperLink): Promise<void> => {
    reachedAt = Number.POSITIVE_INFINITY;
    return go(link);
  };

  for (;;) {
    const link = await stayWith(workshop, id, reach, signal);
    if (signal.aborted) return;
    if (workshop.store.exitOf(id) !== undefined || !(await isKeeperAlive(workshop, id))) {
      await reportEnd(workshop, id, report);
      // Its end is in the journal: nobody needs the keeper any more.
      await releaseKeeper(workshop, id, link);
      return;
    }

    // The conversation that broke was a sign of life.
    if (reachedAt === Number.POSITIVE_INFINITY) reachedAt = performance.now();
    if (performance.now() - reachedAt > most)
      throw new Error(
        `expected the keeper of ${id} to answer, but it lives and has not been reached for ${Math.round(most / 60_000)} minutes. It may be stopped or frozen; "orchestra explain ${id}" shows its processes. Then go on.`,
      );
    await pauseFor(againMs, signal);
  }
}

type Patience = {readonly signal: AbortSignal; readonly mostUnreachedMs: number};

/** A check that takes too long is red, and its process is then no longer wanted. */
function watchTheClock(
  workshop: Workshop,
  id: SessionId,
  report: Parameters<Perform>[1],
  signal: AbortSignal,
): AbortController {
  const over = new AbortController();
  const session = sessionOf(workshop.state(), id);
  if (session?.purpose.for !== 'check' && session?.purpose.for !== 'baseline') return over;
  const {purpose} = session;
  const wait = async (): Promise<void> => {
    const limit = limitsOf(workshop.state().project).checkMinutes * minuteOf(workshop.env);
    const since = session.life.at === 'running' ? session.life.since : workshop.now();
    await pauseFor(
      Math.max(0, since + limit - workshop.now()),
      AbortSignal.any([over.signal, signal]),
    );
    if (over.signal.aborted || signal.aborted) return;
    if (purpose.for === 'baseline') {
      await report(await baselineResult(workshop, purpose.run, id, 'timed-out'));
      return;
    }

    const {task, check, on} = purpose;
    const {attempt, result} = await resultOf(workshop, {task, on, check, session: id}, 'timed-out');
    await report({type: 'check-finished', task, attempt, on, result});
  };
  wait().catch((error: unknown) => {
    workshop.log(`${id}: ${error instanceof Error ? error.message : String(error)}`);
  });
  return over;
}

/** Talks to the keeper until the program ends; the conversation then goes on. One that breaks is no proof of anything. */
async function stayWith(
  workshop: Workshop,
  id: SessionId,
  go: (link: KeeperLink) => Promise<void>,
  signal: AbortSignal,
): Promise<KeeperLink | undefined> {
  const exit = Promise.withResolvers<boolean>();
  const news = (reply: KeeperReply): void => {
    if (reply.type === 'exit') exit.resolve(true);
  };
  const link = await meetKeeper(workshop, id, news).catch(() => undefined);
  if (link === undefined) return undefined;
  const leave = (): void => {
    link.close();
  };
  signal.addEventListener('abort', leave);
  try {
    if (signal.aborted) leave();
    await go(link);
    const hasExited =
      link.welcome.exit !== undefined ||
      (await Promise.race([exit.promise, link.ended.then(() => false)]));
    if (hasExited) return link;
    leave();
    return undefined;
  } catch (error) {
    leave();
    if (signal.aborted || (await isKeeperAlive(workshop, id))) throw error;
    return undefined;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/**
 * Says how the session ended: by its record, or, when the keeper died without one, that it is lost. Then what is left of it is ended too: it has no
 * terminal any more. Of what was stopped, as of what a signal ended, nobody reads the outcome: what it left is told here.
 */
export async function reportEnd(
  workshop: Workshop,
  session: SessionId,
  report: Parameters<Perform>[1],
  isStopped = false,
): Promise<void> {
  await reportRefusals(workshop, session, (saw) => report(saw, false));
  const exit = workshop.store.exitOf(session);
  if (exit !== undefined) {
    if (isStopped || exit.signal !== null) await reportRemains(workshop, session, report);
    else if (exit.code !== 0) await reportLostConversation(workshop, session, report);
    await report({type: 'session-exited', session, code: exit.code, signal: exit.signal}, false);
    tidyAfter(workshop, session);
    return;
  }

  const left = await sweep(workshop, session);
  await reportRemains(workshop, session, report);
  await report(
    {
      type: 'session-lost',
      session,
      why: `its keeper is gone and left no exit status${left === 0 ? '' : `; ${left} processes that it left were ended`}`,
    },
    false,
  );
  tidyAfter(workshop, session);
}

/** Nobody needs its secrets any more, nor what it wrote into caches of its own. */
function tidyAfter(workshop: Workshop, session: SessionId): void {
  forgetSecrets(workshop, session);
  sweepConfinements(workshop);
}

async function sweep(workshop: Workshop, id: SessionId): Promise<number> {
  const session = sessionOf(workshop.state(), id);
  const [root] = session === undefined ? [] : rootsOf(workshop, [session]);
  if (root === undefined) return 0;
  const stopped = await stopTree(root, workshop.kernel, {
    directory: workshop.store.directoryOf(id),
  });
  return 'unknown' in stopped
    ? 0
    : new Set(
        stopped.value.signals
          .filter(({outcome}) => outcome.at === 'signalled')
          .map(({identity}) => identity.pid),
      ).size;
}
