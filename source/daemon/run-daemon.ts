import {randomBytes} from 'node:crypto';
import {chmodSync, rmSync} from 'node:fs';
import type {Server} from 'node:net';
import path from 'node:path';
import {entriesOf} from '../base/index.ts';
import {
  emptyState,
  eventOf,
  evolve,
  isKnownEvent,
  liveSessionsOf,
  openRunsOf,
  type Event,
  type SessionId,
  type State,
} from '../domain/index.ts';
import {secretsOf} from '../documents/index.ts';
import {tryReadText, writeWhole} from '../files/index.ts';
import {describeEnding, openJournal, type Journal} from '../journal/index.ts';
import {findProgram, kernelOf, trustedPath} from '../machine/index.ts';
import {ensurePrivateDirectory, preferencesDirectory, recordRepository} from '../settings/index.ts';
import {narrowWorktrees, openWorkspace, worktreesBeside} from '../workspace/index.ts';
import {createAnswers} from './answers.ts';
import {createCodes} from './create-codes.ts';
import {createConductor, type Conductor} from './conductor.ts';
import {eventsOfRun} from './events-of-run.ts';
import {createFailpoints} from './failpoints.ts';
import {forgetOld} from './forget-secrets.ts';
import {createGuards} from './guards.ts';
import {isSameToken} from './is-same-token.ts';
import {endInterrupted} from './launch/run-confined.ts';
import {hookEnvironment} from './launch/run-environment.ts';
import {toolWaitMs} from './launch/tools-grant.ts';
import {leaveSession} from './leave-session.ts';
import {noteOrigins} from './note-origins.ts';
import {noteStart, type NotedStart} from './note-start.ts';
import {pauseFor} from './pause-for.ts';
import {performers} from './perform/performers.ts';
import {releaseForgotten} from './release-keeper.ts';
import {makeServer, serve, type Serving} from './serve.ts';
import {createRunEnvironments} from './run-environments.ts';
import {createSessionRequests} from './session-requests.ts';
import {createServiceEnvironments} from './service-environments.ts';
import {createSessionStore} from './session-store.ts';
import {createToolAnswers} from './tools/create-tool-answers.ts';
import {dropTrials, trySandbox} from './try-sandbox.ts';
import {notifyPerson} from './notify-person.ts';
import {createHookTeller} from './tell-hooks.ts';
import {answers, waitForLock} from './wait-for-lock.ts';
import {watchActivity} from './watch-activity.ts';
import {watchProgress} from './watch-progress.ts';
import {furnishIdle} from './perform/furnish.ts';
import {isUnreadable, projectPrint, readProjectFile, watchProject} from './watch-project.ts';
import {watchSessions} from './watch-sessions.ts';
import {watchTerminals} from './watch-terminals.ts';
import type {Workshop} from './workshop.ts';

export type DaemonOptions = {
  readonly root: string;
  /** Of this repository alone. */
  readonly stateDirectory: string;
  readonly runtimeDirectory: string;
  readonly socket: string;
  /** The name that older daemons take as their lock; see wait-for-lock.ts. */
  readonly formerLock: string;
  readonly build: string;
  readonly uid: number;
  readonly env: Readonly<Record<string, string>>;
  readonly keeperProgram: readonly string[];
  /** How the supervisor of a restricted network is started. */
  readonly networkProgram: readonly string[];
  /** This very program. */
  readonly ownProgram: readonly string[];
  /** Git's own directory that all worktrees share. */
  readonly commonDirectory: string;
  readonly home: string;
  /** Ends by itself after so long with nothing to keep and nobody connected. */
  readonly idleMs: number;
  readonly bootId: string;
  readonly now: () => number;
  readonly log: (line: string) => void;
};

/** Events that are held for clients who come back; older ones are in the journal. */
const mostPast = 10_000;

/** Conversations that one agent's session may have at once with its tools. */
const mostOfSession = 8;

/** How long the sandbox may take to be tried, effects to stop, and how often a full disk is looked at. */
const limits = {sandboxMs: 5000, closeMs: 1500, diskMs: 1000};

/** After these nobody may need the environment of a run or of a service any more. */
const mayFree: ReadonlySet<Event['type']> = new Set<Event['type']>([
  'run-accepted',
  'run-discarded',
  'environment-refreshed',
  'summary-written',
  'worktree-removed',
  'session-exited',
  'session-lost',
  'service-stopped',
]);

