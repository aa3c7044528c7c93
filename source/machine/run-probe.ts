import {type ChildProcess, spawn} from 'node:child_process';
import {codeOf} from './code-of.ts';

export type ProbeOutcome = {readonly stdout: string; readonly stderr: string} & (
  | {readonly at: 'exited'; readonly code: number}
  | {readonly at: 'signalled'; readonly signal: string}
  | {readonly at: 'timed-out'; readonly timeoutMs: number}
  | {readonly at: 'not-started'; readonly code: string}
);

export type ProbeOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string | undefined;
  readonly timeoutMs: number;
  /** Ends it before its time. */
  readonly signal?: AbortSignal | undefined;
  /** An open file that the program gets as its standard input; nothing without it. */
  readonly stdin?: number | undefined;
  /** A program that says more is read on, and forgotten. The default is enough for any version. */
  readonly mostBytes?: number | undefined;
};

const mostBytesByDefault = 64 * 1024;

/** `close` waits for every grandchild that holds the pipe (faults E11), so `exit` decides and this much is waited for the rest. */
const drainMs = 250;

/** Asks a program one question. Never rejects, never waits longer than it was told, and leaves nothing of its process group running. */
export async function runProbe(
  file: string,
  argv: readonly string[],
  options: ProbeOptions,
): Promise<ProbeOutcome> {
  let child: ChildProcess;
  try {
    child = spawn(file, argv, {
      env: options.env,
      cwd: options.cwd,
      stdio: [options.stdin ?? 'ignore', 'pipe', 'pipe'],
      detached: true,
    });
  } catch (error) {
    return {at: 'not-started', code: codeOf(error), stdout: '', stderr: ''};
  }

  const stdout = collect(child.stdout, options.mostBytes);
  const stderr = collect(child.stderr, options.mostBytes);
  const end = await endOf(child, options.timeoutMs, options.signal);
  killGroup(child);
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
  return {...end, stdout: stdout(), stderr: stderr()};
}

type End<T = ProbeOutcome> = T extends ProbeOutcome ? Omit<T, 'stdout' | 'stderr'> : never;

function endOf(
  child: ChildProcess,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<End> {
  return new Promise((resolve) => {
    signal?.addEventListener(
      'abort',
      () => {
        resolve({at: 'timed-out', timeoutMs: 0});
      },
      {once: true},
    );
    const limit = setTimeout(() => {
      resolve({at: 'timed-out', timeoutMs});
    }, timeoutMs);
    child.once('error', (error) => {
      clearTimeout(limit);
      resolve({at: 'not-started', code: codeOf(error)});
    });
    child.once('exit', (code, signal) => {
      clearTimeout(limit);
      const end: End =
        code === null ? {at: 'signalled', signal: signal ?? 'unknown'} : {at: 'exited', code};
      const drain = setTimeout(() => {
        resolve(end);
      }, drainMs);
      child.once('close', () => {
        clearTimeout(drain);
        resolve(end);
      });
    });
  });
}

function collect(stream: ChildProcess['stdout'], mostBytes = mostBytesByDefault): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (bytes < mostBytes) chunks.push(chunk);
    bytes += chunk.length;
  });
  return () => Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8');
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // Nobody is left in it.
  }
}
