import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type {TestContext} from 'node:test';
import {buildSync} from 'esbuild';
import {
  createKeeper,
  type Keeper,
  type KeeperTimeouts,
} from '../../../source/keeper/create-keeper.ts';
import {readLog} from '../../../source/keeper/index.ts';
import {
  type ExitRecord,
  type Launch,
  type Meta,
  parseExitRecord,
  parseMeta,
} from '../../../source/protocol/index.ts';
import {eventually} from '../../support/eventually.ts';
import {type Client, meet} from './client.ts';

/** A session's directory that is ready for a keeper. */
export type Prepared = {readonly directory: string; readonly launch: Launch};

/** What is not as usual in `launch.json`, and where the directory is. */
export type Changes = Partial<Launch> & {readonly base?: string};

export type KeeperFixture = Prepared & {readonly process: ChildProcess; readonly pid: number};

const root = path.join(import.meta.dirname, '../../..');
/** In memory, where there is such a place: the tests sync often. */
const usualBase = existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();
let count = 0;

/** Makes the directory; what it leaves behind is gone after the test, processes too. */
export function prepare(
  t: TestContext,
  script: string,
  {base = usualBase, stop, ...changes}: Changes & {readonly stop?: () => Promise<void>} = {},
): Prepared {
  const directory = mkdtempSync(path.join(base, 'okt-'));
  count += 1;
  const launch: Launch = {
    protocol: 1,
    session: `s${count}`,
    argv: ['/bin/sh', '-c', script],
    cwd: directory,
    env: {PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C'},
    columns: 80,
    rows: 24,
    cookie: `${path.basename(directory)}-${process.pid}`,
    token: 'open sesame',
    socket: path.join(directory, 'sock'),
    log: {head: 4 * 1024 * 1024, tail: 60 * 1024 * 1024},
    ...changes,
  };
  writeFileSync(path.join(directory, 'launch.json'), JSON.stringify(launch));
  t.after(async () => {
    let isStopped = false;
    // Again and again: one that was forked just now carries the cookie only when it has become its
    // program.
    const emptied = eventually('nothing of the session is left', () => {
      const left = getProcesses(launch);
      for (const pid of left) killIfThere(pid);
      return isStopped && left.length === 0;
    });
    const stopping = stop?.().finally(() => {
      isStopped = true;
    });
    if (stopping === undefined) isStopped = true;
    await Promise.all([emptied, stopping]);
    // The directory goes last: until it is gone, a keeper writes into it.
    rmSync(directory, {recursive: true, force: true});
  });
  return {directory, launch};
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself after it was listed.
  }
}

/** A keeper in a process of its own, as it is shipped: one bundled file. */
export async function save(
  t: TestContext,
  script: string,
  changes: Changes = {},
): Promise<KeeperFixture> {
  const stops: (() => Promise<void>)[] = [];
  const prepared = prepare(t, script, {...changes, stop: async () => stops[0]?.()});
  const started = startProcess(prepared.directory);
  stops.push(async () => {
    if (started.exitCode !== null || started.signalCode !== null) return;
    started.kill('SIGKILL');
    await once(started, 'exit');
  });
  await eventually('the keeper is ready', () => {
    assert.equal(
      started.exitCode,
      null,
      readFileSync(path.join(prepared.directory, 'keeper.log'), 'utf8'),
    );
    return existsSync(path.join(prepared.directory, 'meta.json'));
  });
  return {...prepared, process: started, pid: started.pid!};
}

export function startProcess(directory: string): ChildProcess {
  const log = openSync(path.join(directory, 'keeper.log'), 'a');
  const started = spawn(process.execPath, [bundled(), directory], {
    detached: true,
    stdio: ['ignore', log, log],
    env: {SECRET_OF_THE_DAEMON: '1'},
  });
  closeSync(log);
  return started;
}

/** A keeper in this process: fast, and with timeouts as short as the test wants. */
export async function startKeeperFixture(
  t: TestContext,
  script: string,
  {timeouts, ...changes}: Changes & {readonly timeouts?: Partial<KeeperTimeouts>} = {},
): Promise<Prepared & {readonly keeper: Keeper}> {
  const keepers: Keeper[] = [];
  const stop = async (): Promise<void> => {
    for (const keeper of keepers) {
      keeper.leave();
      await keeper.ended;
    }
  };

  const prepared = prepare(t, script, {...changes, stop});
  const keeper = await createKeeper(prepared.directory, {
    hello: 2000,
    go: 60_000,
    release: 60_000,
    ...timeouts,
  });
  keepers.push(keeper);
  return {...prepared, keeper};
}

/** Says go, and gives a client that sees everything from the beginning. */
export async function launchWithClient({launch}: Prepared): Promise<Client> {
  const client = await meet(launch);
  client.ask({type: 'attach', from: 0});
  client.ask({type: 'go'});
  await client.onMessage('going');
  return client;
}

/**
 * Releases the keeper and makes sure that nothing of the session is left: no process, no socket.
 */
export async function release({launch}: Prepared, client: Client): Promise<void> {
  client.ask({type: 'release'});
  await client.onMessage('released');
  await eventually('the keeper lets go', () => client.isClosed() && !existsSync(launch.socket));
  await eventually('no process of the session is left', () => getProcesses(launch).length === 0);
}

export function getLog(directory: string, from?: number, to?: number): Buffer {
  return Buffer.concat([...readLog(directory, from, to)].map(({bytes}) => bytes));
}

export function getMeta({directory}: Prepared): Meta {
  const reading = parseMeta(JSON.parse(readFileSync(path.join(directory, 'meta.json'), 'utf8')));
  assert('fields' in reading);
  return reading.fields;
}

export function getExit({directory}: Prepared): ExitRecord | undefined {
  const file = path.join(directory, 'exit.json');
  if (!existsSync(file)) return undefined;
  const reading = parseExitRecord(JSON.parse(readFileSync(file, 'utf8')));
  assert('fields' in reading);
  return reading.fields;
}

/** The processes that carry the cookie. */
export function getProcesses({cookie}: Launch): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1')
          .split('\0')
          .includes(`ORCH_SESSION=${cookie}`);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** Dead, whether its parent has noticed or not. */
export function hasEnded(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

let bundle: string | undefined;

function bundled(): string {
  if (bundle !== undefined) return bundle;
  const directory = mkdtempSync(path.join(os.tmpdir(), 'okb-'));
  process.on('exit', () => {
    rmSync(directory, {recursive: true});
  });
  symlinkSync(path.join(root, 'node_modules'), path.join(directory, 'node_modules'));
  bundle = path.join(directory, 'keeper.cjs');
  buildSync({
    entryPoints: [path.join(root, 'source/keeper/main.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    // CommonJS: to import node:process and node:fs as modules costs 1.5 MB in each keeper.
    format: 'cjs',
    define: {'import.meta.url': '__filename'},
    target: 'node22.12',
    logLevel: 'warning',
  });
  return bundle;
}
