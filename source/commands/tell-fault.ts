import {sanitizeText} from '../base/index.ts';

const maxCharacters = 1000;

/** An error that nobody expected, in one sentence. What the system refused says so itself; anything else is a fault of ours. */
export function faultInWords(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = sanitizeText(message.split('\n', 1)[0] ?? '')
    .slice(0, maxCharacters)
    .trim();
  const isOfSystem = error instanceof Error && 'syscall' in error && 'code' in error;
  return isOfSystem
    ? line
    : `${line === '' ? 'something went wrong' : line} (this is a fault of orchestra itself; with ORCHESTRA_TRACE=1 it says where)`;
}

/** Where it came from, for whoever looks for the cause: only when it is asked for, and in the log of a daemon. */
export function traceOf(error: unknown, isWanted: boolean): string {
  return isWanted && error instanceof Error && error.stack !== undefined
    ? `${sanitizeText(error.stack)}\n`
    : '';
}
