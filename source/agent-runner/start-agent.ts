import {StringDecoder} from 'node:string_decoder';
import type {Writable} from 'node:stream';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {toPlainOutput} from '../shared/index.ts';
import {findFamily} from './process-family.ts';

export type Lines = {
  readonly push: (bytes: Uint8Array) => void;
  /** Emits what came after the last line break as a line. */
  readonly end: () => void;
};

/**
 * Longer than any real line. A longer one is replaced by a notice, and the next line is read as
 * usual.
 */
const maxLineBytes = 64 * 1024 * 1024;

/** Splits chunks of bytes into lines, in linear time. */
export function createLines(onLine: (line: string) => void, max: number = maxLineBytes): Lines {
  let pieces: Uint8Array[] = [];
  let length = 0;
  const take = (piece: Uint8Array): void => {
    length += piece.length;
    if (length <= max) pieces.push(piece);
    else pieces = [];
  };

  const finish = (): void => {
    const line = length > max ? `(a line of ${length} bytes was left out)` : decodeLine(pieces);
    pieces = [];
    length = 0;
    onLine(line);
  };

  return {
    push: (bytes) => {
      let from = 0;
      for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, from)) {
        take(bytes.subarray(from, end));
        finish();
        from = end + 1;
      }

      if (from < bytes.length) take(bytes.subarray(from));
    },
    end: () => {
      if (length > 0) finish();
    },
  };
}

const newline = 0x0a;

function decodeLine(pieces: readonly Uint8Array[]): string {
  const decoder = new StringDecoder('utf8');
  const text =
    pieces
      .map((piece) => decoder.write(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)))
      .join('') + decoder.end();
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

export type AgentStart = {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** All of its standard input, or what writes it while the agent runs. */
  readonly input: string | ((input: Writable) => void);
  readonly onLine: (line: string) => void;
  readonly onError: (line: string) => void;
  /** The process whose signals are passed on to the agent. */
  readonly process: Pick<NodeJS.Process, 'on' | 'off'>;
  /** Stops the agent and what it started: SIGTERM, then SIGKILL. */
  readonly stop?: AbortSignal;
};

/** How the agent's process ended. */
export type AgentExit = {
  readonly code: number | null;
  /** The signal that ended it, or that was passed on to it. */
  readonly signal?: NodeJS.Signals;
  /** A signal to this process was passed on to it: the session is being stopped. */
  readonly isPassed?: true;
  /** The last line on its standard error. */
  readonly lastText?: string;
  /** Standard error had a line after the first line on standard output. */
  readonly hasTrailingText?: boolean;
  /** It was never started. */
  readonly fault?: string;
};

const passedOn: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/**
 * Starts the agent with pipes, in the session and process group of the terminal: Ctrl-C and a stop
 * of the session reach it and its children directly. A signal to this process alone is passed on.
 * Resolves when the agent has ended, so that its last output is shown and its outcome written.
 */
export async function startAgent({
  argv,
  directory,
  env,
  input,
  onLine,
  onError,
  process,
  stop,
}: AgentStart): Promise<AgentExit> {
  const [program = '', ...rest] = argv;
  const child = spawn(program, rest, {cwd: directory, env, stdio: ['pipe', 'pipe', 'pipe']});
  let passedSignal: NodeJS.Signals | undefined;
  let lastText: string | undefined;
  let hasTrailingText = false;
  let hasPrinted = false;
  const pass = (signal: NodeJS.Signals): void => {
    passedSignal ??= signal;
    child.kill(signal);
  };

  let killTimer: NodeJS.Timeout | undefined;
  stop?.addEventListener('abort', () => {
    const family = child.pid === undefined ? undefined : findFamily(child.pid);
    child.kill('SIGTERM');
    family?.signal('SIGTERM');
    const kill = (): void => {
      child.kill('SIGKILL');
      family?.signal('SIGKILL');
    };

    killTimer = setTimeout(kill, stopMs);
    // What it started must not go on beside a new start of the agent.
    child.once('exit', kill);
  });
  for (const signal of passedOn) process.on(signal, pass);
  const lines = createLines((line) => {
    hasPrinted ||= line.trim() !== '';
    onLine(line);
  });
  const errors = createLines((bytes) => {
    // Escape sequences are removed, because no terminal interprets this output.
    const line = toPlainOutput(bytes);
    if (line.trim() !== '') {
      lastText = shortened(line, lastText);
      hasTrailingText ||= hasPrinted;
    }

    onError(line);
  });
  // The agent may end before it has read all of the prompt.
  child.stdin.on('error', () => undefined);
  if (typeof input === 'string') child.stdin.end(input);
  else input(child.stdin);
  child.stdout.on('data', lines.push);
  const delayedErrors = createDelayed(errors.push);
  child.stderr.on('data', delayedErrors.push);
  const fault = await new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('spawn', () => {
      resolve(undefined);
    });
  });
  try {
    if (fault !== undefined) return {code: null, fault};
    const [code, signal] = await waitForEnd(child);
    lines.end();
    delayedErrors.flush();
    errors.end();
    const by = signal ?? passedSignal;
    return {
      code,
      ...(by !== undefined && {signal: by}),
      ...(passedSignal !== undefined && {isPassed: true as const}),
      ...(lastText !== undefined && {lastText, hasTrailingText}),
    };
  } finally {
    clearTimeout(killTimer);
    for (const signal of passedOn) process.off(signal, pass);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/**
 * Delays chunks of standard error until pending standard output was read, so that their order is
 * kept.
 */
function createDelayed(push: (bytes: Uint8Array) => void): {
  readonly push: (bytes: Uint8Array) => void;
  readonly flush: () => void;
} {
  let waiting: Uint8Array[] = [];
  const flush = (): void => {
    const ready = waiting;
    waiting = [];
    for (const bytes of ready) push(bytes);
  };

  return {
    push: (bytes) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(bytes);
    },
    flush,
  };
}

/**
 * Waits for the exit, then a moment for the pipes, which processes that the agent left behind may
 * hold open.
 */
async function waitForEnd(
  child: ReturnType<typeof spawn>,
): Promise<readonly [number | null, NodeJS.Signals | null]> {
  const closed = once(child, 'close');
  const ended = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  const drained = new AbortController();
  await Promise.race([
    closed,
    new Promise((resolve) => {
      const timer = setTimeout(resolve, drainMs);
      drained.signal.addEventListener('abort', () => {
        clearTimeout(timer);
      });
    }),
  ]);
  drained.abort();
  return ended;
}

const drainMs = 1000;

/** Time for the agent to save its conversation. */
const stopMs = 3000;

/** Skips the frames of a stack trace, which say less than the line above them. */
function shortened(line: string, before: string | undefined): string {
  return /^\s+at |^\s*[}\])]/.test(line) && before !== undefined
    ? before
    : line.trim().slice(0, 500);
}
