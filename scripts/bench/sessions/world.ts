import process from 'node:process';
import {existsSync, readFileSync} from 'node:fs';
import {eventually} from '../../../test/support/eventually.ts';
import type {Fixture} from './fixture.ts';
import type {Command} from './terminal.ts';

/** Something that keeps sessions, and nothing else runs beside it. */
export type World = {
  readonly name: string;
  /** Runs a shell script in a session without a client. */
  readonly start: (script: string) => Promise<Seat>;
  readonly close: () => Promise<void>;
};

/** A session manager to measure. */
export type Keeping = {readonly name: string; readonly open: (fixture: Fixture) => World};

/** One session. */
export type Seat = Origin & {
  readonly attach: Command;
  /**
   * When the program had ended and its keeper was through with its output, in milliseconds of the
   * wall clock.
   */
  readonly ended: () => Promise<number>;
};

/** Who the script is and when it began: pid, and milliseconds of the wall clock. */
export type Origin = {readonly pid: number; readonly startedAt: number};

/**
 * Makes the script print its pid first. Its last command must be an `exec`, so that the pid stays
 * the same.
 */
export function introduced(
  fixture: Fixture,
  script: string,
): {readonly argv: readonly string[]; readonly origin: () => Promise<Origin>} {
  const file = fixture.newPath('origin');
  return {
    argv: [
      '/bin/sh',
      '-c',
      `echo $$ $(date +%s%N) >${file}.new; mv ${file}.new ${file}; ${script}`,
    ],
    origin: async () => {
      const text = await eventually(`the first word of: ${script}`, () => readIfThere(file));
      const [pid, nanoseconds] = text.split(' ').map(Number);
      return {pid: pid!, startedAt: nanoseconds! / 1e6};
    },
  };
}

/** A session that has written so much agent output, then a last line, and waits for input. */
export async function startFilled<Held>(
  fixture: Fixture,
  {start}: {readonly start: (script: string) => Promise<Held>},
  size: number,
  lastLine = '',
): Promise<Held> {
  const filled = fixture.newPath('filled');
  const output = size === 0 ? '' : `cat ${fixture.agentOutput(size).file}; `;
  const seat = await start(`${output}printf '\\n${lastLine}'; touch ${filled}; exec cat`);
  await eventually('the end of its output', () => existsSync(filled), 60_000);
  return seat;
}

export function wallClock(): number {
  return performance.timeOrigin + performance.now();
}

/** One that has ended and whose parent has not asked for it yet takes signals, but is not alive. */
export function isAlive(pid: number): boolean {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat !== undefined && !/\) [ZX] /.test(stat);
}

/** Kills a process if it belongs to this fixture: the pid may have been reused. */
export function killOwn({directory}: Fixture, pid: number): void {
  if (readIfThere(`/proc/${pid}/environ`)?.includes(directory) === true)
    process.kill(pid, 'SIGKILL');
}

export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
