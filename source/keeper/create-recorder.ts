import {Buffer} from 'node:buffer';
import type {Log} from './create-log.ts';

/** Writes what must be written, for as long as it takes: a full disk holds the session up, and loses nothing of it. */
export type Recorder = {
  readonly isStalled: () => boolean;
  /** Why nothing can be written, if so: the code of the error. */
  readonly trouble: () => {readonly stalled?: string};
  /** Whether the bytes are in the log. If not, they are held; `onRelief` tells when they are. */
  readonly take: (bytes: Buffer) => boolean;
  /** Whether it was done. If not, `onRelief` tells when to try again. */
  readonly attempt: (act: () => void) => boolean;
  readonly close: () => void;
};

const retryInterval = 500;
const nothing = Buffer.alloc(0);

export function createRecorder(log: Log, onRelief: () => void): Recorder {
  let stalled: string | undefined;
  let unwritten = nothing;
  let timer: NodeJS.Timeout | undefined;

  const attempt = (act: () => void): boolean => {
    try {
      act();
      return true;
    } catch (error) {
      stalled = codeOf(error);
      timer = setTimeout(retry, retryInterval);
      return false;
    }
  };

  const take = (bytes: Buffer): boolean => {
    let rest = bytes;
    const isTaken = attempt(() => {
      while (rest.length > 0) rest = rest.subarray(log.append(rest));
    });
    unwritten = isTaken ? nothing : Buffer.from(rest);
    return isTaken;
  };

  const retry = (): void => {
    stalled = undefined;
    if (take(unwritten)) onRelief();
  };

  return {
    isStalled: () => stalled !== undefined,
    trouble: () => (stalled === undefined ? {} : {stalled}),
    take,
    attempt,
    close: () => {
      clearTimeout(timer);
    },
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
