import {Buffer} from 'node:buffer';
import {closeSync, constants, openSync, readSync, writeFileSync, writeSync} from 'node:fs';
import {ReadStream} from 'node:tty';
import type {Launch} from '../protocol/index.ts';
import type {ScreenSize} from './create-log.ts';
import type {NativePty} from './load-pty.ts';
import {type StartRefusal, refusalOf} from './refusal-of.ts';

export type Terminal = {
  readonly pid: number;
  readonly pts: string;
  /** Gives how many of the bytes the kernel took; 0 when the program does not read. */
  readonly write: (bytes: Buffer) => number;
  readonly resize: (size: ScreenSize) => void;
  readonly pause: () => void;
  readonly resume: () => void;
  /** What the kernel holds of the output at this moment. */
  readonly readNow: () => Buffer;
  readonly close: () => void;
};

export type Program = Pick<Launch, 'argv' | 'cwd' | 'env'> & {readonly size: ScreenSize};

export type TerminalListeners = {
  /** The bytes are overwritten by the next ones. To give false is to pause the terminal. */
  readonly onOutput: (bytes: Buffer) => boolean;
  readonly onExit: (code: number, signal: number) => void;
};

const {O_RDWR, O_NOCTTY} = constants;

/** Runs a program in a new terminal, or says why it can't be run. */
export function openTerminal(
  {pty, helper}: NativePty,
  program: Program,
  {onOutput, onExit}: TerminalListeners,
): Terminal | {readonly refusal: StartRefusal} {
  const refusal = refusalOf(program);
  if (refusal !== undefined) return {refusal};
  const {
    argv: [file = '', ...args],
    cwd,
    env,
    size,
  } = program;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const forked = attempt(() =>
    pty.fork(file, args, variables, cwd, size.columns, size.rows, -1, -1, true, helper, onExit),
  );
  if (forked === undefined)
    return {
      refusal: {code: 126, text: `${file}: the system has no terminal or no process to spare`},
    };
  const {fd, pid, pty: pts} = forked;
  // With one more holder the terminal does not hang up when the program ends. At a hang-up libuv stops reading at once.
  const slave = attempt(() => openSync(pts, O_RDWR | O_NOCTTY));
  // When memory runs short, the kernel shall take the session and not its keeper.
  attempt(() => {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '500');
  });

  const buffer = Buffer.allocUnsafe(64 * 1024);
  const stream = new ReadStream(fd, {
    onread: {buffer, callback: (length) => onOutput(buffer.subarray(0, length))},
  });
  // An error closes the stream, and the descriptor with it; the program's end is told by `onExit` alone.
  stream.on('error', () => undefined);
  stream.resume();

  return {
    pid,
    pts,
    // Neither the stream nor the thread pool: the one would block on a program that does not read, the other is slow.
    write: (bytes) => (stream.destroyed ? 0 : (attempt(() => writeSync(fd, bytes)) ?? 0)),
    resize: ({columns, rows}) => {
      if (!stream.destroyed) pty.resize(fd, columns, rows);
    },
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    readNow: () =>
      buffer.subarray(0, stream.destroyed ? 0 : (attempt(() => readSync(fd, buffer)) ?? 0)),
    close: () => {
      if (slave !== undefined) closeSync(slave);
      stream.destroy();
    },
  };
}

/** For what may well fail: a descriptor that does not block says EAGAIN. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
