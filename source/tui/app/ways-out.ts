import type {Signal} from '../seam.ts';

/** As a shell has it: 128 and the number of the signal. */
export function exitCodeOf(signal: Exclude<Signal, 'exit' | 'SIGTSTP' | 'SIGCONT'>): number {
  return {SIGHUP: 129, SIGINT: 130, SIGTERM: 143}[signal];
}

/** Whether an error says that the terminal is not there any more: its window was closed, or nobody reads. */
export function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EPIPE' || code === 'EIO' || code === 'ERR_STREAM_DESTROYED' || code === 'ENXIO';
}
