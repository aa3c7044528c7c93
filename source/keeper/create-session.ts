import {Buffer} from 'node:buffer';
import {mkdirSync} from 'node:fs';
import {constants} from 'node:os';
import {dirname, join} from 'node:path';
import {
  type ExitRecord,
  type KeeperErrorCode,
  keeperProtocol,
  type KeeperStatus,
  type Launch,
  type Meta,
  sessionFiles,
  sharedFiles,
} from '../protocol/index.ts';
import {createInput} from './create-input.ts';
import {createTypingTracker} from './create-typing-tracker.ts';
import {createLog, createRecorder, type Log, type ScreenSize, writeDurably} from './create-log.ts';
import {createFloodThrottle, createIdleGc, createThrottle} from './throttle.ts';
import {
  isSameProcess,
  loadPty,
  openTerminal,
  readBootId,
  readIdentity,
  type Terminal,
} from './open-terminal.ts';

/** One program in one terminal, and its records on disk. */
export type Session = {
  readonly log: Log;
  readonly status: () => KeeperStatus;
  readonly exit: () => ExitRecord | undefined;
  /** The program's process, if it could be started. */
  readonly pid: () => {readonly pid?: number};
  /** Records this keeper in `meta.json`. */
  readonly writeMeta: () => void;
  /** Starts the program; later calls do nothing. */
  readonly go: () => 'disk' | undefined;
  readonly type: (id: number, bytes: Buffer, typed: () => void) => KeeperErrorCode | undefined;
  readonly resize: (size: ScreenSize) => void;
  readonly signal: (name: string) => KeeperErrorCode | undefined;
  readonly close: () => void;
};

export type SessionOptions = {
  readonly directory: string;
  readonly launch: Launch;
  readonly onOutput: () => void;
  readonly onResize: (size: ScreenSize) => void;
  readonly onExit: (exit: ExitRecord) => void;
  /** Called when the session has been quiet for a while after much output. */
  readonly onQuiet?: () => void;
};

type Ending = Pick<ExitRecord, 'code' | 'signal'>;

/** In milliseconds; fewer than 30 resizes per second. */
const resizeInterval = 34;
/**
 * More than a terminal buffers, and a limit for processes that outlive the program and keep
 * writing.
 */
const maxDrainBytes = 1024 * 1024;

