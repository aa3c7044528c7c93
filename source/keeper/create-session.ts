import {Buffer} from 'node:buffer';
import {mkdirSync} from 'node:fs';
import {constants} from 'node:os';
import {dirname, join} from 'node:path';
import {
  type ExitRecord,
  type KeeperErrorCode,
  type KeeperStatus,
  type Launch,
  type Meta,
  keeperProtocol,
  sessionFiles,
  sharedFiles,
} from '../protocol/index.ts';
import {createInput} from './create-input.ts';
import {type Log, type ScreenSize, createLog} from './create-log.ts';
import {createManners} from './create-manners.ts';
import {createPacer} from './create-pacer.ts';
import {createRecorder} from './create-recorder.ts';
import {createTidying} from './create-tidying.ts';
import {identityOf, isStill, readBootId} from './identity.ts';
import {loadPty} from './load-pty.ts';
import {type Terminal, openTerminal} from './open-terminal.ts';
import {writeDurably} from './write-durably.ts';

/** One program in one terminal, and what is written down about it. */
export type Session = {
  readonly log: Log;
  readonly status: () => KeeperStatus;
  readonly exit: () => ExitRecord | undefined;
  /** Of the program, if it could be started. */
  readonly pid: () => {readonly pid?: number};
  /** Writes down who keeps the session. */
  readonly introduce: () => void;
  /** Starts the program; only the first time does anything. */
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
  /** Called when it has been quiet for a while after much output. */
  readonly onQuiet?: () => void;
};

type Ending = Pick<ExitRecord, 'code' | 'signal'>;

/** In milliseconds; a second has room for less than 30. */
const resizeInterval = 34;
/** More than a terminal holds, and an end for those who outlive the program and go on writing. */
const mostDrained = 1024 * 1024;

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
  const fileOf = (name: string): string => join(directory, name);
  let size: ScreenSize = {columns: launch.columns, rows: launch.rows};
  let startedAt: number | undefined;
  let terminal: Terminal | undefined;
  let child: Meta['child'];
  let ending: Ending | undefined;
  let exit: ExitRecord | undefined;
  let resting: NodeJS.Timeout | undefined;

  mkdirSync(fileOf(sessionFiles.output), {mode: 0o700});
  const log = createLog({
    directory: fileOf(sessionFiles.output),
    limits: launch.log,
    size,
    elapsed: () => Math.round(monotonic() - (startedAt ?? 0)),
  });
  const input = createInput(fileOf(sessionFiles.input), (bytes) => terminal?.write(bytes) ?? 0);
  const tidying = createTidying(onQuiet);
  // Beside the socket: so all sessions of this user share it.
  const manners = createManners({file: join(dirname(socket), sharedFiles.typing)});

  const writeMeta = (more: Pick<Meta, 'went' | 'child'>): void => {
    const meta: Meta = {
      protocol: keeperProtocol,
      ...identityOf(process.pid),
      bootId: readBootId(),
      socket,
      session,
      cookie,
      ...more,
    };
    writeDurably(fileOf(sessionFiles.meta), meta);
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

  /** While it rests, the output waits in the terminal, and the program with it. */
  const takeLive = (bytes: Buffer): boolean => {
    if (!take(bytes)) return false;
    tidying.passed(bytes.length);
    const rest = manners.restAfter(bytes.length);
    if (rest > 0) resting = setTimeout(goOn, rest);
    return rest === 0;
  };

  const goOn = (): void => {
    if (ending === undefined && !recorder.isStalled()) terminal?.resume();
  };

  /** Brings in the last output and writes down the end. When the disk is full, the recorder's relief leads here again. */
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
      writeDurably(fileOf(sessionFiles.exit), ended);
    });
    if (!isWritten) return;
    exit = ended;
    input.close();
    terminal?.close();
    onExit(ended);
  };

  const drain = (): boolean => {
    for (let drained = 0; terminal !== undefined && drained < mostDrained;) {
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
        finish(endingOf(code, signal));
      },
    });
    if ('refusal' in opened) {
      const {code, text} = opened.refusal;
      take(Buffer.from(`orchestra: ${text}\r\n`));
      setImmediate(finish, {code, signal: null});
      return;
    }

    terminal = opened;
    child = {...identityOf(opened.pid), pts: opened.pts};
  };

  const noteChild = (went: NonNullable<Meta['went']>): void => {
    try {
      if (child !== undefined) writeMeta({went, child});
    } catch {
      // The program runs all the same. This would only help to find what is left of it; the cookie helps too.
    }
  };

  const sizes = createPacer<ScreenSize>(resizeInterval, (wanted) => {
    if (exit !== undefined) return;
    size = wanted;
    log.resize(size);
    terminal?.resize(size);
    onResize(size);
  });

  const pid = (): {readonly pid?: number} => (child === undefined ? {} : {pid: child.pid});

  return {
    log,
    status: () => ({
      session,
      phase: startedAt === undefined ? 'ready' : exit === undefined ? 'running' : 'exited',
      ...pid(),
      bytes: log.end(),
      ...log.kept(),
      ...size,
      lastInput: input.last(),
      ...recorder.trouble(),
      ...(exit !== undefined && {exit}),
    }),
    exit: () => exit,
    pid,
    introduce: () => {
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
      if (id === 0) manners.pressed();
      return refusal;
    },
    resize: sizes.next,
    signal: (name) => {
      if (!Object.hasOwn(constants.signals, name)) return 'signal';
      if (child === undefined || exit !== undefined || !isStill(child)) return 'not-running';
      try {
        process.kill(-child.pid, name);
      } catch {
        return 'denied';
      }

      return undefined;
    },
    close: () => {
      clearTimeout(resting);
      tidying.close();
      sizes.close();
      recorder.close();
      if (exit === undefined) input.close();
      log.close();
    },
  };
}

/** In milliseconds. `performance` would do too, and costs 0.1 MB of memory; `hrtime` makes an object of each answer. */
function monotonic(): number {
  return process.uptime() * 1000;
}

function endingOf(code: number, signal: number): Ending {
  if (signal === 0) return {code, signal: null};
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0];
  return {code: null, signal: name ?? `SIG${signal}`};
}
