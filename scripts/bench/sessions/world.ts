import {existsSync, readFileSync} from 'node:fs';
import process from 'node:process';
import {eventually} from '../../../test/support/eventually.ts';
import type {Stage} from './stage.ts';
import type {Command} from './terminal.ts';

/** Something that keeps sessions, and nothing else runs beside it. */
export type World = {
  readonly name: string;
  /** Runs a shell script in a session that nobody looks at. */
  readonly start: (script: string) => Promise<Seat>;
  readonly close: () => Promise<void>;
};

/** A way of keeping sessions. */
export type Keeping = {readonly name: string; readonly open: (stage: Stage) => World};

/** One session. */
export type Seat = Origin & {
  readonly attach: Command;
  /** When the program had ended and its keeper was through with its output, in milliseconds of the wall clock. */
  readonly ended: () => Promise<number>;
};

/** Who the script is and when it began: pid, and milliseconds of the wall clock. */
export type Origin = {readonly pid: number; readonly startedAt: number};

/** The script as one that says who it is before it begins. Its last command shall be an `exec`, so that the pid stays. */
export function introduced(
  stage: Stage,
  script: string,
): {readonly argv: readonly string[]; readonly origin: () => Promise<Origin>} {
  const file = stage.newPath('origin');
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
  stage: Stage,
  {start}: {readonly start: (script: string) => Promise<Held>},
  size: number,
  lastLine = '',
): Promise<Held> {
  const filled = stage.newPath('filled');
  const output = size === 0 ? '' : `cat ${stage.agentOutput(size).file}; `;
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

/** Ends a process, if it is one of this stage: the number may have gone to somebody else. */
export function killOwn({directory}: Stage, pid: number): void {
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