export function createSession({
  directory,
  launch,
  onOutput,
  onResize,
  onExit,
  onQuiet = () => undefined,
}: SessionOptions): Session {
  const {session, cookie, socket} = launch;
  const native = loadPty();
  const pathOf = (name: string): string => join(directory, name);
  let size: ScreenSize = {columns: launch.columns, rows: launch.rows};
  let startedAt: number | undefined;
  let terminal: Terminal | undefined;
  let child: Meta['child'];
  let ending: Ending | undefined;
  let exit: ExitRecord | undefined;
  let resting: NodeJS.Timeout | undefined;

  mkdirSync(pathOf(sessionFiles.output), {mode: 0o700});
  const log = createLog({
    directory: pathOf(sessionFiles.output),
    limits: launch.log,
    size,
    elapsed: () => Math.round(monotonic() - (startedAt ?? 0)),
  });
  const input = createInput(pathOf(sessionFiles.input), (bytes) => terminal?.write(bytes) ?? 0);
  const typingTracker = createTypingTracker(Date.now);
  const idleCleanup = createIdleGc(onQuiet);
  // Beside the socket, so that all sessions of this user share it.
  const floodThrottle = createFloodThrottle({file: join(dirname(socket), sharedFiles.typing)});

  const writeMeta = (more: Pick<Meta, 'went' | 'child'>): void => {
    const meta: Meta = {
      protocol: keeperProtocol,
      ...readIdentity(process.pid),
      bootId: readBootId(),
      socket,
      session,
      cookie,
      ...more,
    };
    writeDurably(pathOf(sessionFiles.meta), meta);
  };

  const recorder = createRecorder(log, () => {
    onOutput();
    if (ending === undefined) terminal?.resume();
    else finish(ending);
  });

  const take = (bytes: Buffer): boolean => {
    const isTaken = recorder.take(bytes);
    onOutput();
    return isTaken;
  };

  /** While reading pauses, the output waits in the terminal, and the program with it. */
  const takeLive = (bytes: Buffer): boolean => {
    if (!take(bytes)) return false;
    idleCleanup.passed(bytes.length);
    const delay = floodThrottle.delayAfter(bytes.length);
    if (delay > 0) resting = setTimeout(goOn, delay);
    return delay === 0;
  };

  const goOn = (): void => {
    if (ending === undefined && !recorder.isStalled()) terminal?.resume();
  };

  /**
   * Reads the last output and records the exit. On a full disk the recorder calls this again later.
   */
  const finish = (how: Ending): void => {
    ending = how;
    terminal?.pause();
    if (recorder.isStalled() || !drain()) return;
    const ended: ExitRecord = {
      ...how,
      bytes: log.end(),
      at: Date.now(),
      mono: process.hrtime.bigint().toString(),
    };
    const isWritten = recorder.attempt(() => {
      log.sync();
      writeDurably(pathOf(sessionFiles.exit), ended);
    });
    if (!isWritten) return;
    exit = ended;
    input.close();
    terminal?.close();
    onExit(ended);
  };

  const drain = (): boolean => {
    for (let drained = 0; terminal !== undefined && drained < maxDrainBytes;) {
      const bytes = terminal.readNow();
      if (bytes.length === 0) break;
      if (!take(bytes)) return false;
      drained += bytes.length;
    }

    return true;
  };

  const start = (): void => {
    const program = {
      ...launch,
      env: {TERM: 'xterm-256color', ...launch.env, ORCH_SESSION: cookie},
      size,
    };
    const opened = openTerminal(native, program, {
      onOutput: takeLive,
      onExit: (code, signal) => {
        finish(toEnding(code, signal));
      },
    });
    if ('refusal' in opened) {
      const {code, text} = opened.refusal;
      take(Buffer.from(`orchestra: ${text}\r\n`));
      setImmediate(finish, {code, signal: null});
      return;
    }

    terminal = opened;
    child = {...readIdentity(opened.pid), pts: opened.pts};
  };

  const noteChild = (went: NonNullable<Meta['went']>): void => {
    try {
      if (child !== undefined) writeMeta({went, child});
    } catch {
      // The program runs anyway. This record would only help to find its leftover processes; the
      // cookie helps too.
    }
  };

  const sizes = createThrottle<ScreenSize>(resizeInterval, (wanted) => {
    if (exit !== undefined) return;
    // A client may ask for the size that there is. The program hears of real changes only.
    if (wanted.columns !== size.columns || wanted.rows !== size.rows) {
      size = wanted;
      log.resize(size);
      terminal?.resize(size);
    }

    onResize(size);
  });

  const phase = (): 'ready' | 'running' | 'exited' => {
    if (startedAt === undefined) return 'ready';
    return exit === undefined ? 'running' : 'exited';
  };

  const pid = (): {readonly pid?: number} => (child === undefined ? {} : {pid: child.pid});

  return {
    log,
    status: () => ({
      session,
      phase: phase(),
      ...pid(),
      bytes: log.end(),
      ...log.retained(),
      ...size,
      lastInput: input.last(),
      ...recorder.trouble(),
      ...typingTracker.status(),
      ...(exit !== undefined && {exit}),
    }),
    exit: () => exit,
    pid,
    writeMeta: () => {
      writeMeta({});
    },
    go: () => {
      if (startedAt !== undefined) return undefined;
      const went = {at: Date.now()};
      try {
        writeMeta({went});
      } catch {
        return 'disk';
      }

      startedAt = monotonic();
      start();
      noteChild(went);
      return undefined;
    },
    type: (id, bytes, typed) => {
      if (terminal === undefined || exit !== undefined) return 'not-running';
      const refusal = input.accept(id, bytes, typed);
      if (id === 0) {
        floodThrottle.pressed();
        typingTracker.read(bytes);
      }

      return refusal;
    },
    resize: sizes.next,
    signal: (name) => {
      if (!Object.hasOwn(constants.signals, name)) return 'signal';
      if (child === undefined || exit !== undefined || !isSameProcess(child)) return 'not-running';
      try {
        process.kill(-child.pid, name);
      } catch {
        return 'denied';
      }

      return undefined;
    },
    close: () => {
      clearTimeout(resting);
      idleCleanup.close();
      sizes.close();
      recorder.close();
      if (exit === undefined) input.close();
      log.close();
    },
  };
}

/**
 * In milliseconds. `performance` would cost 0.1 MB of memory; `hrtime` allocates an array per call.
 */
function monotonic(): number {
  return process.uptime() * 1000;
}

function toEnding(code: number, signal: number): Ending {
  if (signal === 0) return {code, signal: null};
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
  return {code: null, signal: name ?? `SIG${signal}`};
}
