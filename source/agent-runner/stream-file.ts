import {closeSync, constants, openSync, rmSync, writeSync} from 'node:fs';
import {formatSystemError} from '../files/index.ts';

export type StreamFile = {
  readonly save: (line: string) => void;
  /** Returns what went wrong, if anything did. */
  readonly close: () => string | undefined;
};

const maxBytes = 256 * 1024 * 1024;

/**
 * Saves the raw stream, which has more than the terminal shows. A failure is reported once, at the
 * end, and does not stop the agent. A later start of the same session continues the file.
 */
export function createStreamFile(
  file: string,
  max: number = maxBytes,
  isContinued = false,
): StreamFile {
  let fault: string | undefined;
  let opened: number | undefined;
  let bytesWritten = 0;
  const attempt = (act: () => void): void => {
    if (fault !== undefined) return;
    try {
      act();
    } catch (error) {
      fault = formatSystemError(error);
    }
  };

  attempt(() => {
    // Removed first: opening a pipe that somebody put there would block until it has a reader.
    if (!isContinued) rmSync(file, {force: true});
    const how = isContinued
      ? constants.O_APPEND | constants.O_NONBLOCK
      : constants.O_CREAT | constants.O_EXCL;
    opened = openSync(file, constants.O_WRONLY | constants.O_NOFOLLOW | how, 0o600);
  });
  return {
    save: (line) => {
      attempt(() => {
        const bytes = Buffer.from(`${line}\n`);
        bytesWritten += bytes.length;
        if (bytesWritten > max) throw new Error(`it is longer than ${max} bytes`);
        for (let from = 0; from < bytes.length;) from += writeSync(opened ?? -1, bytes, from);
      });
    },
    close: () => {
      if (opened !== undefined) closeSync(opened);
      opened = undefined;
      return fault;
    },
  };
}
