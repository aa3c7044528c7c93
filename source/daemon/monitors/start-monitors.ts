import {type SessionId, selectOpenRuns} from '../../domain/index.ts';
import type {Journal} from '../../journal/index.ts';
import type {Conductor} from '../engine/conductor.ts';
import {pauseFor} from '../engine/pacing.ts';
import {provisionIdle} from '../effects/shared-folders.ts';
import {forgetOld} from '../launch/exchange.ts';
import type {Serving} from '../server/serve.ts';
import {releaseForgotten} from '../sessions/keeper-link.ts';
import type {
  DaemonClock,
  DaemonDirectory,
  DaemonLog,
  KernelAccess,
  RepositoryAccess,
  RepositoryGuards,
  RunVariables,
  SecretValues,
  SessionFiles,
  SessionLaunching,
  SessionVariables,
  StateReader,
  UserAccount,
} from '../daemon-context.ts';
import {watchActivity} from './watch-activity.ts';
import {watchProgress} from './watch-progress.ts';
import {watchProject} from './watch-project.ts';
import {watchSessions} from './watch-sessions.ts';
import {watchTurns} from './watch-turns.ts';
import {watchTerminals} from './watch-terminals.ts';

/** How often a full disk is checked for free space. */
const diskCheckMs = 1000;

export type MonitorsOptions = {
  readonly context: StateReader &
    SessionFiles &
    RepositoryAccess &
    RepositoryGuards &
    DaemonDirectory &
    Pick<SessionLaunching, 'networkProgram'> &
    RunVariables &
    Pick<UserAccount, 'home'> &
    Pick<SessionVariables, 'releaseEnvironment'> &
    SecretValues &
    DaemonClock &
    KernelAccess &
    DaemonLog;
  readonly conductor: Conductor;
  readonly journal: Journal;
  readonly clients: Pick<Serving, 'clients'>;
  /** The fingerprint of the project file from before it was first read. */
  readonly projectFingerprint: string;
  readonly idleMs: number;
  /** The journal takes entries again after a full disk at startup. */
  readonly onDiskRecovered: () => Promise<void>;
  readonly onIdle: () => void;
  readonly signal: AbortSignal;
};

/**
 * Starts everything that observes sessions, files and the machine. The promises settle when the
 * signal is aborted.
 */
export function startMonitors({
  context,
  conductor,
  journal,
  clients,
  projectFingerprint,
  idleMs,
  onDiskRecovered,
  onIdle,
  signal,
}: MonitorsOptions): readonly Promise<void>[] {
  // Sessions whose program reports its own status; the terminals' monitor fills it in.
  const reporting = new Set<SessionId>();
  const {root, now, log} = context;
  return [
    watchDisk(journal, onDiskRecovered, signal),
    watchSessions(context, conductor, reporting, signal),
    watchTerminals(context, reporting, signal),
    watchTurns(context, conductor, signal),
    watchProgress(context, conductor, signal),
    watchActivity(context, conductor, signal),
    watchProject(
      conductor,
      {root, now, log, onRead: () => provisionIdle(context)},
      signal,
      projectFingerprint,
    ),
    releaseForgotten(context).then(() => forgetOld(context, signal)),
    watchIdle(conductor, clients, idleMs, signal).then(onIdle),
  ];
}

/**
 * Retries a journal that stopped because the disk was full. Also checks the journal while nothing
 * is written, to notice that somebody removed it.
 */
async function watchDisk(
  journal: Journal,
  onRecovered: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let isStartupRecorded = journal.status().mode === 'writing';
  for (;;) {
    await pauseFor(diskCheckMs, signal);
    if (signal.aborted) return;
    await journal.check();
    if (
      journal.status().mode !== 'degraded' ||
      (await journal.retry()).mode !== 'writing' ||
      isStartupRecorded
    )
      continue;
    isStartupRecorded = true;
    await onRecovered();
  }
}

/**
 * Resolves when for `idleMs` no client was connected and there was no session, run or service to
 * keep.
 */
async function watchIdle(
  conductor: Conductor,
  clients: Pick<Serving, 'clients'>,
  idleMs: number,
  signal: AbortSignal,
): Promise<void> {
  const step = Math.min(1000, idleMs);
  for (let quiet = 0; quiet < idleMs; quiet += step) {
    await pauseFor(step, signal);
    if (signal.aborted) return;
    const state = conductor.state();
    const isBusy =
      clients.clients() > 0 ||
      state.live.length > 0 ||
      selectOpenRuns(state).length > 0 ||
      state.services.some(({desire}) => desire === 'wanted');
    if (isBusy) quiet = -step;
  }
}
