import path from 'node:path';
import {existsSync} from 'node:fs';
import {enableCompileCache} from 'node:module';
import {type CachedFrame, enterSequence, leaveSequence} from '../../app/index.ts';
import {resolveRepoPaths, UsageError} from '../repo-paths.ts';
import type {CliContext, ExitCode, CliTerminal} from '../cli-context.ts';
import type {app as App} from './app.ts';
import {readLastFrame} from './last-frame.ts';

/**
 * Runs `orchestra` without a command. Paints the last frame at once and then loads the app, which
 * takes several times as long.
 */
export async function openApp(cli: CliContext): Promise<ExitCode> {
  const {terminal, env} = cli;
  if (terminal === undefined) throw new UsageError('the app needs a terminal');
  if (env['TERM'] === 'dumb')
    throw new UsageError(
      'TERM is "dumb", so the app cannot draw here. Set TERM to your terminal type, for ' +
        'example xterm-256color. Or use the commands: `orchestra status`, `orchestra ' +
        '--help`',
    );
  const stateDirectory = findStateDirectory(cli);
  const frame = stateDirectory === undefined ? undefined : findLastFrame(stateDirectory, cli);
  if (frame === undefined) return (await loadApp(stateDirectory)).app(cli);
  const painted = paint(terminal, frame);
  try {
    const {app} = await loadApp(stateDirectory);
    if (painted.signal() !== undefined) return 128 + signalNumbers[painted.signal() ?? 'SIGTERM'];
    return await app(cli, {frame, handOver: painted.handOver});
  } finally {
    painted.release();
  }
}

const signalNumbers = {SIGHUP: 1, SIGINT: 2, SIGTERM: 15} as const;

function findStateDirectory(cli: CliContext): string | undefined {
  try {
    return resolveRepoPaths(cli).stateDirectory;
  } catch {
    // The app reports this error itself.
    return undefined;
  }
}

/** Screen readers skip the cached frame. */
function findLastFrame(stateDirectory: string, cli: CliContext): CachedFrame | undefined {
  return cli.env['INK_SCREEN_READER'] === 'true' ? undefined : readLastFrame(stateDirectory, cli);
}

/**
 * Caches the compiled app: saves 20 ms of 190 until its first frame. Node writes the cache at its
 * exit.
 */
async function loadApp(stateDirectory: string | undefined): Promise<{readonly app: typeof App}> {
  if (stateDirectory !== undefined && existsSync(stateDirectory))
    enableCompileCache(path.join(stateDirectory, 'compiled'));
  return import('./app.ts');
}

type Taken = {
  /** The signal that arrived meanwhile. */
  readonly signal: () => keyof typeof signalNumbers | undefined;
  /** Makes the app responsible for the terminal. */
  readonly handOver: () => void;
  readonly release: () => void;
};

/**
 * Sets up the terminal as the app does: keys typed from now on are not echoed and wait for the app.
 */
function paint(terminal: CliTerminal, {text}: CachedFrame): Taken {
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
    terminal.write(leaveSequence);
    terminal.raw(false);
  };

  terminal.raw(true);
  terminal.write(`${enterSequence}${text}`);
  return {signal: () => ended, handOver, release};
}
