import {spawn} from 'node:child_process';
import {closeSync, mkdirSync, openSync, readFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {sanitizeText} from '../base/index.ts';
import {connectDaemon, type DaemonConnection, Refused} from '../client/index.ts';
import {askProgram, cookieName, findProgram, ownScope, readLogind, userQuestion} from '../machine/index.ts';
import {findHere, type Here, Impossible, readToken} from './here.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {version} from './version.ts';

/** How long a daemon may take until it answers. */
const patienceMs = 10_000;
const mostLaunches = 5;

/** Runs a command that talks to the daemon of this repository, and starts one if there is none. A refusal is told and is exit 1. */
export async function withDaemon(surroundings: Surroundings, act: (daemon: DaemonConnection, here: Here) => Promise<ExitCode>): Promise<ExitCode> {
  const here = findHere(surroundings);
  const daemon = (await reach(here)) ?? (await start(here, surroundings));
  try {
    return await act(daemon, here);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    surroundings.err(`orchestra: ${error.message}\n`);
    return 1;
  } finally {
    daemon.close();
  }
}

/** The daemon that runs, if one does. */
export async function reach(here: Here, facts?: Parameters<typeof connectDaemon>[1]): Promise<DaemonConnection | undefined> {
  try {
    return await connectDaemon({socket: here.socket, token: () => readToken(here), build: version}, facts);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw new Impossible(error instanceof Error ? error.message : String(error));
  }
}

/** Where systemd lets us, logging out shall not end the daemon and the keepers that it starts. */
async function scopeFor({account, root}: Here, env: Surroundings['env']): Promise<readonly string[]> {
  const search = {path: env['PATH'] ?? '', outside: root};
  const systemdRun = findProgram('systemd-run', search).file;
  if (systemdRun === undefined) return [];
  const {outcome} = await askProgram('loginctl', userQuestion(account.uid), {env, timeoutMs: 1000, outside: root});
  return ownScope({systemdRun, ...readLogind(outcome?.stdout ?? '')});
}

/**
 * Starts a daemon in a session of its own and waits until one answers. Of several that race, one stays and all reach it;
 * and one that came while its predecessor was still leaving is sent again.
 */
export async function start(here: Here, {env}: Pick<Surroundings, 'env'>): Promise<DaemonConnection> {
  mkdirSync(here.stateDirectory, {recursive: true, mode: 0o700});
  const scope = await scopeFor(here, env);
  const deadline = Date.now() + patienceMs;
  let isUnderWay: () => boolean = () => false;
  for (let launches = 0; Date.now() < deadline; ) {
    if (!isUnderWay()) {
      // One that dies again and again would do so for ever.
      if (launches === mostLaunches) break;
      launches += 1;
      isUnderWay = launch(here, scope, env);
    }

    const daemon = await reach(here);
    if (daemon !== undefined) return daemon;
    await new Promise((resolve) => setTimeout(resolve, isUnderWay() ? 20 : 200));
  }

  const log = path.join(here.stateDirectory, 'daemon.log');
  throw new Impossible(`the daemon does not start: ${lastLineOf(log)} (${log})`);
}

function lastLineOf(file: string): string {
  try {
    return sanitizeText(readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? '');
  } catch {
    return 'it left no word';
  }
}

/** Whether what was launched has not ended yet. */
function launch({root, stateDirectory}: Here, scope: readonly string[], env: Surroundings['env']): () => boolean {
  const log = openSync(path.join(stateDirectory, 'daemon.log'), 'a', 0o600);
  const [launcher = ''] = process.argv.slice(1);
  const argv = [...scope, process.execPath, launcher, 'daemon', 'run'];
  // Started from within a session it is not part of that session: whoever stops that does not mean the daemon.
  const child = spawn(argv[0] ?? process.execPath, argv.slice(1), {detached: true, stdio: ['ignore', log, log], cwd: root, env: {...env, [cookieName]: undefined}});
  closeSync(log);
  child.unref();
  let hasEnded = false;
  child.once('exit', () => { hasEnded = true; });
  child.once('error', () => { hasEnded = true; });
  return () => !hasEnded;
}
