import os from 'node:os';
import path from 'node:path';
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync} from 'node:fs';
import type {TestContext} from 'node:test';
import {connectDaemon, type DaemonConnection} from '../../../source/client/index.ts';
import {readToken, type RepoPaths, resolveRepoPaths} from '../../../source/cli/repo-paths.ts';
import {type Event, selectOpenRuns, type State} from '../../../source/domain/index.ts';
import type {SessionReport} from '../../../source/daemon/index.ts';
import {readLog} from '../../../source/keeper/index.ts';
import {
  type DaemonMessage,
  type Meta,
  parseMeta,
  type Question,
  sessionFiles,
} from '../../../source/protocol/index.ts';
import {eventually} from '../../support/eventually.ts';

/**
 * The program as it is shipped; another build of it can be named, for whoever builds while others
 * test.
 */
const dist =
  process.env['ORCHESTRA_DIST'] ?? path.join(import.meta.dirname, '..', '..', '..', 'dist');
export const launcher = path.join(dist, 'orchestra.js');

export type Outcome = {readonly code: number | null; readonly out: string; readonly err: string};

/**
 * A repository of its own with state of its own, in which the real program is run. Afterwards
 * nothing of it is left.
 */
export type DaemonFixture = {
  readonly home: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly current: () => RepoPaths;
  /** Runs orchestra to its end. */
  readonly run: (...argv: readonly string[]) => Outcome;
  /** The same, without waiting. */
  readonly launch: (...argv: readonly string[]) => Promise<Outcome>;
  readonly json: (...argv: readonly string[]) => unknown;
  /** Starts a session and gives its id. */
  readonly start: (...command: readonly string[]) => Promise<string>;
  /** Asks the daemon, which is started if there is none. */
  readonly ask: (question: Question) => Promise<unknown>;
  readonly sessions: () => Promise<readonly SessionReport[]>;
  readonly sessionOf: (session: string) => Promise<SessionReport | undefined>;
  /** The session, once it has ended. */
  readonly endOf: (session: string) => Promise<SessionReport>;
  readonly daemonPid: () => Promise<number | undefined>;
  /** Ends the daemon with a signal and waits until it is gone. */
  readonly killDaemon: (signal: NodeJS.Signals) => Promise<void>;
  /** A conversation of the test's own with the daemon that runs. */
  readonly connect: (
    facts?: (message: Extract<DaemonMessage, {type: 'fact'}>) => void,
  ) => Promise<DaemonConnection>;
  readonly directoryOf: (session: string) => string;
  readonly metaOf: (session: string) => Meta;
  /** Every byte that the session wrote so far. */
  readonly outputOf: (session: string) => string;
  /** What the journal holds. */
  readonly events: () => readonly Event[];
  readonly close: () => Promise<void>;
};

export function createDaemonFixture(
  t: Pick<TestContext, 'after'>,
  variables: Readonly<Record<string, string>> = {},
): DaemonFixture {
  const fixture = openDaemonFixture(variables);
  t.after(fixture.close);
  return fixture;
}

