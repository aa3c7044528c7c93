import {existsSync, statSync} from 'node:fs';
import {runIdOfSession, selectRun, selectSession, type SessionId} from '../../domain/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {forgetEnvironment, forgetSecrets, getExchange, writePrompt} from '../launch/exchange.ts';
import type {
  DaemonClock,
  DaemonDirectory,
  DaemonLog,
  KernelAccess,
  LaunchContext,
  RepositoryAccess,
  RunVariables,
  SecretValues,
  SessionFiles,
  SessionVariables,
  StateReader,
  UserAccount,
} from '../daemon-context.ts';
import {errorText, getMinuteMs} from '../../shared/index.ts';
import {getLimits} from '../../project-config/index.ts';
import type {KeeperLink} from '../../keeper/index.ts';
import {stopTree} from '../../system/index.ts';
import type {KeeperReply} from '../../protocol/index.ts';
import {ensureKeeper} from '../sessions/start-keeper.ts';
import {connectToKeeper, isKeeperAlive, releaseKeeper} from '../sessions/keeper-link.ts';
import {AgentMissingError} from '../launch/agent-launch.ts';
import {selectFallbacksHere} from '../launch/agents-here.ts';
import {sweepConfinements} from '../launch/caches.ts';
import {pauseFor} from '../engine/pacing.ts';
import {reportRefusals} from '../launch/network-launch.ts';
import {selectRoots} from '../sessions/session-report.ts';
import {baselineResult} from './baseline.ts';
import {readCheckResult} from './read-check.ts';
import {reportLostConversation, reportRemains} from './read-outcome.ts';

type SupervisorContext = StateReader &
  SessionFiles &
  DaemonDirectory &
  Pick<SessionVariables, 'releaseEnvironment'> &
  KernelAccess &
  DaemonLog &
  Pick<RunVariables, 'env'> &
  Pick<UserAccount, 'home'>;

/**
 * Requests typing the prompt, for an agent that gets it that way. Once: after a crash the journal
 * has the request, or nothing was typed.
 */
export async function askPrompt(
  context: StateReader & SessionFiles & DaemonDirectory,
  id: SessionId,
  report: Parameters<EffectHandler>[1],
): Promise<void> {
  const session = selectSession(context.state(), id);
  if (session?.life.at !== 'running' || session.inputs.some(({prompt}) => prompt !== undefined))
    return;
  const exchange = getExchange(context, id);
  const own = session.purpose.for === 'person' ? session.purpose.prompt : undefined;
  if (own !== undefined) writePrompt(exchange, own);
  else if (!existsSync(exchange.typed)) return;
  // Empty if an older release started it.
  const isTyped = own === undefined && statSync(exchange.typed).size > 0;
  await report({
    type: 'input-asked',
    session: id,
    input: session.inputs.length + 1,
    text: own === undefined ? 'the prompt' : own.slice(0, maxShownCharacters),
    prompt: isTyped ? exchange.typed : exchange.prompt,
  });
}

/** For display; the file has the whole prompt. */
const maxShownCharacters = 200;

/**
 * The retry interval for a keeper that runs but does not answer, and how long a run waits for one.
 * No other time limit applies meanwhile.
 */
const retryMs = 500;
const maxUnreachedMs = 5 * 60_000;

/**
 * Starts a session in two phases: the keeper runs and is journaled, only then the program is
 * started. Whatever already exists is adopted, so that this can be repeated after a crash at any
 * point.
 */
export function runSession(context: LaunchContext): EffectHandler {
  return async (effect, report, signal) => {
    if (effect.do !== 'run-session') return;
    const {session: id} = effect;
    const getLife = (): string | undefined => selectSession(context.state(), id)?.life.at;
    if (getLife() === 'asked') {
      if (!(await prepareKeeper(context, id, report, signal))) return;
      await report({type: 'session-created', session: id}, false);
    }

    const go = async (link: KeeperLink): Promise<void> => {
      if (getLife() === 'created') {
        await link.ask({type: 'go'});
        await report({type: 'session-running', session: id}, false);
        forgetEnvironment(context, id);
      }

      await askPrompt(context, id, report);
    };

    const timeout = startTimeout(context, id, report, signal);
    try {
      await superviseSession(context, id, go, report, {
        signal,
        maxUnreachedMs: effect.run === undefined ? Number.POSITIVE_INFINITY : maxUnreachedMs,
      });
    } finally {
      timeout.abort();
    }
  };
}

/**
 * Makes sure that the session has a keeper. False if its agent cannot be started, and the project
 * names another one for that case.
 */
async function prepareKeeper(
  context: LaunchContext,
  id: SessionId,
  report: Parameters<EffectHandler>[1],
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await ensureKeeper(context, id, signal);
    return true;
  } catch (error) {
    const session = selectSession(context.state(), id);
    const run = session?.purpose.for === 'attempt' ? runIdOfSession(session) : undefined;
    const owner = run === undefined ? undefined : selectRun(context.state(), run);
    const fallbacks = owner === undefined ? {} : selectFallbacksHere(context, owner);
    if (!(error instanceof AgentMissingError) || (fallbacks.installed ?? []).length === 0)
      throw error;
    await report({type: 'agent-unavailable', words: error.message, ...fallbacks});
    return false;
  }
}

