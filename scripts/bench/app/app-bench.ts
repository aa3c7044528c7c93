import path from 'node:path';
import process from 'node:process';
import {Buffer} from 'node:buffer';
import {execFileSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {setTimeout as pass} from 'node:timers/promises';
import {eventually} from '../../../test/support/eventually.ts';
import {openOrchestra, type OrchestraSeat} from '../sessions/orchestra.ts';
import {type Fixture, getProcesses, size} from '../sessions/fixture.ts';
import type {Command} from '../sessions/terminal.ts';
import {introduced, isAlive, killOwn, readIfThere} from '../sessions/world.ts';
import type {Viewer} from './viewer.ts';

/** Scripts in panes, and how to look at them. */
export type AppBench = {
  readonly view: Command;
  /** Text that shows that the app is ready. */
  readonly useful: RegExp;
  /** The mark of a frame of the last visit, which `useful` may be. */
  readonly cached?: RegExp;
  /** Shows that the frame is of now, once the cached one is gone. @default as useful */
  readonly live?: RegExp;
  /** A key that leads from the first screen to the panes, where there is one. */
  readonly open?: string;
  readonly showAll: (viewer: Viewer, count: number) => Promise<unknown>;
  /** The first pane alone on the screen, and every key goes there. */
  readonly typeInto: (viewer: Viewer) => Promise<void>;
  /** The first four panes side by side, and every key goes to the first. */
  readonly typeIntoGrid: (viewer: Viewer) => Promise<void>;
  /** Everything that keeps and shows the sessions. */
  readonly pids: (viewer: number) => readonly number[];
  /**
   * Bytes that the scripts have written so far, as the kernel counts them. The first is not among
   * them.
   */
  readonly written: () => number;
  readonly close: () => Promise<void>;
};

export function openAppBench(
  fixture: Fixture,
  kind: string,
  scripts: readonly string[],
  mprocs: string | undefined,
): Promise<AppBench> {
  if (kind === 'orchestra' || kind === 'before') return orchestraBench(fixture, scripts);
  return kind === 'tmux'
    ? tmuxBench(fixture, scripts)
    : Promise.resolve(mprocsBench(fixture, scripts, mprocs!));
}

async function orchestraBench(fixture: Fixture, scripts: readonly string[]): Promise<AppBench> {
  const bench = openOrchestra(fixture);
  const seats: OrchestraSeat[] = [];
  for (const script of scripts) seats.push(await bench.start(script));
  const {env, cwd} = seats[0]!.attach;
  execFileSync(
    'git',
    [
      '-c',
      'user.name=Bench',
      '-c',
      'user.email=bench@example.org',
      'commit',
      '--quiet',
      '--allow-empty',
      '--message',
      'Begin',
    ],
    {cwd, env},
  );
  const daemon = await bench.daemonPid();
  const toPanes = (viewer: Viewer): Promise<unknown> => viewer.shows(/^ Sessions/m, 'w');
  const showAll = async (viewer: Viewer, count: number): Promise<void> => {
    await toPanes(viewer);
    const title = new RegExp(`(?:│.${count}|[─━]) s${count} `);
    await eventually(`${count} panes`, async () => {
      if (title.test(viewer.text())) return true;
      viewer.press(Buffer.from('+'));
      return viewer.shows(title).then(() => true);
    });
  };

  return {
    view: {argv: [process.execPath, fixture.launcher], env, cwd},
    useful: /Running now|^ Sessions/m,
    cached: /as you left it/,
    live: /\? (?:help|keys)\s*$/,
    open: 'w',
    showAll,
    typeIntoGrid: async (viewer) => {
      await showAll(viewer, 4);
      viewer.press(Buffer.from('\u001B[H'));
      await pass(500);
      viewer.press(Buffer.from('\r'));
      await viewer.shows(/TYPING/);
    },
    typeInto: async (viewer) => {
      await toPanes(viewer);
      viewer.press(Buffer.from('\u001B[Hz'));
      // Without the list beside it; and keys that come in one piece with others do not begin
      // typing.
      await viewer.shows(/^.?READY-TO-ECHO/m);
      viewer.press(Buffer.from('\r'));
      await viewer.shows(/TYPING/);
    },
    pids: (viewer) => [viewer, daemon, ...seats.map(({keeperPid}) => keeperPid)],
    written: () => writtenBy(seats.slice(1).map(({pid}) => pid)),
    close: bench.close,
  };
}

async function tmuxBench(fixture: Fixture, plain: readonly string[]): Promise<AppBench> {
  const introductions = plain.map((script) => introduced(fixture, script));
  const scripts = introductions.map(({argv}) => argv.at(-1)!);
  const socket = path.basename(fixture.newPath('tmux'));
  const command = ['tmux', '-L', socket, '-f', '/dev/null', '-u'];
  const tmux = (...argv: readonly string[]): string =>
    execFileSync(command[0]!, [...command.slice(1), ...argv], {
      env: fixture.env,
      cwd: fixture.directory,
      encoding: 'utf8',
    }).trim();
  tmux(
    'start-server',
    ';',
    'set-option',
    '-g',
    'history-limit',
    '5000',
    ';',
    'new-session',
    '-d',
    '-s',
    'bench',
    '-x',
    String(size.columns),
    '-y',
    String(size.rows),
    scripts[0]!,
  );
  // As many side by side as fit.
  const [beside, elsewhere] =
    scripts.length > maxConcurrent ? [[], scripts.slice(1)] : [scripts.slice(1), []];
  for (const script of beside)
    tmux('split-window', '-t', 'bench:0.0', script, ';', 'select-layout', '-t', 'bench', 'tiled');
  for (const script of elsewhere) tmux('new-window', '-d', '-t', 'bench', script);
  tmux('select-pane', '-t', 'bench:0.0');
  const server = Number(tmux('display-message', '-p', '#{pid}'));
  const pids = await getPids(introductions);
  return {
    view: {
      argv: [...command, 'attach-session', '-t', 'bench'],
      env: fixture.env,
      cwd: fixture.directory,
    },
    useful: /READY/,
    showAll: (viewer) => viewer.shows(/\[bench\]/),
    typeInto: async (viewer) => {
      await viewer.shows(/\[bench\]/);
      viewer.press(Buffer.from('\u0002z'));
      await viewer.shows(/^READY-TO-ECHO *$/m);
    },
    // In its window they are side by side already.
    typeIntoGrid: async (viewer) => {
      await viewer.shows(/\[bench\]/);
    },
    pids: (viewer) => [viewer, server],
    written: () => writtenBy(pids.slice(1)),
    close: async () => {
      tmux('kill-server');
      await eventually('the end of the tmux server', () => !isAlive(server));
    },
  };
}

function mprocsBench(fixture: Fixture, plain: readonly string[], mprocs: string): AppBench {
  const introductions = plain.map((script) => introduced(fixture, script));
  const files = introductions.map(({argv}, index) => {
    const file = fixture.newPath(`script-${index}`);
    writeFileSync(file, argv.at(-1)!);
    return file;
  });
  let pids: readonly number[] = [];
  return {
    view: {
      argv: [mprocs, ...files.map((file) => `sh ${file}`)],
      env: fixture.env,
      cwd: fixture.directory,
    },
    useful: /READY/,
    // It shows one at a time.
    showAll: async (viewer) => {
      await viewer.shows(/Processes/);
      pids = await getPids(introductions);
    },
    typeInto: async (viewer) => {
      await viewer.shows(/READY-TO-ECHO/);
      pids = await getPids(introductions);
      // From the list to the terminal.
      viewer.press(Buffer.from('\u0001'));
    },
    typeIntoGrid: () => Promise.reject(new Error('it shows one pane at a time')),
    pids: (viewer) => [viewer],
    written: () => writtenBy(pids.slice(1)),
    // Killed, it leaves programs behind: the scripts, and the shells that it starts them with.
    close: async () => {
      for (const pid of await getPids(introductions)) killOwn(fixture, pid);
      for (const {pid, what} of getProcesses(fixture.directory))
        if (files.some((file) => what.endsWith(file))) killOwn(fixture, pid);
    },
  };
}

const maxConcurrent = 12;

async function getPids(
  introductions: readonly ReturnType<typeof introduced>[],
): Promise<readonly number[]> {
  return Promise.all(introductions.map(async ({origin}) => (await origin()).pid));
}

function writtenBy(pids: readonly number[]): number {
  return pids.reduce(
    (sum, pid) =>
      sum + Number(/^wchar: (\d+)/m.exec(readIfThere(`/proc/${pid}/io`) ?? '')?.[1] ?? 0),
    0,
  );
}
