import {randomBytes} from 'node:crypto';
import {chmodSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {connect, type Server} from 'node:net';
import path from 'node:path';
import {readProject} from '../documents/index.ts';
import {emptyState, eventOf, evolve, isKnownEvent, liveSessionsOf, openRunsOf, type Event, type SessionId, type State} from '../domain/index.ts';
import {describeEnding, openJournal, type Journal} from '../journal/index.ts';
import {kernelOf, trustedPath} from '../machine/index.ts';
import {ensurePrivateDirectory} from '../settings/index.ts';
import {createAnswers} from './answers.ts';
import {createConductor, type Conductor} from './conductor.ts';
import {pauseFor} from './pause-for.ts';
import {performers} from './perform/performers.ts';
import {makeServer, serve, type Serving} from './serve.ts';
import {createSessionStore} from './session-store.ts';
import {takeLock} from './take-lock.ts';
import {watchSessions} from './watch-sessions.ts';
import type {Workshop} from './workshop.ts';

export type DaemonOptions = {
  readonly root: string;
  /** Of this repository alone. */
  readonly stateDirectory: string;
  readonly runtimeDirectory: string;
  readonly socket: string;
  /** Names the lock; one daemon for each. */
  readonly lock: string;
  readonly build: string;
  readonly uid: number;
  readonly env: Readonly<Record<string, string>>;
  readonly keeperProgram: readonly string[];
  /** Ends by itself after so long with nothing to keep and nobody connected. */
  readonly idleMs: number;
  readonly bootId: string;
  readonly now: () => number;
  readonly log: (line: string) => void;
};

/** Lives until it is stopped, or until nothing is left to keep. `already` when another one serves this repository. */
export async function runDaemon(options: DaemonOptions): Promise<'already' | 'ended'> {
  const {stateDirectory, runtimeDirectory, socket, uid} = options;
  ensurePrivateDirectory(stateDirectory, uid);
  ensurePrivateDirectory(runtimeDirectory, uid);
  const lock = await takeLock(options.lock);
  // Another one has it and is about to serve, or serves. And even with the lock in hand, one that is just ending may still answer.
  if (lock === undefined || (await answers(socket))) return 'already';
  try {
    await live(options);
  } finally {
    rmSync(socket, {force: true});
    await lock.release();
  }

  return 'ended';
}

async function live(options: DaemonOptions): Promise<void> {
  const {root, stateDirectory, runtimeDirectory, build, env, keeperProgram, now, log} = options;
  let state: State = emptyState;
  const journal = await openJournal({
    directory: stateDirectory, boot: options.bootId, knows: isKnownEvent,
    clock: {wall: now, mono: () => process.hrtime.bigint()},
    replay: (entry) => { state = evolve(state, eventOf(entry)); },
    report: (notice) => {
      log(`journal: ${notice.kind}${'reason' in notice ? `: ${notice.reason}` : ''}`);
      if (notice.kind === 'degraded' && notice.entry !== undefined) conductor.take(notice.entry);
    },
  });
  const name = state.journal ?? randomBytes(6).toString('hex');
  const store = createSessionStore({state: stateDirectory, runtime: runtimeDirectory, journal: name});
  const requested = new Map<SessionId, ReturnType<Workshop['surroundingsOf']>>();
  const kernel = kernelOf({path: trustedPath({path: env['PATH'] ?? '', outside: root}), now});
  const workshop: Workshop = {
    state: () => conductor.state(), store, root, keeperProgram, now, kernel,
    randomToken: () => randomBytes(24).toString('base64url'),
    surroundingsOf: (session) => requested.get(session) ?? {env, size: {columns: 120, rows: 40}},
  };
  const past = {before: state.seq, events: [] as Event[]};
  const conductor: Conductor = createConductor({
    state, journal, now,
    perform: performers(workshop),
    heard: (seq, event) => {
      past.events.push(event);
      serving.tell(seq, {type: 'fact', seq, event});
    },
    pause: (failures, signal) => pauseFor(Math.min(30_000, 250 * 2 ** failures), signal),
  });
  const stop = Promise.withResolvers<undefined>();
  const token = tokenOf(options.socket);
  const server = makeServer();
  const serving: Serving = await serve(server, {
    token, build,
    seq: () => conductor.state().seq,
    answer: createAnswers({
      conductor, workshop, journal, kernel, build, now, past, startedAt: now(),
      request: (session, surroundings) => requested.set(session, surroundings),
      clients: () => serving.clients(),
      stop: () => { stop.resolve(undefined); },
    }),
  });
  // Only now: whoever connects is heard at once.
  await listen(server, options.socket);
  await wakeUp(conductor, journal, options, name);
  conductor.begin();
  const watching = new AbortController();
  const watcher = watchSessions(workshop, conductor, watching.signal);
  const idle = watchIdle(conductor, serving, options.idleMs, watching.signal).then(() => { stop.resolve(undefined); });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => { stop.resolve(undefined); });
  process.on('SIGHUP', () => undefined);
  process.on('SIGPIPE', () => undefined);
  log(`ready: ${conductor.state().seq} events, ${liveSessionsOf(conductor.state()).length} live sessions`);

  await stop.promise;
  watching.abort();
  await Promise.allSettled([watcher, idle]);
  await conductor.close();
  if (journal.status().mode === 'writing') await conductor.submit({type: 'report', at: now(), saw: {type: 'daemon-stopping'}}).catch(() => undefined);
  await serving.close(200);
  await journal.close();
}

