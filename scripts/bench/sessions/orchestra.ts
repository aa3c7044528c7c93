import path from 'node:path';
import process from 'node:process';
import {execFile, execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync} from 'node:fs';
import {promisify} from 'node:util';
import {readExtent} from '../../../source/keeper/index.ts';
import {eventually} from '../../../test/support/eventually.ts';
import type {Fixture} from './fixture.ts';
import {
  introduced,
  isAlive,
  type Keeping,
  killOwn,
  readIfThere,
  type Seat,
  wallClock,
  type World,
} from './world.ts';

export type OrchestraSeat = Seat & {
  readonly session: string;
  readonly keeperPid: number;
  /** How much of its output is in the log. */
  readonly logged: () => number;
};

type SessionLine = {readonly session: string; readonly status: string; readonly pid?: number};

export type OrchestraBench = Omit<World, 'start'> & {
  /** The repository, and the environment of everything that runs in it. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly start: (script: string) => Promise<OrchestraSeat>;
  /** Runs the program to its end and gives what it printed. */
  readonly run: (...argv: readonly string[]) => Promise<string>;
  readonly sessions: () => Promise<readonly SessionLine[]>;
  readonly daemonPid: () => Promise<number>;
};

export const orchestra: Keeping = {name: 'orchestra', open: openOrchestra};

/** A repository of its own with state of its own, and the program as it was built. */
export function openOrchestra(fixture: Fixture): OrchestraBench {
  const home = fixture.newPath('orchestra');
  const root = path.join(home, 'repository');
  const env = {
    ...fixture.env,
    HOME: home,
    XDG_STATE_HOME: path.join(home, 'state'),
    XDG_RUNTIME_DIR: path.join(home, 'run'),
    ORCHESTRA_IDLE_MS: '600000',
    ORCHESTRA_MOST_CRASHES: '1000000',
  };
  for (const directory of [home, root, env.XDG_STATE_HOME, env.XDG_RUNTIME_DIR])
    mkdirSync(directory, {mode: 0o700});
  execFileSync('git', ['init', '-q', root], {env});
  const seats: OrchestraSeat[] = [];

  const run = async (...argv: readonly string[]): Promise<string> => {
    const {stdout} = await promisify(execFile)(process.execPath, [fixture.launcher, ...argv], {
      cwd: root,
      env,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  };

  const sessions: OrchestraBench['sessions'] = async () =>
    (JSON.parse(await run('sessions', '--json')) as {readonly sessions: readonly SessionLine[]})
      .sessions;

  const daemonPid = async (): Promise<number> =>
    (JSON.parse(await run('daemon', 'status', '--json')) as {readonly pid: number}).pid;

  const start = async (script: string): Promise<OrchestraSeat> => {
    const {argv, origin} = introduced(fixture, script);
    const {session} = JSON.parse(await run('start', '--json', '--', ...argv)) as {
      readonly session: string;
    };
    const who = await origin();
    const directory = getDirectory(env.XDG_STATE_HOME, session);
    const {pid: keeperPid} = JSON.parse(
      await eventually('the meta file', () => readIfThere(path.join(directory, 'meta.json'))),
    ) as {readonly pid: number};
    const seat: OrchestraSeat = {
      ...who,
      session,
      keeperPid,
      attach: {argv: [process.execPath, fixture.launcher, 'attach', session], env, cwd: root},
      logged: () => readExtent(directory).end,
      ended: async () => {
        // It is written after the last byte of the output, and the output is on the disk by then.
        await eventually(
          'the exit record',
          () => existsSync(path.join(directory, 'exit.json')),
          120_000,
        );
        return wallClock();
      },
    };
    seats.push(seat);
    return seat;
  };

  return {
    name: 'orchestra',
    root,
    env,
    start,
    run,
    sessions,
    daemonPid,
    close: async () => {
      if (seats.length === 0) return;
      for (const {pid} of seats) killOwn(fixture, pid);
      // The daemon records each exit and releases the keeper.
      await eventually(
        'the end of the keepers',
        () => seats.every(({keeperPid}) => !isAlive(keeperPid)),
        60_000,
      );
      // A daemon that is busy for longer than its clients wait is no reason to leave it behind.
      const daemon = await eventually(
        'an answer of the daemon',
        () => daemonPid().catch(() => undefined),
        60_000,
      );
      await run('daemon', 'stop');
      await eventually('the end of the daemon', () => !isAlive(daemon));
    },
  };
}

function getDirectory(state: string, session: string): string {
  const found = readdirSync(state, {recursive: true, encoding: 'utf8'}).find(
    (name) => name.endsWith(`-${session}`) && path.basename(path.dirname(name)) === 'sessions',
  );
  if (found === undefined) throw new Error(`expected a directory of ${session} in ${state}`);
  return path.join(state, found);
}