/** Follows the session until its program has ended or its keeper is gone. */
async function superviseSession(
  context: SupervisorContext,
  id: SessionId,
  go: (link: KeeperLink) => Promise<void>,
  report: Parameters<EffectHandler>[1],
  {signal, maxUnreachedMs: max}: SuperviseOptions,
): Promise<void> {
  let reachedAt = performance.now();
  const reach = (link: KeeperLink): Promise<void> => {
    reachedAt = Number.POSITIVE_INFINITY;
    return go(link);
  };

  for (;;) {
    const link = await superviseConnection(context, id, reach, signal);
    if (signal.aborted) return;
    if (context.store.exitOf(id) !== undefined || !(await isKeeperAlive(context, id))) {
      await reportEnd(context, id, report);
      // The end is journaled, so the keeper is no longer needed.
      await releaseKeeper(context, id, link);
      return;
    }

    // The keeper answered until this connection broke.
    if (reachedAt === Number.POSITIVE_INFINITY) reachedAt = performance.now();
    if (performance.now() - reachedAt > max)
      throw new Error(
        `expected the keeper of ${id} to answer, but it runs and has not answered for ` +
          `${Math.round(max / 60_000)} minutes. It may be stopped or frozen; "orchestra ` +
          `explain ${id}" shows its processes. Then resume.`,
      );
    await pauseFor(retryMs, signal);
  }
}

type SuperviseOptions = {readonly signal: AbortSignal; readonly maxUnreachedMs: number};

/** Reports a check that takes too long as failed; its session is then no longer wanted. */
function startTimeout(
  context: StateReader &
    SessionFiles &
    RepositoryAccess &
    DaemonDirectory &
    RunVariables &
    SecretValues &
    DaemonClock &
    KernelAccess &
    DaemonLog,
  id: SessionId,
  report: Parameters<EffectHandler>[1],
  signal: AbortSignal,
): AbortController {
  const over = new AbortController();
  const session = selectSession(context.state(), id);
  if (session?.purpose.for !== 'check' && session?.purpose.for !== 'baseline') return over;
  const {purpose} = session;
  const wait = async (): Promise<void> => {
    const limit = getLimits(context.state().project).checkMinutes * getMinuteMs(context.env);
    const since = session.life.at === 'running' ? session.life.since : context.now();
    await pauseFor(
      Math.max(0, since + limit - context.now()),
      AbortSignal.any([over.signal, signal]),
    );
    if (over.signal.aborted || signal.aborted) return;
    if (purpose.for === 'baseline') {
      await report(await baselineResult(context, purpose.run, id, 'timed-out'));
      return;
    }

    const {task, check, on} = purpose;
    const {attempt, result} = await readCheckResult(
      context,
      {task, on, check, session: id},
      'timed-out',
    );
    await report({type: 'check-finished', task, attempt, on, result});
  };
  wait().catch((error: unknown) => {
    context.log(`${id}: ${errorText(error)}`);
  });
  return over;
}

/**
 * Stays connected to the keeper until the program ends, and returns the open connection. A broken
 * connection proves nothing.
 */
async function superviseConnection(
  context: SessionFiles & Pick<KernelAccess, 'kernel'>,
  id: SessionId,
  go: (link: KeeperLink) => Promise<void>,
  signal: AbortSignal,
): Promise<KeeperLink | undefined> {
  const exit = Promise.withResolvers<boolean>();
  const news = (reply: KeeperReply): void => {
    if (reply.type === 'exit') exit.resolve(true);
  };
  const link = await connectToKeeper(context, id, news).catch(() => undefined);
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
    if (signal.aborted || (await isKeeperAlive(context, id))) throw error;
    return undefined;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/**
 * Reports the end of a session from its exit record. If the keeper died without one, the session is
 * lost and its processes are ended, since they have no terminal. A stopped or killed agent has no
 * `read-outcome`, so its usage and conversation are reported here.
 */
export async function reportEnd(
  context: SupervisorContext,
  session: SessionId,
  report: Parameters<EffectHandler>[1],
  isStopped = false,
): Promise<void> {
  await reportRefusals(context, session, (saw) => report(saw, false));
  const exit = context.store.exitOf(session);
  if (exit !== undefined) {
    if (isStopped || exit.signal !== null) await reportRemains(context, session, report);
    else if (exit.code !== 0) await reportLostConversation(context, session, report);
    await report({type: 'session-exited', session, code: exit.code, signal: exit.signal}, false);
    cleanUp(context, session);
    return;
  }

  const left = await endProcesses(context, session);
  await reportRemains(context, session, report);
  await report(
    {
      type: 'session-lost',
      session,
      why:
        'its keeper is gone and left no exit ' +
        `status${left === 0 ? '' : `; ${left} processes that it left were ended`}`,
    },
    false,
  );
  cleanUp(context, session);
}

/** Deletes the session's secrets and its private caches. */
function cleanUp(
  context: StateReader &
    SessionFiles &
    DaemonDirectory &
    Pick<SessionVariables, 'releaseEnvironment'> &
    DaemonLog,
  session: SessionId,
): void {
  forgetSecrets(context, session);
  sweepConfinements(context);
}

async function endProcesses(
  context: StateReader & SessionFiles & Pick<KernelAccess, 'kernel'>,
  id: SessionId,
): Promise<number> {
  const session = selectSession(context.state(), id);
  const [root] = session === undefined ? [] : selectRoots(context, [session]);
  if (root === undefined) return 0;
  const stopped = await stopTree(root, context.kernel, {
    directory: context.store.directoryOf(id),
  });
  return 'unknown' in stopped
    ? 0
    : new Set(
        stopped.value.signals
          .filter(({outcome}) => outcome.at === 'signalled')
          .map(({identity}) => identity.pid),
      ).size;
}
