import {once} from 'node:events';
import {writeFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import path from 'node:path';
import {asciicast, framesOf, type Frame} from '../documents/index.ts';
import {readLog, readTimes} from '../keeper/index.ts';
import {createOutputFilter, resetSequence} from '../terminal/index.ts';
import {Impossible} from './here.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {askTicket} from './ticket.ts';
import {withDaemon} from './with-daemon.ts';

/** Nobody wants to watch a pause of minutes. */
const longestPause = 2;

/** Plays a session's output with its timing, or writes it as asciicast v2. */
export async function replay(
  session: string,
  options: {readonly speed?: string; readonly export?: string},
  surroundings: Surroundings,
): Promise<ExitCode> {
  const speed = Number(options.speed ?? '1');
  if (!(speed > 0))
    throw new Impossible(`expected a speed above 0, got ${JSON.stringify(options.speed)}`);
  return withDaemon(surroundings, async (daemon) => {
    const {directory} = await askTicket(daemon, session, {read: true});
    const times = readTimes(directory);
    const frames = framesOf(readLog(directory), times);
    const {columns = 80, rows = 24} = times[0] ?? {};
    if (options.export !== undefined) {
      writeRecording(
        path.resolve(surroundings.cwd, options.export),
        asciicast(frames, {columns, rows, timestamp: Date.now(), title: session}),
      );
      return 0;
    }

    await play(frames, {speed, from: frames[0]?.seconds ?? 0}, surroundings);
    return 0;
  });
}

function writeRecording(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new Impossible(
      `expected a file that the recording can be written to, got ${file}: ${error instanceof Error ? error.message : String(error)}`,
      {cause: error},
    );
  }
}

/** So long before a moment it begins: one wants to see what led to it. */
const leadSeconds = 5;

/** Plays from a little before a moment (wall clock) on. The last picture stays until a key is pressed, and a key ends it early; whoever calls gives the terminal back. */
export async function replayFrom(
  session: string,
  at: number,
  surroundings: Surroundings,
): Promise<void> {
  const {keyboard} = surroundings;
  if (keyboard === undefined)
    throw new Impossible(
      'a recording is shown on a terminal; for its output alone: orchestra logs',
    );
  await withDaemon(surroundings, async (daemon) => {
    const {directory} = await askTicket(daemon, session, {read: true});
    const times = readTimes(directory);
    const frames = framesOf(readLog(directory), times);
    const first = times[0]?.at ?? at;
    const pressed = new AbortController();
    const hands = keyboard.take(
      (bytes) => {
        if (isPressed(bytes)) pressed.abort();
      },
      () => undefined,
    );
    try {
      surroundings.out(lastLine(`the recording of ${session}; any key goes back`, surroundings));
      await play(
        frames,
        {speed: 1, from: Math.max(0, (at - first) / 1000 - leadSeconds)},
        surroundings,
        pressed.signal,
      );
      surroundings.out(
        lastLine(`the end of the recording of ${session}; any key goes back`, surroundings),
      );
      if (!pressed.signal.aborted) await once(pressed.signal, 'abort');
    } finally {
      hands.release();
    }

    return 0;
  });
}

/** Answers of the terminal and the pointer are no keys. */
function isPressed(bytes: Uint8Array): boolean {
  return (
    bytes[0] !== 0x1b ||
    bytes.length === 1 ||
    /^\u001B(?:\[[\d;]*[A-HZ~u]|O[A-Z]|[^[O])$/.test(new TextDecoder().decode(bytes))
  );
}

/** Over whatever is there, with the cursor back where it was. */
function lastLine(words: string, {columns = 80, rows = 24}: Surroundings): string {
  return `\u001B7\u001B[${rows};1H\u001B[0;7m ${words.slice(0, columns - 2)} \u001B[m\u001B8`;
}

async function play(
  frames: readonly Frame[],
  {speed, from}: {readonly speed: number; readonly from: number},
  surroundings: Surroundings,
  stop?: AbortSignal,
): Promise<void> {
  const filter = createOutputFilter();
  let before = from;
  for (const {seconds, text} of frames) {
    // What came before is drawn at once.
    if (seconds > before)
      await delay(
        Math.min(longestPause, (seconds - before) / speed) * 1000,
        undefined,
        stop === undefined ? {} : {signal: stop},
      ).catch(() => undefined);
    if (stop?.aborted === true) break;
    before = Math.max(before, seconds);
    surroundings.write(filter.write(new TextEncoder().encode(text)));
  }

  if (surroundings.isTerminal && stop === undefined)
    surroundings.out(resetSequence(filter.modes()));
}
