import {errorText} from '../shared/index.ts';
import path from 'node:path';
import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {formatAsciicast, type CastFrame, toFrames} from '../reports/index.ts';
import {readLog, readTimes} from '../keeper/index.ts';
import {createOutputFilter, resetSequence} from '../terminal/index.ts';
import {UsageError} from './repo-paths.ts';
import type {CliContext, ExitCode} from './cli-context.ts';
import {askTicket} from './ticket.ts';
import {withDaemon} from './with-daemon.ts';

/** Longer pauses are shortened to this. */
const maxPauseMs = 2;

/** Plays back a session's output with its timing, or writes it as asciicast v2. */
export async function replay(
  session: string,
  options: {readonly speed?: string; readonly export?: string},
  cli: CliContext,
): Promise<ExitCode> {
  const speed = Number(options.speed ?? '1');
  if (!(speed > 0))
    throw new UsageError(`expected a speed above 0, got ${JSON.stringify(options.speed)}`);
  return withDaemon(cli, async (daemon) => {
    const {directory} = await askTicket(daemon, session, {read: true});
    const times = readTimes(directory);
    const frames = toFrames(readLog(directory), times);
    const {columns = 80, rows = 24} = times[0] ?? {};
    if (options.export !== undefined) {
      writeRecording(
        path.resolve(cli.cwd, options.export),
        formatAsciicast(frames, {columns, rows, timestamp: Date.now(), title: session}),
      );
      return 0;
    }

    await play(frames, {speed, from: frames[0]?.seconds ?? 0}, cli);
    return 0;
  });
}

function writeRecording(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(
      `expected a writable file for the recording, got ${file}: ${errorText(error)}`,
      {cause: error},
    );
  }
}

/** Playback begins this long before the moment, to show what led to it. */
const leadSeconds = 5;

/**
 * Plays back from shortly before a moment (wall clock). The last picture stays until a key is
 * pressed; a key also ends playback early. The caller restores the terminal.
 */
export async function replayFrom(session: string, at: number, cli: CliContext): Promise<void> {
  const {keyboard} = cli;
  if (keyboard === undefined)
    throw new UsageError('a recording needs a terminal. To print the output only: orchestra logs');
  await withDaemon(cli, async (daemon) => {
    const {directory} = await askTicket(daemon, session, {read: true});
    const times = readTimes(directory);
    const frames = toFrames(readLog(directory), times);
    const first = times[0]?.at ?? at;
    const pressed = new AbortController();
    const hands = keyboard.take(
      (bytes) => {
        if (isPressed(bytes)) pressed.abort();
      },
      () => undefined,
    );
    try {
      cli.out(lastLine(`the recording of ${session}; any key goes back`, cli));
      await play(
        frames,
        {speed: 1, from: Math.max(0, (at - first) / 1000 - leadSeconds)},
        cli,
        pressed.signal,
      );
      cli.out(lastLine(`the end of the recording of ${session}; any key goes back`, cli));
      if (!pressed.signal.aborted) await once(pressed.signal, 'abort');
    } finally {
      hands.release();
    }

    return 0;
  });
}

/** Terminal replies and mouse reports are not key presses. */
function isPressed(bytes: Uint8Array): boolean {
  return (
    bytes[0] !== 0x1b ||
    bytes.length === 1 ||
    /^\u001B(?:\[[\d;]*[A-HZ~u]|O[A-Z]|[^[O])$/.test(new TextDecoder().decode(bytes))
  );
}

/** Draws over the last line and moves the cursor back. */
function lastLine(text: string, {columns = 80, rows = 24}: CliContext): string {
  return `\u001B7\u001B[${rows};1H\u001B[0;7m ${text.slice(0, columns - 2)} \u001B[m\u001B8`;
}

async function play(
  frames: readonly CastFrame[],
  {speed, from}: {readonly speed: number; readonly from: number},
  cli: CliContext,
  stop?: AbortSignal,
): Promise<void> {
  const filter = createOutputFilter();
  let before = from;
  for (const {seconds, text} of frames) {
    // Earlier output is drawn at once.
    if (seconds > before)
      await delay(
        Math.min(maxPauseMs, (seconds - before) / speed) * 1000,
        undefined,
        stop === undefined ? {} : {signal: stop},
      ).catch(() => undefined);
    if (stop?.aborted === true) break;
    before = Math.max(before, seconds);
    cli.write(filter.write(new TextEncoder().encode(text)));
  }

  if (cli.isTerminal && stop === undefined) cli.out(resetSequence(filter.modes()));
}