/** Lives until it is stopped, or until nothing is left to keep. `already` when another one serves this repository; `moved` when one was started in its place. */
export async function runDaemon(options: DaemonOptions): Promise<'already' | 'moved' | 'ended'> {
  if (leaveSession(options.env)) return 'moved';
  const {stateDirectory, runtimeDirectory, socket, uid} = options;
  ensurePrivateDirectory(stateDirectory, uid);
  ensurePrivateDirectory(runtimeDirectory, uid);
  // It stays the same one: agents in a sandbox see this very directory.
  ensurePrivateDirectory(path.dirname(agentsSocketOf(socket)), uid);
  const lock = await waitForLock({
    ...options,
    kernel: kernelOf({
      path: trustedPath({path: options.env['PATH'] ?? '', outside: options.root}),
      now: options.now,
    }),
  });
  // Even with the lock in hand, one that is just ending may still answer.
  if (lock === undefined || (await answers(socket))) return 'already';
  dropTrials(stateDirectory);
  const noted = noteStart(stateDirectory, {pid: process.pid, at: options.now()}, options.log);
  try {
    await live(options, noted);
  } finally {
    rmSync(socket, {force: true});
    rmSync(agentsSocketOf(socket), {force: true});
    await lock.release();
  }

  return 'ended';
}

