import {spawn} from 'node:child_process';
import {closeSync, openSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {sanitizeText} from '../base/index.ts';
import type {DaemonConnection} from '../client/index.ts';
import {tryReadText} from '../files/index.ts';
import {
  askProgram,
  cookieName,
  findProgram,
  ownScope,
  readLogind,
  userQuestion,
} from '../machine/index.ts';
import {findMovedState, makeDirectories} from '../settings/index.ts';
import {crashesInWords} from './crashes-of.ts';
import {type Here, Impossible} from './here.ts';
import type {Surroundings} from './surroundings.ts';

/** How long a daemon may take until it answers; the one that we launched and that is still at it, on a busy machine, longer. */
const patienceMs = {usual: 10_000, underWay: 60_000};
const mostLaunches = 5;
const probeBytes = 64 * 1024;
const noRoom: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);
const noWord = 'it left no word';

/** Room for young objects, in MB. V8 takes up to 16 of it, three times, and never gives it back: 40 MB of a daemon with 20 sessions. */
const heapFlags = ['--max-semi-space-size=2'];

export type Starting = {
  readonly reach: () => Promise<DaemonConnection | undefined>;
  /** A person's word, which counts also when those before have crashed. */
  readonly isAsked: boolean;
};

/**
 * Starts a daemon in a session of its own and waits until one answers. Of several that race, one stays and all reach it;
 * and one that came while its predecessor was still leaving is sent again.
 */
export async function startDaemon(
  here: Here,
  {env}: Pick<Surroundings, 'env'>,
  {reach, isAsked}: Starting,
): Promise<DaemonConnection> {
  const crashing = async (): Promise<string | undefined> =>
    isAsked ? undefined : crashesInWords(here, {env});
  const words = (await crashing()) ?? (isAsked ? undefined : movedInWords(here));
  if (words !== undefined) throw new Impossible(words);
  const scope = await scopeFor(here, env);
  const daemon = await awaitDaemon({
    reach,
    launch: () => launch(here, scope, env),
    isCrashing: async () => (await crashing()) !== undefined,
    now: Date.now,
  });
  if (daemon !== undefined) return daemon;
  const log = path.join(here.stateDirectory, 'daemon.log');
  throw new Impossible(`the daemon does not start: ${whyNot(here) ?? lastLineOf(log)} (${log})`);
}

/** Beginning anew would hide what is open there; so the person decides. */
function movedInWords({root, stateDirectory, commonDirectory}: Here): string | undefined {
  const moved = findMovedState({
    stateHome: path.dirname(stateDirectory),
    stateDirectory,
    commonDirectory,
  });
  if (moved === undefined) return undefined;
  const was = path.basename(moved.was) === '.git' ? path.dirname(moved.was) : moved.was;
  return `this repository was at ${was} when orchestra worked in it, and its runs and sessions belong to that path (${moved.stateDirectory}). To go on with them, move it back: mv ${root} ${was}. To begin anew at ${root}: orchestra daemon start`;
}

export type Awaiting<Daemon> = {
  readonly reach: () => Promise<Daemon | undefined>;
  /** Starts one, and says whether it has not ended yet. */
  readonly launch: () => () => boolean;
  readonly isCrashing: () => Promise<boolean>;
  readonly now: () => number;
};

/** Launches one, and another when it has ended, until one answers or it has taken too long. */
export async function awaitDaemon<Daemon>({
  reach,
  launch: launchOne,
  isCrashing,
  now,
}: Awaiting<Daemon>): Promise<Daemon | undefined> {
  const begun = now();
  let isUnderWay: () => boolean = () => false;
  const isInTime = (): boolean =>
    now() - begun < (isUnderWay() ? patienceMs.underWay : patienceMs.usual);
  for (let launches = 0; isInTime();) {
    if (!isUnderWay()) {
      // One that dies again and again would do so for ever.
      if (launches === mostLaunches || (await isCrashing())) return undefined;
      launches += 1;
      isUnderWay = launchOne();
    }

    const daemon = await reach();
    if (daemon !== undefined) return daemon;
    await new Promise((resolve) => setTimeout(resolve, isUnderWay() ? 20 : 200));
  }

  return undefined;
}

/** Where systemd lets us, logging out shall not end the daemon and the keepers that it starts. */
async function scopeFor(
  {account, root}: Here,
  env: Surroundings['env'],
): Promise<readonly string[]> {
  const search = {path: env['PATH'] ?? '', outside: root};
  const systemdRun = findProgram('systemd-run', search).file;
  if (systemdRun === undefined) return [];
  const {outcome} = await askProgram('loginctl', userQuestion(account.uid), {
    env,
    timeoutMs: 1000,
    outside: root,
  });
  return ownScope({systemdRun, ...readLogind(outcome?.stdout ?? '')});
}

/** On a full disk it can leave no word, and what its log ends with is old: so it is tried out whether its files can be written. */
function whyNot({stateDirectory, runtimeDirectory}: Here): string | undefined {
  for (const directory of [stateDirectory, runtimeDirectory]) {
    const probe = path.join(directory, `probe-${process.pid}.tmp`);
    try {
      writeFileSync(probe, Buffer.alloc(probeBytes), {mode: 0o600, flush: true});
    } catch (error) {
      // Whatever else is wrong with it the daemon says better.
      if (!noRoom.has((error as NodeJS.ErrnoException).code ?? '')) continue;
      return `${directory} cannot be written: ${error instanceof Error ? error.message : String(error)}. Free some space there, or make it writable, and try again`;
    } finally {
      rmSync(probe, {force: true});
    }
  }

  return undefined;
}

function lastLineOf(file: string): string {
  const text = tryReadText(file, {maxBytes: 64 * 1024 * 1024});
  const line = sanitizeText(text?.trimEnd().split('\n').at(-1) ?? '').trim();
  return line === '' ? noWord : line;
}

/** Where it can't be written no daemon could live: a full or read-only disk, or the sandbox of an agent. */
function openLog(directory: string): number {
  try {
    makeDirectories(directory, 0o700);
    return openSync(path.join(directory, 'daemon.log'), 'a', 0o600);
  } catch (error) {
    throw new Impossible(
      `no daemon can be started here: ${error instanceof Error ? error.message : String(error)}. Inside an agent's sandbox orchestra does not answer; ask from a terminal of your own.`,
    );
  }
}

/** Whether what was launched has not ended yet. */
function launch(
  {root, stateDirectory}: Here,
  scope: readonly string[],
  env: Surroundings['env'],
): () => boolean {
  const log = openLog(stateDirectory);
  const [launcher = ''] = process.argv.slice(1);
  const argv = [...scope, process.execPath, ...heapFlags, launcher, 'daemon', 'run'];
  // Started from within a session it is not part of that session: whoever stops that does not mean the daemon.
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
