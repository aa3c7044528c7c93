import {spawn} from 'node:child_process';
import {closeSync, mkdirSync, openSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {connectDaemon, type DaemonConnection, Refused} from '../client/index.ts';
import {findHere, type Here, Impossible, readToken} from './here.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {version} from './version.ts';

/** How long a daemon may take until it answers. */
const patienceMs = 10_000;

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
    return await connectDaemon({socket: here.socket, token: readToken(here), build: version}, facts);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw error instanceof Refused ? new Impossible(error.message) : error;
  }
}

/** Starts a daemon in a session of its own and waits until it answers. Of several that race, one stays and all reach it. */
export async function start(here: Here, {env}: Pick<Surroundings, 'env'>): Promise<DaemonConnection> {
  mkdirSync(here.stateDirectory, {recursive: true, mode: 0o700});
  const log = openSync(path.join(here.stateDirectory, 'daemon.log'), 'a', 0o600);
  const [launcher = ''] = process.argv.slice(1);
  const child = spawn(process.execPath, [launcher, 'daemon', 'run'], {detached: true, stdio: ['ignore', log, log], cwd: here.root, env: {...env}});
  closeSync(log);
  child.unref();
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const daemon = await reach(here).catch((error: unknown) => {
      // It listens before it has read its journal and written its token.
      if (error instanceof Impossible) return undefined;
      throw error;
    });
    if (daemon !== undefined) return daemon;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }

  throw new Impossible(`the daemon does not start; its last words are in ${path.join(here.stateDirectory, 'daemon.log')}`);
}
