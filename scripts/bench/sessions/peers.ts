import path from 'node:path';
import process from 'node:process';
import {execFile, spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {promisify} from 'node:util';
import {eventually} from '../../../test/support/eventually.ts';
import {type Fixture, size} from './fixture.ts';
import {
  introduced,
  isAlive,
  type Keeping,
  killOwn,
  type Seat,
  wallClock,
  type World,
} from './world.ts';

/** What is installed of tmux and dtach, and what to say of the rest. */
export type Peers = {
  readonly tmux?: Keeping;
  readonly dtach?: Keeping;
  readonly versions: readonly string[];
};

export function findPeers(): Peers {
  const tmux = getFirstLine('tmux', ['-V']);
  const dtach = getFirstLine('dtach', ['--version']);
  return {
    ...(tmux === undefined ? {} : {tmux: {name: 'tmux', open: openTmux}}),
    ...(dtach === undefined ? {} : {dtach: {name: 'dtach', open: openDtach}}),
    versions: [
      tmux ?? 'tmux: not installed (apt-get install tmux)',
      dtach ?? 'dtach: not installed (apt-get install dtach)',
    ],
  };
}

export type TmuxBench = World & {readonly serverPid: () => Promise<number>};

/** A server of its own, without anybody's configuration; a session for each script. */
export function openTmux(fixture: Fixture): TmuxBench {
  const socket = path.basename(fixture.newPath('tmux'));
  const command = ['tmux', '-L', socket, '-f', '/dev/null', '-u'];
  const ask = async (...argv: string[]): Promise<string> => {
    const {stdout} = await promisify(execFile)(command[0]!, [...command.slice(1), ...argv], {
      env: fixture.env,
      cwd: fixture.directory,
      encoding: 'utf8',
    });
    return stdout.trim();
  };

  const serverPid = async (): Promise<number> =>
    Number(await ask('display-message', '-p', '#{pid}'));
  let sessions = 0;
  let server: number | undefined;
  return {
    name: 'tmux',
    serverPid,
    start: async (script): Promise<Seat> => {
      const name = `n${sessions++}`;
      const {argv, origin} = introduced(fixture, script);
      await ask(
        'new-session',
        '-d',
        '-s',
        name,
        '-x',
        String(size.columns),
        '-y',
        String(size.rows),
        ...argv,
      );
      const pid = (server ??= await serverPid());
      return {
        ...(await origin()),
        attach: {
          argv: [...command, 'attach-session', '-t', name],
          env: fixture.env,
          cwd: fixture.directory,
        },
        // It ends with its last session, once that one's output has been read.
        ended: async () => {
          await eventually('the end of the tmux server', () => !isAlive(pid), 120_000);
          return wallClock();
        },
      };
    },
    close: async () => {
      await ask('kill-server').catch(() => undefined);
      await eventually(
        'the end of the tmux server',
        () => server === undefined || !isAlive(server),
      );
    },
  };
}

/**
 * A process for each script. `-N` is `-n` without going to the background: so we know whose it is.
 */
export function openDtach(fixture: Fixture): World {
  const masters: ChildProcess[] = [];
  const programs: number[] = [];
  return {
    name: 'dtach',
    start: async (script): Promise<Seat> => {
      const socket = fixture.newPath('dtach');
      const {argv, origin} = introduced(fixture, script);
      const master = spawn('dtach', ['-N', socket, '-z', ...argv], {
        env: fixture.env,
        cwd: fixture.directory,
        stdio: 'ignore',
      });
      const end = once(master, 'exit').then(wallClock);
      masters.push(master);
      const who = await origin();
      programs.push(who.pid);
      return {
        ...who,
        attach: {
          argv: ['dtach', '-a', socket, '-E', '-z', '-r', 'none'],
          env: fixture.env,
          cwd: fixture.directory,
        },
        ended: () => end,
      };
    },
    close: async () => {
      for (const pid of programs) killOwn(fixture, pid);
      await eventually('the end of dtach', () =>
        masters.every(({exitCode, signalCode}) => exitCode !== null || signalCode !== null),
      );
    },
  };
}

function getFirstLine(program: string, argv: readonly string[]): string | undefined {
  const {error, stdout} = spawnSync(program, argv, {encoding: 'utf8', env: process.env});
  return error === undefined ? stdout.trim().split('\n')[0]! : undefined;
}
