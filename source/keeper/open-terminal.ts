import {Buffer} from 'node:buffer';
import {
  closeSync,
  constants,
  openSync,
  readSync,
  writeFileSync,
  writeSync,
  existsSync,
  accessSync,
  statSync,
  readFileSync,
} from 'node:fs';
import {ReadStream} from 'node:tty';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import type {Launch, ProcessIdentity} from '../protocol/index.ts';
import type {ScreenSize} from './create-log.ts';

export type Terminal = {
  readonly pid: number;
  readonly pts: string;
  /** Returns how many of the bytes the kernel accepted; 0 when the program does not read. */
  readonly write: (bytes: Buffer) => number;
  readonly resize: (size: ScreenSize) => void;
  readonly pause: () => void;
  readonly resume: () => void;
  /** The output that the kernel holds at this moment. */
  readonly readNow: () => Buffer;
  readonly close: () => void;
};

export type Program = Pick<Launch, 'argv' | 'cwd' | 'env'> & {readonly size: ScreenSize};

export type TerminalListeners = {
  /** The buffer is reused for the next bytes. Returning false pauses the terminal. */
  readonly onOutput: (bytes: Buffer) => boolean;
  readonly onExit: (code: number, signal: number) => void;
};

const {O_RDWR, O_NOCTTY} = constants;

/** Runs a program in a new terminal, or returns why it cannot be run. */
export function openTerminal(
  {pty, helper}: NativePty,
  program: Program,
  {onOutput, onExit}: TerminalListeners,
): Terminal | {readonly refusal: StartRefusal} {
  const refusal = findStartRefusal(program);
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
  // An extra open descriptor keeps the terminal from hanging up when the program ends. At a hang-up
  // libuv stops reading at once.
  const slave = attempt(() => openSync(pts, O_RDWR | O_NOCTTY));
  // When memory runs short, the kernel should kill the session and not its keeper.
  attempt(() => {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '500');
  });

  const buffer = Buffer.allocUnsafe(64 * 1024);
  const stream = new ReadStream(fd, {
    onread: {buffer, callback: (length) => onOutput(buffer.subarray(0, length))},
  });
  // An error closes the stream and its descriptor; the program's end is reported by `onExit` alone.
  stream.on('error', () => undefined);
  stream.resume();

  return {
    pid,
    pts,
    // Not through the stream, which would block on a program that does not read, nor through the
    // thread pool, which is slow.
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

/** For calls that may fail: a non-blocking descriptor returns EAGAIN. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/**
 * The native half of node-pty. The other half loses the end of the output (node-pty #72) and costs
 * 1 MB of memory.
 */
export type Pty = {
  readonly fork: (
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helper: string,
    onExit: (code: number, signal: number) => void,
  ) => {readonly fd: number; readonly pid: number; readonly pty: string};
  readonly resize: (fd: number, columns: number, rows: number) => void;
};

export type NativePty = {
  readonly pty: Pty;
  /** The program through which macOS starts the child. */
  readonly helper: string;
};

export function loadPty(): NativePty {
  const require = createRequire(import.meta.url);
  const root = dirname(require.resolve('node-pty/package.json'));
  const places = ['build/Release', `prebuilds/${process.platform}-${process.arch}`].map((place) =>
    join(root, place),
  );
  const place = places.find((candidate) => existsSync(join(candidate, 'pty.node')));
  if (place === undefined)
    throw new Error(`expected pty.node in one of ${places.join(', ')}; install node-pty again`);
  return {pty: require(join(place, 'pty.node')) as Pty, helper: join(place, 'spawn-helper')};
}

export type StartRefusal = {readonly code: number; readonly text: string};

/**
 * Why a program cannot be started, with the exit code of a shell: 127 not found, 126 not
 * executable. Checked before, because node-pty's child exits with 1 in both cases. A missing
 * interpreter (`#!`) is not detected here and exits with 1.
 */
export function findStartRefusal({
  argv: [command = ''],
  cwd,
  env,
}: Pick<Launch, 'argv' | 'cwd' | 'env'>): StartRefusal | undefined {
  if (statSync(cwd, {throwIfNoEntry: false})?.isDirectory() !== true)
    return {code: 126, text: `${cwd}: not a directory`};
  const folders = command.includes('/') ? [''] : (env['PATH'] ?? '/bin:/usr/bin').split(':');
  const found = folders
    .map((folder) => resolve(cwd, folder, command))
    .filter((file) => existsSync(file));
  if (command === '' || found.length === 0)
    return {code: 127, text: `${command}: command not found`};
  return found.some(isExecutable) ? undefined : {code: 126, text: `${command}: permission denied`};
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

export function readIdentity(pid: number): ProcessIdentity {
  return {pid, startTime: readStartTime(pid)};
}

/**
 * Whether the process exists and is not another one with a reused pid. Where the system cannot
 * tell, it is assumed.
 */
export function isSameProcess({pid, startTime}: ProcessIdentity): boolean {
  return startTime === null
    ? readStartTime(process.pid) === null
    : startTime === readStartTime(pid);
}

export function readBootId(): string | null {
  return readIfThere('/proc/sys/kernel/random/boot_id')?.trim() ?? null;
}

function readStartTime(pid: number): number | null {
  const stat = readIfThere(`/proc/${pid}/stat`);
  // Field 22. The second field is the program's name in parentheses, which may contain spaces and
  // parentheses.
  const ticks = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
  return Number.isSafeInteger(ticks) ? ticks : null;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