async function live(options: DaemonOptions, noted: NotedStart): Promise<void> {
  const {root, stateDirectory, runtimeDirectory, build, env, keeperProgram, now, log} = options;
  let state: State = emptyState;
  const journal = await openJournal({
    directory: stateDirectory,
    boot: options.bootId,
    knows: isKnownEvent,
    clock: {wall: now, mono: () => process.hrtime.bigint()},
    replay: (entry) => {
      state = evolve(state, eventOf(entry));
    },
    report: (notice) => {
      log(`journal: ${notice.kind}${'reason' in notice ? `: ${notice.reason}` : ''}`);
      if (notice.kind === 'degraded' && notice.entry !== undefined) conductor.take(notice.entry);
      if (notice.kind === 'read-only') conductor.reconcile();
      serving.tell(conductor.state().seq, {type: 'journal', ...journal.status()});
    },
  });
  const name = state.journal ?? randomBytes(6).toString('hex');
  const store = createSessionStore({
    state: stateDirectory,
    runtime: runtimeDirectory,
    journal: name,
  });
  const {request, ...requests} = createSessionRequests(store, env);
  const kernel = kernelOf({path: trustedPath({path: env['PATH'] ?? '', outside: root}), now});
  const hookMark = `told-${randomBytes(24).toString('base64url')}`;
  const workspace = onceNeeded(() =>
    openWorkspace({
      root,
      commonDirectory: options.commonDirectory,
      private: path.join(stateDirectory, 'workspace'),
      program: gitOf(env, root),
      env,
      now,
    }),
  );
  const environments = createRunEnvironments({
    stateDirectory,
    journal: name,
    state: () => conductor.state(),
    log,
  });
  const serviceEnvironments = createServiceEnvironments({stateDirectory, journal: name});
  const sweepEnvironments = (): void => {
    environments.sweep();
    serviceEnvironments.sweep(
      conductor
        .state()
        .services.filter(({desire}) => desire === 'wanted')
        .map(({spec}) => spec.name),
    );
  };
  const workshop: Workshop = {
    state: () => conductor.state(),
    store,
    root,
    stateDirectory,
    runtimeDirectory,
    agentsSocket: agentsSocketOf(options.socket),
    keeperProgram,
    networkProgram: options.networkProgram,
    ownProgram: options.ownProgram,
    env,
    home: options.home,
    uid: options.uid,
    now,
    kernel,
    log,
    workspace,
    environments,
    serviceEnvironments,
    secrets: () => [...secretsOf(env), ...environments.secrets(), ...serviceEnvironments.secrets()],
    sandbox: onceNeeded(() =>
      trySandbox({env, timeoutMs: limits.sandboxMs, outside: root, directory: stateDirectory}),
    ),
    guards: createGuards({
      directory: path.join(stateDirectory, 'guards'),
      journal: name,
      workspace,
    }),
    eventsOf: (run) => eventsOfRun(stateDirectory, conductor.state(), run),
    randomToken: () => randomBytes(24).toString('base64url'),
    hookMark,
    bootId: options.bootId,
    ...requests,
    origins: () => origins,
    codes: createCodes({now}),
  };
  for (const {id} of liveSessionsOf(state)) store.removeHalfNotes(id);
  // Known before anything is started, and before anybody is heard.
  const origins = noteOrigins({
    stateDirectory,
    bootId: options.bootId,
    kernel,
    log,
    trustsServices: env['ORCHESTRA_TRUST_SERVICES'] === '1',
    hasBegun: entriesOf(state.sessions).some(
      ({id}) => store.isOfBoot(id, options.bootId) && !store.isConfined(id),
    ),
  });
  const startedAt = now();
  const notifying = {
    root,
    env,
    hookMark,
    platform: process.platform,
    preferences: preferencesDirectory({homedir: options.home}, env),
    isWatched: () => serving.followers() > 0,
    log,
  };
  const tellHooks = createHookTeller({
    root,
    envOf: (run) => hookEnvironment(workshop, run),
    hookMark,
    log,
    isOld: (event) => event.at < startedAt,
    before: state,
    notify: (need, known) => void notifyPerson(need, known, notifying),
  });
  const past = {before: state.seq, events: [] as Event[]};
  const conductor: Conductor = createConductor({
    state,
    journal,
    now,
    perform: performers(workshop),
    reach: createFailpoints(
      env['ORCHESTRA_FAILPOINTS'],
      () => {
        process.kill(process.pid, 'SIGKILL');
      },
      log,
    ),
    heard: (seq, event) => {
      tellHooks(event, conductor.state());
      if (mayFree.has(event.type)) sweepEnvironments();
      past.events.push(event);
      if (past.events.length > mostPast) past.before += past.events.splice(0, mostPast / 2).length;
      serving.tell(seq, {type: 'fact', seq, event});
    },
    pause: (failures, signal) => pauseFor(Math.min(30_000, 250 * 2 ** failures), signal),
  });
  const stop = Promise.withResolvers<undefined>();
  const token = tokenOf(options.socket);
  const server = makeServer();
  const serving: Serving = await serve(server, {
    build,
    admit: (given) => (isSameToken(given, token) ? {} : undefined),
    seq: () => conductor.state().seq,
    answer: createAnswers({
      conductor,
      workshop,
      journal,
      kernel,
      build,
      now,
      past,
      startedAt: now(),
      request,
      clients: () => serving.clients(),
      stop: () => {
        stop.resolve(undefined);
      },
    }),
  });
  const watching = new AbortController();
  const agents = makeServer();
  const agentsServing = await serve(agents, {
    build,
    mostEach: mostOfSession,
    seq: () => 0,
    ...createToolAnswers({workshop, conductor, waitMs: toolWaitMs(env), signal: watching.signal}),
  });
  recordPlace(options);
  hideWorktrees(options);
  const print = projectPrint(root);
  // Only now: whoever connects is heard at once.
  await wakeUp(conductor, journal, options, name);
  await origins;
  await listen(server, options.socket);
  await listen(agents, workshop.agentsSocket);
  await endInterrupted(workshop);
  conductor.begin();
  const disk = watchDisk(journal, () => wakeUp(conductor, journal, options, name), watching.signal);
  const telling = new Set<SessionId>();
  const watcher = watchSessions(workshop, conductor, telling, watching.signal);
  const terminals = watchTerminals(workshop, telling, watching.signal);
  const progress = Promise.all([
    watchProgress(workshop, conductor, watching.signal),
    watchActivity(workshop, conductor, watching.signal),
  ]);
  const project = watchProject(
    conductor,
    {...options, onRead: () => furnishIdle(workshop)},
    watching.signal,
    print,
  );
  sweepEnvironments();
  const forgotten = releaseForgotten(workshop).then(() => forgetOld(workshop, watching.signal));
  const idle = watchIdle(conductor, serving, options.idleMs, watching.signal).then(() => {
    stop.resolve(undefined);
  });
  process.once('SIGTERM', () => {
    stop.resolve(undefined);
  });
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGPIPE'] as const)
    process.on(signal, () => undefined);
  log(
    `ready: ${conductor.state().seq} events, ${liveSessionsOf(conductor.state()).length} live sessions`,
  );

  await stop.promise;
  noted.settle();
  watching.abort();
  const impatience = new AbortController();
  // What hangs on a keeper that does not answer is left: the next daemon takes it up.
  await Promise.race([
    Promise.allSettled([
      watcher,
      terminals,
      progress,
      project,
      idle,
      disk,
      forgotten,
      conductor.close(),
    ]),
    pauseFor(limits.closeMs, impatience.signal),
  ]);
  impatience.abort();
  if (journal.status().mode === 'writing')
    await conductor
      .submit({type: 'report', at: now(), saw: {type: 'daemon-stopping'}})
      .catch(() => undefined);
  await Promise.all([serving.close(200), agentsServing.close(200)]);
  await journal.close();
  setTimeout(() => process.exit(0), limits.closeMs).unref();
}

