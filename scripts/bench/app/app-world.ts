import {Buffer} from 'node:buffer';
import {execFileSync} from 'node:child_process';
import path from 'node:path';
import process from 'node:process';
import {eventually} from '../../../test/support/eventually.ts';
import {openOrchestra, type OrchestraSeat} from '../sessions/orchestra.ts';
import {size, type Stage} from '../sessions/stage.ts';
import type {Command} from '../sessions/terminal.ts';
import {isAlive} from '../sessions/world.ts';
import type {Viewer} from './viewer.ts';

/** Scripts in panes, and how to look at them. */
export type AppWorld = {
  readonly view: Command;
  /** What tells a person something, once it is opened. */
  readonly useful: RegExp;
  /** A key that leads from the first screen to the panes, where there is one. */
  readonly open?: string;
  readonly showAll: (viewer: Viewer, count: number) => Promise<unknown>;
  /** The first pane alone on the screen, and every key goes there. Not for mprocs: flooded, no echo came within 30 s, for a reason that was not looked for. */
  readonly typeInto?: (viewer: Viewer) => Promise<void>;
  /** Everything that keeps and shows the sessions. */
  readonly pids: (viewer: number) => readonly number[];
  readonly close: () => Promise<void>;
};

export function openAppWorld(stage: Stage, kind: string, scripts: readonly string[], mprocs: string | undefined): Promise<AppWorld> {
  if (kind === 'orchestra') return orchestraWorld(stage, scripts);
  return Promise.resolve(kind === 'tmux' ? tmuxWorld(stage, scripts) : mprocsWorld(stage, scripts, mprocs!));
}

async function orchestraWorld(stage: Stage, scripts: readonly string[]): Promise<AppWorld> {
  const world = openOrchestra(stage);
  const seats: OrchestraSeat[] = [];
  for (const script of scripts) seats.push(await world.start(script));
  const {env, cwd} = seats[0]!.attach;
  execFileSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org', 'commit', '--quiet', '--allow-empty', '--message', 'Begin'], {cwd, env});
  const daemon = await world.daemonPid();
  const toPanes = (viewer: Viewer): Promise<unknown> => viewer.shows(/^ Sessions/m, 'w');
  return {
    view: {argv: [process.execPath, stage.launcher], env, cwd}, useful: /Running now|^ Sessions/m, open: 'w',
    showAll: async (viewer, count) => {
      await toPanes(viewer);
      await eventually(`${count} panes`, async () => {
        if (new RegExp(`│.${count} s${count} `).test(viewer.text())) return true;
        viewer.press(Buffer.from('+'));
        return viewer.shows(new RegExp(`│.${count} s${count} `)).then(() => true);
      });
    },
    typeInto: async (viewer) => {
      await toPanes(viewer);
      viewer.press(Buffer.from('\u001B[Hz'));
      await viewer.shows(/READY-TO-ECHO/);
      viewer.press(Buffer.from('\r'));
      await viewer.shows(/TYPING/);
    },
    pids: (viewer) => [viewer, daemon, ...seats.map(({keeperPid}) => keeperPid)],
    close: world.close,
  };
}

function tmuxWorld(stage: Stage, scripts: readonly string[]): AppWorld {
  const socket = path.basename(stage.newPath('tmux'));
  const command = ['tmux', '-L', socket, '-f', '/dev/null', '-u'];
  const tmux = (...argv: readonly string[]): string => execFileSync(command[0]!, [...command.slice(1), ...argv], {env: stage.env, cwd: stage.directory, encoding: 'utf8'}).trim();
  tmux('new-session', '-d', '-s', 'bench', '-x', String(size.columns), '-y', String(size.rows), scripts[0]!);
  for (const script of scripts.slice(1)) tmux('split-window', '-t', 'bench:0.0', script, ';', 'select-layout', '-t', 'bench', 'tiled');
  tmux('select-pane', '-t', 'bench:0.0');
  const server = Number(tmux('display-message', '-p', '#{pid}'));
  return {
    view: {argv: [...command, 'attach-session', '-t', 'bench'], env: stage.env, cwd: stage.directory}, useful: /READY/,
    showAll: (viewer) => viewer.shows(/\[bench\]/),
    typeInto: async (viewer) => {
      await viewer.shows(/\[bench\]/);
      viewer.press(Buffer.from('\u0002z'));
      await viewer.shows(/^READY-TO-ECHO *$/m);
    },
    pids: (viewer) => [viewer, server],
    close: async () => {
      tmux('kill-server');
      await eventually('the end of the tmux server', () => !isAlive(server));
    },
  };
}

function mprocsWorld(stage: Stage, scripts: readonly string[], mprocs: string): AppWorld {
  return {
    view: {argv: [mprocs, ...scripts], env: stage.env, cwd: stage.directory}, useful: /READY/,
    // It shows one at a time.
    showAll: (viewer) => viewer.shows(/Processes/),
    pids: (viewer) => [viewer],
    close: () => Promise.resolve(),
  };
}
