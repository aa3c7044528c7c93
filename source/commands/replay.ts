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
export async function replay(session: string, options: {readonly speed?: string; readonly export?: string}, surroundings: Surroundings): Promise<ExitCode> {
  const speed = Number(options.speed ?? '1');
  if (!(speed > 0)) throw new Impossible(`expected a speed above 0, got ${JSON.stringify(options.speed)}`);
  return withDaemon(surroundings, async (daemon) => {
    const {directory} = await askTicket(daemon, session);
    const times = readTimes(directory);
    const frames = framesOf(readLog(directory), times);
    const {columns = 80, rows = 24} = times[0] ?? {};
    if (options.export !== undefined) {
      writeFileSync(path.resolve(surroundings.cwd, options.export), asciicast(frames, {columns, rows, timestamp: Date.now(), title: session}));
      return 0;
    }

    await play(frames, {speed, from: frames[0]?.seconds ?? 0}, surroundings);
    return 0;
  });
}

/** So long before a moment it begins: one wants to see what led to it. */
const leadSeconds = 5;

/** Plays from a little before a moment (wall clock) on. */
export async function replayFrom(session: string, at: number, surroundings: Surroundings): Promise<void> {
  await withDaemon(surroundings, async (daemon) => {
    const {directory} = await askTicket(daemon, session);
    const times = readTimes(directory);
    const frames = framesOf(readLog(directory), times);
    const first = times[0]?.at ?? at;
    await play(frames, {speed: 1, from: Math.max(0, (at - first) / 1000 - leadSeconds)}, surroundings);
    return 0;
  });
}

async function play(frames: readonly Frame[], {speed, from}: {readonly speed: number; readonly from: number}, surroundings: Surroundings): Promise<void> {
  const filter = createOutputFilter();
  let before = from;
  for (const {seconds, text} of frames) {
    // What came before is drawn at once.
    if (seconds > before) await delay(Math.min(longestPause, (seconds - before) / speed) * 1000);
    before = Math.max(before, seconds);
    surroundings.write(filter.write(new TextEncoder().encode(text)));
  }

  if (surroundings.isTerminal) surroundings.out(resetSequence(filter.modes()));
}
