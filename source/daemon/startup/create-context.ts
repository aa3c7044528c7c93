import path from 'node:path';
import {randomBytes} from 'node:crypto';
import {ledgerEntries} from '../../shared/index.ts';
import {type Event, type State} from '../../domain/index.ts';
import {findSecrets} from '../../secrets/index.ts';
import {findProgram, getKernel, trustedPath} from '../../system/index.ts';
import {openWorkspace} from '../../git/index.ts';
import {createCodes} from '../server/one-time-codes.ts';
import {readRunEvents} from '../engine/journal-events.ts';
import {createGuards} from '../launch/outside.ts';
import {createSessionRequests, type SessionRequests} from '../launch/describe-launch.ts';
import {createRunEnvironments, createServiceEnvironments} from '../sessions/environments.ts';
import {createSessionStore} from '../sessions/session-store.ts';
import type {DaemonContext} from '../daemon-context.ts';
import {noteOrigins} from './note-start.ts';
import {toAgentsSocket} from './sockets.ts';
import {trySandbox} from './try-sandbox.ts';

export type ContextOptions = {
  readonly root: string;
  /** The state directory of this repository alone. */
  readonly stateDirectory: string;
  readonly runtimeDirectory: string;
  readonly socket: string;
  readonly uid: number;
  readonly env: Readonly<Record<string, string>>;
  readonly keeperProgram: readonly string[];
  /** How the supervisor of a restricted network is started. */
  readonly networkProgram: readonly string[];
  /** The command line of orchestra itself. */
  readonly ownProgram: readonly string[];
  /** Git's directory that all worktrees share. */
  readonly commonDirectory: string;
  readonly home: string;
  readonly bootId: string;
  readonly now: () => number;
  readonly log: (line: string) => void;
};

export type CreatedContext = {
  readonly context: DaemonContext;
  /** Saves the environment and terminal size that a person's session was requested with. */
  readonly saveRequest: SessionRequests['request'];
  /** Removes stored environments that no run and no service needs. */
  readonly sweepEnvironments: () => void;
};

/** How long trying out the sandbox may take. */
const sandboxMs = 5000;

/** Events after which the stored environment of a run or a service may be unneeded. */
const mayFreeEnvironment: ReadonlySet<Event['type']> = new Set<Event['type']>([
  'run-accepted',
  'run-discarded',
  'environment-refreshed',
  'summary-written',
  'worktree-removed',
  'session-exited',
  'session-lost',
  'service-stopped',
]);

export function mayFree({type}: Event): boolean {
  return mayFreeEnvironment.has(type);
}

/**
 * `before` is the state as the journal had it at startup, `state` the current one, `journal` the
 * name of the journal.
 */
export function createContext(
  options: ContextOptions,
  {
    before,
    state,
    journal,
  }: {readonly before: State; readonly state: () => State; readonly journal: string},
): CreatedContext {
  const {root, stateDirectory, runtimeDirectory, bootId, env, now, log} = options;
  const store = createSessionStore({state: stateDirectory, runtime: runtimeDirectory, journal});
  const {request: saveRequest, ...requests} = createSessionRequests(store, env);
  const kernel = getKernel({path: trustedPath({path: env['PATH'] ?? '', outside: root}), now});
  const workspace = onceNeeded(() =>
    openWorkspace({
      root,
      commonDirectory: options.commonDirectory,
      private: path.join(stateDirectory, 'workspace'),
      program: findGit(env, root),
      env,
      now,
    }),
  );
  const environments = createRunEnvironments({stateDirectory, journal, state, log});
  const serviceEnvironments = createServiceEnvironments({stateDirectory, journal});
  // Begun here, so that it is known before anything is started and before anybody is answered.
  const origins = noteOrigins({
    stateDirectory,
    bootId,
    kernel,
    log,
    trustsServices: env['ORCHESTRA_TRUST_SERVICES'] === '1',
    hasBegun: ledgerEntries(before.sessions).some(
      ({id}) => store.isOfBoot(id, bootId) && !store.isConfined(id),
    ),
  });
  const context: DaemonContext = {
    state,
    store,
    root,
    stateDirectory,
    runtimeDirectory,
    agentsSocket: toAgentsSocket(options.socket),
    keeperProgram: options.keeperProgram,
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
    secrets: () => [
      ...findSecrets(env),
      ...environments.secrets(),
      ...serviceEnvironments.secrets(),
    ],
    sandbox: onceNeeded(() =>
      trySandbox({env, timeoutMs: sandboxMs, outside: root, directory: stateDirectory}),
    ),
    guards: createGuards({directory: path.join(stateDirectory, 'guards'), journal, workspace}),
    eventsOf: (run) => readRunEvents(stateDirectory, state(), run),
    randomToken: () => randomBytes(24).toString('base64url'),
    hookMark: `hook-${randomBytes(24).toString('base64url')}`,
    bootId,
    ...requests,
    origins: () => origins,
    codes: createCodes({now}),
  };
  const sweepEnvironments = (): void => {
    environments.sweep();
    serviceEnvironments.sweep(
      state()
        .services.filter(({desire}) => desire === 'wanted')
        .map(({spec}) => spec.name),
    );
  };
  return {context, saveRequest, sweepEnvironments};
}

function onceNeeded<T extends object>(open: () => T): () => T {
  let opened: T | undefined;
  return () => (opened ??= open());
}

/** Never a program inside the repository: an agent could have written it. */
function findGit(env: Readonly<Record<string, string>>, root: string): string {
  const {file} = findProgram('git', {path: env['PATH'] ?? '', outside: root});
  if (file === undefined) throw new Error('git is not on PATH; install it');
  return file;
}
