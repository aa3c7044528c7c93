import {type ChildProcess, spawn} from 'node:child_process';
import {getErrorCode} from './kernel.ts';

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
  /** Ends the program early; the outcome is `timed-out`. */
  readonly signal?: AbortSignal | undefined;
  /** An open file that becomes the program's standard input; by default it has none. */
  readonly stdin?: number | undefined;
  /** Output beyond this is read and dropped. The default is enough for any `--version`. */
  readonly maxBytes?: number | undefined;
  /** Gets all output of both streams as it arrives. */
  readonly onOutput?: ((chunk: Buffer) => void) | undefined;
};

const defaultMaxBytes = 64 * 1024;

/**
 * How long to read on after `exit`. `close` alone would wait for every grandchild that holds the
 * pipe (faults E11).
 */
const drainMs = 250;

/**
 * Runs a program for its output. Never rejects, never waits longer than `timeoutMs`, and kills the
 * whole process group at the end.
 */
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
    return {at: 'not-started', code: getErrorCode(error), stdout: '', stderr: ''};
  }

  const stdout = collect(child.stdout, options);
  const stderr = collect(child.stderr, options);
  const end = await waitForEnd(child, options.timeoutMs, options.signal);
  killGroup(child);
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
  return {...end, stdout: stdout(), stderr: stderr()};
}

type End<T = ProbeOutcome> = T extends ProbeOutcome ? Omit<T, 'stdout' | 'stderr'> : never;

function waitForEnd(
  child: ChildProcess,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<End> {
  return new Promise((resolve) => {
    const stopWaiting = (): void => {
      clearTimeout(limit);
      signal?.removeEventListener('abort', onAbort);
    };
    const onAbort = (): void => {
      stopWaiting();
      resolve({at: 'timed-out', timeoutMs: 0});
    };
    const limit = setTimeout(() => {
      stopWaiting();
      resolve({at: 'timed-out', timeoutMs});
    }, timeoutMs);
    signal?.addEventListener('abort', onAbort, {once: true});
    // A signal that is aborted already never emits the event.
    if (signal?.aborted === true) onAbort();
    child.once('error', (error) => {
      stopWaiting();
      resolve({at: 'not-started', code: getErrorCode(error)});
    });
    child.once('exit', (code, killSignal) => {
      stopWaiting();
      const end: End =
        code === null ? {at: 'signalled', signal: killSignal ?? 'unknown'} : {at: 'exited', code};
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

function collect(
  stream: ChildProcess['stdout'],
  {maxBytes = defaultMaxBytes, onOutput}: Pick<ProbeOptions, 'maxBytes' | 'onOutput'>,
): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    if (bytes < maxBytes) chunks.push(chunk);
    bytes += chunk.length;
    onOutput?.(chunk);
  });
  return () => Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has no process left.
  }
}
