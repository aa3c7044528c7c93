import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type {TestContext} from 'node:test';
import {eventually} from '../../support/eventually.ts';

const launcher = path.join(import.meta.dirname, '..', '..', '..', 'dist', 'orchestra.js');

/** A repository of its own with state of its own, in which the real program is run. Afterwards nothing of it is left. */
export type Place = {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs orchestra to its end. */
  readonly run: (...argv: readonly string[]) => {readonly code: number | null; readonly out: string; readonly err: string};
  /** The same, without waiting. */
  readonly launch: (...argv: readonly string[]) => Promise<{readonly code: number | null; readonly out: string; readonly err: string}>;
  readonly json: (...argv: readonly string[]) => unknown;
  readonly daemonPid: () => number | undefined;
};

export function createPlace(t: TestContext): Place {
  const home = mkdtempSync(path.join(os.tmpdir(), 'orchestra-place-'));
  const root = path.join(home, 'repository');
  const env = {
    PATH: `${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8',
    XDG_STATE_HOME: path.join(home, 'state'), XDG_RUNTIME_DIR: path.join(home, 'run'), ORCHESTRA_IDLE_MS: '600000',
  };
  execFileSync('mkdir', ['-p', '-m', '700', root, env.XDG_RUNTIME_DIR]);
  execFileSync('git', ['init', '-q', root], {env});
  const run: Place['run'] = (...argv) => {
    const {status, stdout, stderr} = spawnSync(process.execPath, [launcher, ...argv], {cwd: root, env, encoding: 'utf8', timeout: 60_000});
    return {code: status, out: stdout, err: stderr};
  };

  const launch: Place['launch'] = (...argv) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [launcher, ...argv], {cwd: root, env, stdio: ['ignore', 'pipe', 'pipe']});
      const [out, err]: [string[], string[]] = [[], []];
      child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
      child.once('close', (code) => { resolve({code, out: out.join(''), err: err.join('')}); });
    });

  const json: Place['json'] = (...argv) => {
    const {code, out, err} = run(...argv, '--json');
    if (out === '') throw new Error(`orchestra ${argv.join(' ')} ended with ${code ?? 'a signal'}: ${err}`);
    return JSON.parse(out) as unknown;
  };

  const daemonPid = (): number | undefined => (json('daemon', 'status') as {readonly pid?: number}).pid;
  t.after(async () => {
    const {sessions} = json('sessions') as {readonly sessions: readonly {readonly session: string; readonly ended?: unknown}[]};
    for (const {session, ended} of sessions) if (ended === undefined) run('stop', session);
    run('daemon', 'stop');
    await eventually('no process of the place is left', () => processesIn(home).length === 0);
    rmSync(home, {recursive: true, force: true});
  });
  return {root, env, run, launch, json, daemonPid};
}

/** Processes whose environment or command line names the place. */
export function processesIn(home: string): number[] {
  return readdirSync('/proc').map(Number).filter((pid) => Number.isInteger(pid) && pid !== process.pid && mentions(pid, home));
}

function mentions(pid: number, home: string): boolean {
  try {
    return ['environ', 'cmdline'].some((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(home));
  } catch {
    return false;
  }
}
