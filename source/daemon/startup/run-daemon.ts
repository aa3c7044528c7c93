import path from 'node:path';
import {randomBytes} from 'node:crypto';
import {rmSync} from 'node:fs';
import {
  emptyState,
  type Event,
  evolve,
  isKnownEvent,
  selectLiveSessions,
  type State,
  toEvent,
} from '../../domain/index.ts';
import {type Journal, type JournalOptions, openJournal} from '../../journal/index.ts';
import {getKernel, trustedPath} from '../../system/index.ts';
import {ensurePrivateDirectory, preferencesDirectory} from '../../config/index.ts';
import {type Conductor, createConductor} from '../engine/conductor.ts';
import {createFailpoints} from '../engine/failpoints.ts';
import {pauseFor} from '../engine/pacing.ts';
import {createEffectHandler} from '../effects/effect-handler.ts';
import {hookEnvironment} from '../launch/environment.ts';
import {endInterrupted} from '../launch/run-confined.ts';
import {createHookNotifier} from '../monitors/hooks.ts';
import {notifyPerson} from '../monitors/notify-person.ts';
import {startMonitors} from '../monitors/start-monitors.ts';
import {projectFingerprint} from '../monitors/watch-project.ts';
import type {DaemonClock, DaemonContext} from '../daemon-context.ts';
import {type ContextOptions, createContext, mayFree} from './create-context.ts';
import {leaveSession} from './leave-session.ts';
import {isAnswering, waitForLock} from './lock.ts';
import {type NotedStart, noteStart} from './note-start.ts';
import {hideWorktrees, recordPlace, recordStartup} from './record-startup.ts';
import {type Servers, startServers, toAgentsSocket} from './sockets.ts';
import {dropTrials} from './try-sandbox.ts';

export type DaemonOptions = ContextOptions & {
  /** The lock name of older daemons; see lock.ts. */
  readonly formerLock: string;
  readonly build: string;
  /** The daemon exits after so long with nothing to keep and no client. */
  readonly idleMs: number;
};

/**
 * Events that are held in memory for clients that reconnect; older ones are read from the journal.
 */
const maxPast = 10_000;

/** How long effects and monitors may take to stop, and how long the process may then live. */
const closeMs = 1500;

/** Sent with the good-bye: how long clients wait before they connect again. */
const reconnectMs = 200;

/**
 * Runs until it is stopped or has nothing left to keep. `already`: another daemon serves this
 * repository. `moved`: another one was started in its place.
 */
export async function runDaemon(options: DaemonOptions): Promise<'already' | 'moved' | 'ended'> {
  if (leaveSession(options.env)) return 'moved';
  const {stateDirectory, runtimeDirectory, socket, uid} = options;
  ensurePrivateDirectory(stateDirectory, uid);
  ensurePrivateDirectory(runtimeDirectory, uid);
  // Never replaced while sessions run: agents in a sandbox see this very directory.
  ensurePrivateDirectory(path.dirname(toAgentsSocket(socket)), uid);
  const lock = await waitForLock({
    ...options,
    kernel: getKernel({
      path: trustedPath({path: options.env['PATH'] ?? '', outside: options.root}),
      now: options.now,
    }),
  });
  // A daemon that is just stopping may still answer after it released the lock.
  if (lock === undefined || (await isAnswering(socket))) return 'already';
  dropTrials(stateDirectory);
  const noted = noteStart(stateDirectory, {pid: process.pid, at: options.now()}, options.log);
  try {
    await runUntilStopped(options, noted);
  } finally {
    rmSync(socket, {force: true});
    rmSync(toAgentsSocket(socket), {force: true});
    await lock.release();
  }

  return 'ended';
}

