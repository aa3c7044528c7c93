import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {plainOutputOf} from '../documents/index.ts';
import {createLines} from './create-lines.ts';

export type AgentStart = {
  readonly argv: readonly string[];
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** All of its standard input. */
  readonly prompt: string;
  readonly onLine: (line: string) => void;
  readonly onError: (line: string) => void;
  /** Whose signals are passed on. */
  readonly process: Pick<NodeJS.Process, 'on' | 'off'>;
  /** It is asked to end, and ended if it does not. */
  readonly stop?: AbortSignal;
};

export type Ended = {
  readonly code: number | null;
  /** What ended it, or what we were told to end it with. */
  readonly signal?: NodeJS.Signals;
  /** The last that it wrote to its standard error. */
  readonly lastWords?: string;
  /** Something of that came after its first line on standard output. */
  readonly hasLateWords?: boolean;
  /** It was never started. */
  readonly fault?: string;
};

const passedOn: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/**
 * Starts the agent with pipes, in the terminal's own session and process group: a Ctrl-C there, and whoever stops the
 * session, reach it and its children by themselves. A signal to us alone is passed on. We live until it has ended, so that
 * what it said last is shown and its outcome left.
 */
export async function startAgent({
  argv,
  directory,
  env,
  prompt,
  onLine,
  onError,
  process,
  stop,
}: AgentStart): Promise<Ended> {
  const [program = '', ...rest] = argv;
  const child = spawn(program, rest, {cwd: directory, env, stdio: ['pipe', 'pipe', 'pipe']});
  let told: NodeJS.Signals | undefined;
  let lastWords: string | undefined;
  let hasLateWords = false;
  let hasSaid = false;
  const pass = (signal: NodeJS.Signals): void => {
    told ??= signal;
    child.kill(signal);
  };

  let patience: NodeJS.Timeout | undefined;
  stop?.addEventListener('abort', () => {
    child.kill('SIGTERM');
    patience = setTimeout(() => child.kill('SIGKILL'), stopMs);
  });
  for (const signal of passedOn) process.on(signal, pass);
  const lines = createLines((line) => {
    hasSaid ||= line.trim() !== '';
    onLine(line);
  });
  const errors = createLines((bytes) => {
    // Nobody reads it as a terminal would.
    const line = plainOutputOf(bytes);
    if (line.trim() !== '') {
      lastWords = shortened(line, lastWords);
      hasLateWords ||= hasSaid;
    }

    onError(line);
  });
  // It may end without having read all of it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(prompt);
  child.stdout.on('data', lines.push);
  const late = createLate(errors.push);
  child.stderr.on('data', late.push);
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
    const [code, signal] = await endOf(child);
    lines.end();
    late.flush();
    errors.end();
    const by = signal ?? told;
    return {
      code,
      ...(by !== undefined && {signal: by}),
      ...(lastWords !== undefined && {lastWords, hasLateWords}),
    };
  } finally {
    clearTimeout(patience);
    for (const signal of passedOn) process.off(signal, pass);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

/** What stood in one pipe before something came into the other is read before it: errors wait until all that is there now has been read. */
function createLate(push: (bytes: Uint8Array) => void): {
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

/** What it left running may hold its pipes open: after its end they are read for a moment more, and no longer. */
async function endOf(
  child: ReturnType<typeof spawn>,
): Promise<readonly [number | null, NodeJS.Signals | null]> {
  const closed = once(child, 'close');
  const ended = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  const patience = new AbortController();
  await Promise.race([
    closed,
    new Promise((resolve) => {
      const timer = setTimeout(resolve, drainMs);
      patience.signal.addEventListener('abort', () => {
        clearTimeout(timer);
      });
    }),
  ]);
  patience.abort();
  return ended;
}

const drainMs = 1000;

/** An agent that is asked to end writes down its conversation first. */
const stopMs = 3000;

/** The frames of a trace say less than what stands above them. */
function shortened(line: string, before: string | undefined): string {
  return /^\s+at |^\s*[}\])]/.test(line) && before !== undefined
    ? before
    : line.trim().slice(0, 500);
}