/** By this the state is found when the repository is moved. On a full disk it is not, and nothing else depends on it. */
function recordPlace({stateDirectory, commonDirectory, log}: DaemonOptions): void {
  try {
    recordRepository(stateDirectory, commonDirectory);
  } catch (error) {
    log(
      `where the repository is could not be written down: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Older versions made them for everybody to read. */
function hideWorktrees({root, commonDirectory, log}: DaemonOptions): void {
  try {
    narrowWorktrees({root, commonDirectory, worktrees: worktreesBeside(root)});
  } catch (error) {
    log(
      `the worktrees could not be closed to other users: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function onceNeeded<T extends object>(open: () => T): () => T {
  let opened: T | undefined;
  return () => (opened ??= open());
}

/** Never one that the repository brought along. */
function gitOf(env: Readonly<Record<string, string>>, root: string): string {
  const {file} = findProgram('git', {path: env['PATH'] ?? '', outside: root});
  if (file === undefined) throw new Error('git is not on PATH; install it');
  return file;
}

/** A disk that was full is looked at until there is room again; and a journal that somebody took away is found out also when nothing is written. */
async function watchDisk(
  journal: Journal,
  recovered: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let isSaid = journal.status().mode === 'writing';
  for (;;) {
    await pauseFor(limits.diskMs, signal);
    if (signal.aborted) return;
    await journal.check();
    if (
      journal.status().mode !== 'degraded' ||
      (await journal.retry()).mode !== 'writing' ||
      isSaid
    )
      continue;
    isSaid = true;
    await recovered();
  }
}

/** What the new daemon has to say before it does anything. */
async function wakeUp(
  conductor: Conductor,
  journal: Journal,
  {build, root, now, log}: DaemonOptions,
  name: string,
): Promise<void> {
  if (journal.status().mode !== 'writing') return;
  const {ending, tornCopy} = journal.found;
  if (ending.kind === 'torn') {
    log(describeEnding(ending) ?? '');
    await conductor.submit({
      type: 'report',
      at: now(),
      saw: {type: 'journal-truncated', bytes: ending.bytes, kept: path.basename(tornCopy ?? '')},
    });
  }

  await conductor.submit({
    type: 'report',
    at: now(),
    saw: {
      type: 'daemon-started',
      build,
      ...(conductor.state().journal === undefined ? {journal: name} : {}),
    },
  });
  const project = readProjectFile(root);
  for (const {line, text} of project.problems) log(`.orchestra/project.yaml:${line}: ${text}`);
  await conductor.submit({
    type: 'report',
    at: now(),
    saw: {
      type: 'project-read',
      project: isUnreadable(project) ? conductor.state().project : project.value,
    },
  });
}

/** Resolves when there has been nothing to keep and nobody there for so long. */
async function watchIdle(
  conductor: Conductor,
  serving: Serving,
  idleMs: number,
  signal: AbortSignal,
): Promise<void> {
  const step = Math.min(1000, idleMs);
  for (let quiet = 0; quiet < idleMs; quiet += step) {
    await pauseFor(step, signal);
    if (signal.aborted) return;
    const state = conductor.state();
    const isBusy =
      serving.clients() > 0 ||
      state.live.length > 0 ||
      openRunsOf(state).length > 0 ||
      state.services.some(({desire}) => desire === 'wanted');
    if (isBusy) quiet = -step;
  }
}

/** The lock is ours and nobody answers: what stands there is left over. */
async function listen(server: Server, socket: string): Promise<void> {
  rmSync(socket, {force: true});
  const mask = process.umask(0o077);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('listening', resolve);
      server.once('error', reject);
      server.listen(socket);
    });
  } finally {
    process.umask(mask);
  }

  chmodSync(socket, 0o600);
}

/** Beside the other one, in a directory of its own. */
function agentsSocketOf(socket: string): string {
  return path.join(socket.replace(/\.sock$/, '.agents'), 'call');
}

/** What a client must know. It lies where only its owner can read it, and stays the same for every daemon of this socket. */
function tokenOf(socket: string): string {
  const file = socket.replace(/\.sock$/, '.token');
  const kept = (tryReadText(file, {maxBytes: 4096}) ?? '').trim();
  if (kept !== '') return kept;
  const token = randomBytes(24).toString('base64url');
  writeWhole(file, token);
  return token;
}
