import path from 'node:path';
import process from 'node:process';
import {spawn} from 'node:child_process';
import {closeSync, openSync, rmSync, writeFileSync} from 'node:fs';
import {errorCode, errorText, sanitizeText} from '../shared/index.ts';
import type {DaemonConnection} from '../client/index.ts';
import {makeDirectories, tryReadText} from '../files/index.ts';
import {
  askProgram,
  cookieName,
  findProgram,
  lingerArgv,
  parseLogind,
  systemdScopePrefix,
} from '../system/index.ts';
import {findMovedState} from '../config/index.ts';
import {explainCrashes} from './count-crashes.ts';
import {type RepoPaths, UsageError} from './repo-paths.ts';
import type {CliContext} from './cli-context.ts';

/**
 * How long to wait for a daemon to answer; longer for our own that is still starting, on a busy
 * machine.
 */
const timeoutMs = {usual: 10_000, starting: 60_000};
const maxLaunches = 5;
const probeBytes = 64 * 1024;
const noSpace: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);
const noWord = 'it printed nothing';

/**
 * Size of the young generation in MB. V8 takes up to three times 16 and never gives it back: 40 MB
 * of a daemon with 20 sessions.
 */
const heapFlags = ['--max-semi-space-size=2'];

export type Starting = {
  readonly connectIfRunning: () => Promise<DaemonConnection | undefined>;
  /** The person asked for it, so earlier crashes do not prevent the start. */
  readonly isAsked: boolean;
};

/**
 * Starts a daemon in its own session and waits until one answers. If several race, one stays and
 * all clients reach it; one that was started while its predecessor was still ending is started
 * again.
 */
export async function startDaemon(
  repoPaths: RepoPaths,
  {env}: Pick<CliContext, 'env'>,
  {connectIfRunning, isAsked}: Starting,
): Promise<DaemonConnection> {
  const crashing = async (): Promise<string | undefined> =>
    isAsked ? undefined : explainCrashes(repoPaths, {env});
  const text = (await crashing()) ?? (isAsked ? undefined : formatMoved(repoPaths));
  if (text !== undefined) throw new UsageError(text);
  const scope = await scopeFor(repoPaths, env);
  const daemon = await awaitDaemon({
    connectIfRunning,
    launch: () => launch(repoPaths, scope, env),
    isCrashing: async () => (await crashing()) !== undefined,
    now: Date.now,
  });
  if (daemon !== undefined) return daemon;
  const log = path.join(repoPaths.stateDirectory, 'daemon.log');
  throw new UsageError(
    `the daemon does not start: ${explainUnwritable(repoPaths) ?? readLastLine(log)} (${log})`,
  );
}

/** A new state would hide the open runs of the old one, so the person decides. */
function formatMoved({root, stateDirectory, commonDirectory}: RepoPaths): string | undefined {
  const moved = findMovedState({
    stateHome: path.dirname(stateDirectory),
    stateDirectory,
    commonDirectory,
  });
  if (moved === undefined) return undefined;
  const was = path.basename(moved.was) === '.git' ? path.dirname(moved.was) : moved.was;
  return (
    `this repository was at ${was} when orchestra worked in it, and its runs and sessions ` +
    `belong to that path (${moved.stateDirectory}). To continue with them, move it back: ` +
    `mv ${root} ${was}. To start fresh at ${root}: orchestra daemon start`
  );
}

export type Awaiting<Daemon> = {
  readonly connectIfRunning: () => Promise<Daemon | undefined>;
  /** Starts one; returns whether it is still running. */
  readonly launch: () => () => boolean;
  readonly isCrashing: () => Promise<boolean>;
  readonly now: () => number;
};

/** Launches a daemon, and another when it has ended, until one answers or the time is over. */
export async function awaitDaemon<Daemon>({
  connectIfRunning,
  launch: launchOne,
  isCrashing,
  now,
}: Awaiting<Daemon>): Promise<Daemon | undefined> {
  const begun = now();
  let isUnderWay: () => boolean = () => false;
  const isInTime = (): boolean =>
    now() - begun < (isUnderWay() ? timeoutMs.starting : timeoutMs.usual);
  for (let launches = 0; isInTime();) {
    if (!isUnderWay()) {
      // A daemon that keeps crashing would be started for ever.
      if (launches === maxLaunches || (await isCrashing())) return undefined;
      launches += 1;
      isUnderWay = launchOne();
    }

    const daemon = await connectIfRunning();
    if (daemon !== undefined) return daemon;
    await new Promise((resolve) => setTimeout(resolve, isUnderWay() ? 20 : 200));
  }

  return undefined;
}

/** Where systemd allows it, logging out must not end the daemon and its keepers. */
async function scopeFor(
  {account, root}: RepoPaths,
  env: CliContext['env'],
): Promise<readonly string[]> {
  const search = {path: env['PATH'] ?? '', outside: root};
  const systemdRun = findProgram('systemd-run', search).file;
  if (systemdRun === undefined) return [];
  const {outcome} = await askProgram('loginctl', lingerArgv(account.uid), {
    env,
    timeoutMs: 1000,
    outside: root,
  });
  return systemdScopePrefix({systemdRun, ...parseLogind(outcome?.stdout ?? '')});
}

/**
 * On a full disk the daemon cannot log, and the end of its log is old, so writing is tested here.
 */
function explainUnwritable({stateDirectory, runtimeDirectory}: RepoPaths): string | undefined {
  for (const directory of [stateDirectory, runtimeDirectory]) {
    const probe = path.join(directory, `probe-${process.pid}.tmp`);
    try {
      writeFileSync(probe, Buffer.alloc(probeBytes), {mode: 0o600, flush: true});
    } catch (error) {
      // Other errors are reported better by the daemon.
      if (!noSpace.has(errorCode(error) ?? '')) continue;
      return (
        `${directory} cannot be written: ${errorText(error)}. Free some space there, or ` +
        'make it writable, and try again'
      );
    } finally {
      rmSync(probe, {force: true});
    }
  }

  return undefined;
}

function readLastLine(file: string): string {
  const text = tryReadText(file, {maxBytes: 64 * 1024 * 1024});
  const line = sanitizeText(text?.trimEnd().split('\n').at(-1) ?? '').trim();
  return line === '' ? noWord : line;
}

/**
 * If its log cannot be written no daemon can run: a full or read-only disk, or the sandbox of an
 * agent.
 */
function openLog(directory: string): number {
  try {
    makeDirectories(directory);
    return openSync(path.join(directory, 'daemon.log'), 'a', 0o600);
  } catch (error) {
    throw new UsageError(
      `no daemon can start here: ${errorText(error)}. Orchestra does not work inside an ` +
        "agent's sandbox. Use a terminal of your own.",
    );
  }
}

/** Returns whether the launched process is still running. */
function launch(
  {root, stateDirectory}: RepoPaths,
  scope: readonly string[],
  env: CliContext['env'],
): () => boolean {
  const log = openLog(stateDirectory);
  const [launcher = ''] = process.argv.slice(1);
  const argv = [...scope, process.execPath, ...heapFlags, launcher, 'daemon', 'run'];
  // A daemon that is started from a session is not part of it: stopping the session must not stop
  // the daemon.
  const child = spawn(argv[0] ?? process.execPath, argv.slice(1), {
    detached: true,
    stdio: ['ignore', log, log],
    cwd: root,
    env: {...env, [cookieName]: undefined},
  });
  closeSync(log);
  child.unref();
  let hasEnded = false;
  child.once('exit', () => {
    hasEnded = true;
  });
  child.once('error', () => {
    hasEnded = true;
  });
  return () => !hasEnded;
}
