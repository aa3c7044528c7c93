import {spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {setTimeout as pass} from 'node:timers/promises';
import {connectDaemon, type DaemonConnection} from '../../source/client/index.ts';
import {findHere, readToken, type Here} from '../../source/commands/here.ts';

const launcher = path.join(import.meta.dirname, '..', '..', 'dist', 'orchestra.js');

export type Listed = {readonly session: string; readonly status: string; readonly ended?: {readonly code: number | null; readonly signal: string | null}};
export type Outcome = {readonly code: number | null; readonly out: string; readonly err: string};

/** A repository of its own, with state of its own, in which the real program is tormented. */
export type Place = {
  readonly root: string;
  readonly home: string;
  readonly here: Here;
  readonly run: (...argv: readonly string[]) => Outcome;
  readonly launch: (...argv: readonly string[]) => Promise<Outcome>;
  readonly sessions: () => readonly Listed[];
  readonly daemonPid: () => number;
  readonly connect: () => Promise<DaemonConnection>;
  readonly directoryOf: (session: string) => string;
  readonly close: () => Promise<void>;
};

export function createPlace(): Place {
  const home = mkdtempSync(path.join(os.tmpdir(), 'orchestra-faults-'));
  const root = path.join(home, 'repository');
  const env = {...process.env, XDG_STATE_HOME: path.join(home, 'state'), XDG_RUNTIME_DIR: path.join(home, 'run')};
  mkdirSync(root);
  mkdirSync(env.XDG_RUNTIME_DIR, {mode: 0o700});
  spawnSync('git', ['init', '--quiet', root]);
  const here = findHere({cwd: root, env});
  const run: Place['run'] = (...argv) => {
    const {status, stdout, stderr} = spawnSync(process.execPath, [launcher, ...argv], {cwd: root, env, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024});
    return {code: status, out: stdout, err: stderr};
  };

  const launch: Place['launch'] = (...argv) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [launcher, ...argv], {cwd: root, env, stdio: ['ignore', 'pipe', 'pipe']});
      const texts = {out: '', err: ''};
      child.stdout.setEncoding('utf8').on('data', (text: string) => { texts.out += text; });
      child.stderr.setEncoding('utf8').on('data', (text: string) => { texts.err += text; });
      child.once('close', (code) => { resolve({code, ...texts}); });
    });

  const sessions: Place['sessions'] = () => (JSON.parse(run('sessions', '--json').out) as {readonly sessions: readonly Listed[]}).sessions;
  const directoryOf = (session: string): string => {
    const sessionsHome = path.join(here.stateDirectory, 'sessions');
    const name = readdirSync(sessionsHome).find((candidate) => candidate.endsWith(`-${session}`));
    if (name === undefined) throw new Error(`${session} has no directory`);
    return path.join(sessionsHome, name);
  };

  return {
    root, home, here, run, launch, sessions, directoryOf,
    daemonPid: () => (JSON.parse(run('daemon', 'start', '--json').out) as {readonly pid: number}).pid,
    connect: () => connectDaemon({socket: here.socket, token: readToken(here), build: 'faults'}),
    close: async () => {
      for (const {session, ended} of sessions()) if (ended === undefined) run('stop', session);
      run('daemon', 'stop');
      await until('nothing of the place is left', () => processesIn(home).length === 0);
      rmSync(home, {recursive: true, force: true});
    },
  };
}

export async function until<T>(what: string, look: () => T | undefined | false, limit = 60_000): Promise<T> {
  const end = performance.now() + limit;
  for (;;) {
    const seen = look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`);
    await pass(20);
  }
}

/** Processes whose environment or command line names the place. */
export function processesIn(home: string): number[] {
  return readdirSync('/proc').map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid && mentions(pid, home));
}

/** Daemons among them, by the title that they give themselves. */
export function daemonsIn(home: string): number[] {
  return processesIn(home).filter((pid) => existsSync(`/proc/${pid}`) && textOf(`/proc/${pid}/cmdline`).startsWith('orchestrad'));
}

function mentions(pid: number, home: string): boolean {
  return textOf(`/proc/${pid}/environ`).includes(home) || textOf(`/proc/${pid}/cmdline`).includes(home);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