/** What the new daemon has to say before it does anything. */
async function wakeUp(conductor: Conductor, journal: Journal, {build, root, now, log}: DaemonOptions, name: string): Promise<void> {
  if (journal.status().mode !== 'writing') return;
  const {ending, tornCopy} = journal.found;
  if (ending.kind === 'torn') {
    log(describeEnding(ending) ?? '');
    await conductor.submit({type: 'report', at: now(), saw: {type: 'journal-truncated', bytes: ending.bytes, kept: path.basename(tornCopy ?? '')}});
  }

  await conductor.submit({type: 'report', at: now(), saw: {type: 'daemon-started', build, ...(conductor.state().journal === undefined ? {journal: name} : {})}});
  const project = readProjectFile(root);
  for (const {line, text} of project.problems) log(`.orchestra/project.yaml:${line}: ${text}`);
  await conductor.submit({type: 'report', at: now(), saw: {type: 'project-read', project: project.value}});
}

export function readProjectFile(root: string): ReturnType<typeof readProject> {
  try {
    return readProject(readFileSync(path.join(root, '.orchestra', 'project.yaml')));
  } catch {
    return readProject('');
  }
}

/** Resolves when there has been nothing to keep and nobody there for so long. */
async function watchIdle(conductor: Conductor, serving: Serving, idleMs: number, signal: AbortSignal): Promise<void> {
  const step = Math.min(1000, idleMs);
  for (let quiet = 0; quiet < idleMs; quiet += step) {
    await pauseFor(step, signal);
    if (signal.aborted) return;
    const state = conductor.state();
    const isBusy = serving.clients() > 0 || state.live.length > 0 || openRunsOf(state).length > 0 || state.services.some(({desire}) => desire === 'wanted');
    if (isBusy) quiet = -step;
  }
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => { resolve(false); });
  });
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

/** What a client must know. It lies where only its owner can read it, and stays the same for every daemon of this socket. */
function tokenOf(socket: string): string {
  const file = socket.replace(/\.sock$/, '.token');
  try {
    const token = readFileSync(file, 'utf8').trim();
    if (token !== '') return token;
  } catch {
    // There is none yet.
  }

  const token = randomBytes(24).toString('base64url');
  writeFileSync(file, token, {mode: 0o600});
  return token;
}