export function openDaemonFixture(variables: Readonly<Record<string, string>> = {}): DaemonFixture {
  const home = mkdtempSync(path.join(os.tmpdir(), 'orchestra-place-'));
  const root = path.join(home, 'repository');
  const env = {
    PATH: `${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    XDG_STATE_HOME: path.join(home, 'state'),
    XDG_RUNTIME_DIR: path.join(home, 'run'),
    ORCHESTRA_IDLE_MS: '600000',
    ORCHESTRA_MOST_CRASHES: '1000000',
    ...variables,
  };
  execFileSync('mkdir', ['-p', '-m', '700', root, env.XDG_RUNTIME_DIR]);
  execFileSync('git', ['init', '-q', root], {env});
  const current = (): RepoPaths => resolveRepoPaths({cwd: root, env});
  const run: DaemonFixture['run'] = (...argv) => {
    const {status, stdout, stderr} = spawnSync(process.execPath, [launcher, ...argv], {
      cwd: root,
      env,
      encoding: 'utf8',
      timeout: 120_000,
      maxBuffer: 256 * 1024 * 1024,
    });
    return {code: status, out: stdout, err: stderr};
  };

  const launch: DaemonFixture['launch'] = (...argv) =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, [launcher, ...argv], {
        cwd: root,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [out, err]: [string[], string[]] = [[], []];
      child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
      child.once('close', (code) => {
        resolve({code, out: out.join(''), err: err.join('')});
      });
    });

  const json: DaemonFixture['json'] = (...argv) => {
    const {code, out, err} = run(...argv, '--json');
    if (out === '')
      throw new Error(`orchestra ${argv.join(' ')} ended with ${code ?? 'a signal'}: ${err}`);
    return JSON.parse(out) as unknown;
  };

  const connect: DaemonFixture['connect'] = (facts) =>
    connectDaemon(
      {socket: current().socket, token: readToken(current()), build: 'test'},
      {timeoutMs: 60_000, ...(facts === undefined ? {} : {facts})},
    );
  const connectIfThere = (): Promise<DaemonConnection | undefined> =>
    connect().catch((error: unknown) => {
      if (['ENOENT', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? ''))
        return undefined;
      throw error;
    });
  const withDaemon = async <T>(act: (daemon: DaemonConnection) => Promise<T>): Promise<T> => {
    const present = await connectIfThere();
    if (present === undefined) {
      const {code, err} = await launch('daemon', 'start');
      if (code !== 0) throw new Error(`the daemon did not start: ${err}`);
    }

    const daemon = present ?? (await connect());
    try {
      return await act(daemon);
    } finally {
      daemon.close();
    }
  };

  const ask: DaemonFixture['ask'] = (question) => withDaemon((daemon) => daemon.ask(question));
  const start: DaemonFixture['start'] = async (...command) => {
    const {events} = (await ask({
      about: 'wish',
      wish: {type: 'start-session', name: 'test', command, directory: root},
      env,
      size: {columns: 80, rows: 24},
    })) as {readonly events: readonly Event[]};
    return events.flatMap((event) => (event.type === 'session-asked' ? [event.session] : []))[0]!;
  };

  const sessions: DaemonFixture['sessions'] = async () =>
    ((await ask({about: 'sessions'})) as {readonly sessions: readonly SessionReport[]}).sessions;
  const daemonPid: DaemonFixture['daemonPid'] = async () => {
    const daemon = await connectIfThere();
    daemon?.close();
    return daemon?.welcome.pid;
  };

  const killDaemon: DaemonFixture['killDaemon'] = async (signal) => {
    const pid = await daemonPid();
    if (pid === undefined) throw new Error('there is no daemon to end');
    const began = getStartTime(pid);
    end(pid, home, signal);
    await eventually('the daemon is gone', () => !isRunning(pid) || getStartTime(pid) !== began);
  };

  const sessionHome = (): string => path.join(current().stateDirectory, 'sessions');
  const getDirectory: DaemonFixture['directoryOf'] = (session) => {
    const name = readdirSync(sessionHome()).find((candidate) => candidate.endsWith(`-${session}`));
    if (name === undefined) throw new Error(`there is no directory of ${session}`);
    return path.join(sessionHome(), name);
  };

  const hasDirectory = (session: string): boolean =>
    existsSync(sessionHome()) &&
    readdirSync(sessionHome()).some((name) => name.endsWith(`-${session}`));

  const stopDaemon = async (): Promise<void> => {
    const daemon = await connectIfThere();
    if (daemon !== undefined && (await stopRuns(daemon))) await stopAll(daemon);
    await daemon?.ask({about: 'stop-daemon'});
    await daemon?.ended;
  };

  const close = async (): Promise<void> => {
    if (savedIn(sessionHome()).length > 0) await withDaemon(stopAll);
    await stopDaemon();
    // What a daemon that may write nothing could not stop: by what its keeper wrote down.
    for (const meta of savedIn(sessionHome())) {
      for (const {pid, startTime} of [meta.child ?? meta, meta])
        if (startTime !== null && getStartTime(pid) === startTime) signalTo(pid, 'SIGKILL');
    }

    await eventually('no process of the place is left', async () => {
      // One that was still starting serves only now.
      await stopDaemon();
      return processesIn(home).length === 0;
    });
    // One that is just becoming another program names no place for a moment.
    rmSync(home, {recursive: true, force: true, maxRetries: 10});
  };

  return {
    home,
    root,
    env,
    current,
    run,
    launch,
    json,
    start,
    ask,
    sessions,
    daemonPid,
    killDaemon,
    connect,
    directoryOf: getDirectory,
    close,
    sessionOf: async (session) => (await sessions()).find((one) => one.session === session),
    endOf: (session) =>
      eventually(`${session} has ended`, async () =>
        (await sessions()).find((one) => one.session === session && one.ended !== undefined),
      ),
    metaOf: (session) => metaIn(getDirectory(session))!,
    // A session that was asked for has no directory until its keeper is prepared.
    outputOf: (session) =>
      hasDirectory(session)
        ? Buffer.concat([...readLog(getDirectory(session))].map(({bytes}) => bytes)).toString(
            'utf8',
          )
        : '',
    // Whole lines only: the daemon may be in the middle of one.
    events: () =>
      readFileSync(path.join(current().stateDirectory, 'journal.jsonl'), 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => {
          const {type, data} = JSON.parse(line.slice(0, line.lastIndexOf('\t'))) as {
            readonly type: string;
            readonly data: object;
          };
          return {type, ...data} as Event;
        }),
  };
}

/** Sends a signal to a process, if it is one of the place. */
export function end(pid: number, home: string, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (mentions(pid, home)) signalTo(pid, signal);
}

/** One that has gone since it was looked for needs no signal any more. */
function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Field 22 of its stat: with it, a number that was given to a new process is not taken for the old
 * one.
 */
function getStartTime(pid: number): number | undefined {
  const began = getStat(pid)?.[19];
  return began === undefined ? undefined : Number(began);
}

/**
 * Whether the process is there and not only waits to be buried. While other threads of it live,
 * what it had open is open still, though the first of them is dead.
 */
export function isRunning(pid: number): boolean {
  const stat = getStat(pid);
  return stat !== undefined && (!['Z', 'X'].includes(stat[0] ?? '') || Number(stat[17]) > 1);
}

/** The fields of its stat from the third on, which is its state. */
function getStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/**
 * Processes whose environment, command line or output names the place. A keeper has hidden the
 * first two.
 */
export function processesIn(home: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && mentions(pid, home));
}

function mentions(pid: number, home: string): boolean {
  try {
    return (
      ['environ', 'cmdline'].some((file) =>
        readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(home),
      ) || readlinkSync(`/proc/${pid}/fd/1`).includes(home)
    );
  } catch {
    return false;
  }
}

/**
 * What a run would begin next is not there yet to be stopped by itself. Says whether there was one.
 */
async function stopRuns(daemon: DaemonConnection): Promise<boolean> {
  const open = selectOpenRuns((await daemon.ask({about: 'state'})) as State).filter(
    ({hold}) => hold === undefined,
  );
  for (const {id} of open)
    await daemon.ask({about: 'wish', wish: {type: 'stop', what: id}}).catch(() => undefined);
  return open.length > 0;
}

/** Stops every run and session and waits until none is left. */
async function stopAll(daemon: DaemonConnection): Promise<void> {
  await stopRuns(daemon);
  const live = async (): Promise<SessionReport[]> =>
    (
      (await daemon.ask({about: 'sessions'})) as {readonly sessions: SessionReport[]}
    ).sessions.filter(({ended}) => ended === undefined);
  for (const {session} of await live())
    await daemon.ask({about: 'wish', wish: {type: 'stop', what: session}}).catch(() => undefined);
  const {journal} = (await daemon.ask({about: 'daemon'})) as {
    readonly journal: {readonly mode: string};
  };
  if (journal.mode === 'writing')
    await eventually('every session has ended', async () => (await live()).length === 0);
}

/** Who keeps a session of which no end is written down. */
function savedIn(directory: string): Meta[] {
  try {
    return readdirSync(directory)
      .filter((name) => !existsSync(path.join(directory, name, sessionFiles.exit)))
      .flatMap((name) => metaIn(path.join(directory, name)) ?? []);
  } catch {
    return [];
  }
}

function metaIn(directory: string): Meta | undefined {
  try {
    const reading = parseMeta(
      JSON.parse(readFileSync(path.join(directory, sessionFiles.meta), 'utf8')),
    );
    return 'fields' in reading ? reading.fields : undefined;
  } catch {
    return undefined;
  }
}
