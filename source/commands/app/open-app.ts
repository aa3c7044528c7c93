import {existsSync} from 'node:fs';
import {enableCompileCache} from 'node:module';
import path from 'node:path';
import {releaseSequence, takeSequence, type KeptFrame} from '../../tui/index.ts';
import {findHere, Impossible} from '../here.ts';
import type {ExitCode, Surroundings, Terminal} from '../surroundings.ts';
import type {app as App} from './app.ts';
import {readLastFrame} from './last-frame.ts';

/**
 * What `orchestra` alone does. What the app showed last is painted at once, and only then is the app loaded, which takes several
 * times as long as all of this.
 */
export async function openApp(surroundings: Surroundings): Promise<ExitCode> {
  const {terminal, env} = surroundings;
  if (terminal === undefined) throw new Impossible('the app needs a terminal');
  if (env['TERM'] === 'dumb')
    throw new Impossible(
      'TERM is "dumb", so the app cannot draw here. Set TERM to what your terminal is, such as xterm-256color; or use the commands: `orchestra status`, `orchestra --help`',
    );
  const stateDirectory = stateDirectoryOf(surroundings);
  const frame =
    stateDirectory === undefined ? undefined : lastFrameOf(stateDirectory, surroundings);
  if (frame === undefined) return (await load(stateDirectory)).app(surroundings);
  const painted = paint(terminal, frame);
  try {
    const {app} = await load(stateDirectory);
    if (painted.signal() !== undefined) return 128 + signalNumbers[painted.signal() ?? 'SIGTERM'];
    return await app(surroundings, {frame, handOver: painted.handOver});
  } finally {
    painted.release();
  }
}

const signalNumbers = {SIGHUP: 1, SIGINT: 2, SIGTERM: 15} as const;

function stateDirectoryOf(surroundings: Surroundings): string | undefined {
  try {
    return findHere(surroundings).stateDirectory;
  } catch {
    // The app itself says what is wrong here.
    return undefined;
  }
}

/** Somebody who listens is not told what was. */
function lastFrameOf(stateDirectory: string, surroundings: Surroundings): KeptFrame | undefined {
  return surroundings.env['INK_SCREEN_READER'] === 'true'
    ? undefined
    : readLastFrame(stateDirectory, surroundings);
}

/** What was compiled of the app is kept: 20 ms of 190 until its first frame. It is written at the end, by Node, where a state is kept. */
async function load(stateDirectory: string | undefined): Promise<{readonly app: typeof App}> {
  if (stateDirectory !== undefined && existsSync(stateDirectory))
    enableCompileCache(path.join(stateDirectory, 'compiled'));
  return import('./app.ts');
}

type Taken = {
  /** What would have ended us meanwhile. */
  readonly signal: () => keyof typeof signalNumbers | undefined;
  /** From now on the terminal is the app's. */
  readonly handOver: () => void;
  readonly release: () => void;
};

/** Takes the terminal as the app does: what is typed from now on waits for it, unseen. */
function paint(terminal: Terminal, {text}: KeptFrame): Taken {
  let ended: keyof typeof signalNumbers | undefined;
  let isOurs = true;
  const stopSignals = terminal.onSignal((signal) => {
    if (signal === 'SIGTERM' || signal === 'SIGHUP' || signal === 'SIGINT') ended = signal;
    if (signal === 'exit') release();
  });
  const handOver = (): void => {
    isOurs = false;
    stopSignals();
  };

  const release = (): void => {
    if (!isOurs) return;
    handOver();
    terminal.write(releaseSequence);
    terminal.raw(false);
  };

  terminal.raw(true);
  terminal.write(`${takeSequence}${text}`);
  return {signal: () => ended, handOver, release};
}