async function runUntilStopped(options: DaemonOptions, noted: NotedStart): Promise<void> {
  const {root, build, socket, idleMs, log} = options;
  const stopped = Promise.withResolvers<undefined>();
  const stop = (): void => {
    stopped.resolve(undefined);
  };
  const closing = new AbortController();
  const {signal} = closing;

  // The journal, the conductor and the servers refer to each other; none of these callbacks runs
  // before all are there.
  const {journal, state} = await replayJournal(options, (notice) => {
    log(`journal: ${notice.kind}${'reason' in notice ? `: ${notice.reason}` : ''}`);
    if (notice.kind === 'degraded' && notice.entry !== undefined) conductor.take(notice.entry);
    if (notice.kind === 'read-only') conductor.reconcile();
    servers.clients.notify(conductor.state().seq, {type: 'journal', ...journal.status()});
  });
  const name = state.journal ?? randomBytes(6).toString('hex');
  const {context, saveRequest, sweepEnvironments} = createContext(options, {
    before: state,
    state: () => conductor.state(),
    journal: name,
  });
  for (const {id} of selectLiveSessions(state)) context.store.removeHalfNotes(id);
  const notifyHooks = createNotifier(context, state, () => servers.clients.followers() > 0);
  const past = {before: state.seq, events: [] as Event[]};
  const conductor: Conductor = startConductor(context, {journal, state}, (seq, event) => {
    notifyHooks(event, conductor.state());
    if (mayFree(event)) sweepEnvironments();
    past.events.push(event);
    if (past.events.length > maxPast) past.before += past.events.splice(0, maxPast / 2).length;
    servers.clients.notify(seq, {type: 'fact', seq, event});
  });
  const servers: Servers = await startServers({
    context,
    conductor,
    journal,
    build,
    socket,
    past,
    saveRequest,
    stop,
    signal,
  });

  recordPlace(options);
  hideWorktrees(options);
  const fingerprint = projectFingerprint(root);
  const record = (): Promise<void> => recordStartup(conductor, journal, options, name);
  await record();
  await context.origins();
  // Only now: every client that connects is answered at once.
  await servers.listen();
  await endInterrupted(context);
  conductor.begin();
  sweepEnvironments();
  const monitors = startMonitors({
    context,
    conductor,
    journal,
    clients: servers.clients,
    projectFingerprint: fingerprint,
    idleMs,
    onDiskRecovered: record,
    onIdle: stop,
    signal,
  });
  handleSignals(stop);
  log(
    `ready: ${conductor.state().seq} events, ${selectLiveSessions(conductor.state()).length} live sessions`,
  );

  await stopped.promise;
  noted.settle();
  closing.abort();
  await settleWithin(closeMs, [...monitors, conductor.close()]);
  await close(context, {conductor, journal, servers});
}

async function replayJournal(
  {stateDirectory, bootId, now}: ContextOptions,
  report: JournalOptions['report'],
): Promise<{readonly journal: Journal; readonly state: State}> {
  let state: State = emptyState;
  const journal = await openJournal({
    directory: stateDirectory,
    boot: bootId,
    knows: isKnownEvent,
    clock: {wall: now, mono: () => process.hrtime.bigint()},
    replay: (entry) => {
      state = evolve(state, toEvent(entry));
    },
    report,
  });
  return {journal, state};
}

/** Notifies hooks and the person about each event since this daemon started. */
function createNotifier(
  context: DaemonContext,
  before: State,
  isWatched: () => boolean,
): (event: Event, state: State) => void {
  const {root, env, home, hookMark, log} = context;
  const startedAt = context.now();
  const notifying = {
    root,
    env,
    hookMark,
    platform: process.platform,
    preferences: preferencesDirectory({homedir: home}, env),
    isWatched,
    log,
  };
  return createHookNotifier({
    root,
    envOf: (run) => hookEnvironment(context, run),
    hookMark,
    log,
    isOld: (event) => event.at < startedAt,
    before,
    notify: (need, known) => void notifyPerson(need, known, notifying),
  });
}

function startConductor(
  context: DaemonContext,
  {journal, state}: {readonly journal: Journal; readonly state: State},
  onEvents: (seq: number, event: Event) => void,
): Conductor {
  const {env, now, log} = context;
  const kill = (): void => {
    process.kill(process.pid, 'SIGKILL');
  };
  return createConductor({
    state,
    journal,
    now,
    perform: createEffectHandler(context),
    hitFailpoint: createFailpoints(env['ORCHESTRA_FAILPOINTS'], kill, log),
    onEvents,
    pause: (failures, signal) => pauseFor(Math.min(30_000, 250 * 2 ** failures), signal),
  });
}

/** Only SIGTERM stops the daemon: a terminal that closes, Ctrl-C and a broken pipe must not. */
function handleSignals(stop: () => void): void {
  process.once('SIGTERM', stop);
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGPIPE'] as const)
    process.on(signal, () => undefined);
}

/**
 * Gives up on what hangs, for example on a keeper that does not answer: the next daemon continues
 * with it.
 */
async function settleWithin(ms: number, promises: readonly Promise<void>[]): Promise<void> {
  const settled = new AbortController();
  await Promise.race([Promise.allSettled(promises), pauseFor(ms, settled.signal)]);
  settled.abort();
}

async function close(
  {now}: DaemonClock,
  {
    conductor,
    journal,
    servers,
  }: {readonly conductor: Conductor; readonly journal: Journal; readonly servers: Servers},
): Promise<void> {
  if (journal.status().mode === 'writing')
    await conductor
      .submit({type: 'report', at: now(), saw: {type: 'daemon-stopping'}})
      .catch(() => undefined);
  await servers.close(reconnectMs);
  await journal.close();
  setTimeout(() => process.exit(0), closeMs).unref();
}
