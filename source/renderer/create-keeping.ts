import {closeSync, constants, openSync, rmSync, writeSync} from 'node:fs';
import {wordsOf} from './words-of.ts';

export type Keeping = {
  readonly keep: (line: string) => void;
  /** Gives what went wrong, if anything did. */
  readonly close: () => string | undefined;
};

const mostBytes = 256 * 1024 * 1024;

/** Keeps the stream as it came, for whoever wants to know more than the terminal shows. That it cannot is said once, and stops nobody. */
export function createKeeping(file: string, most: number = mostBytes): Keeping {
  let fault: string | undefined;
  let opened: number | undefined;
  let kept = 0;
  const attempt = (act: () => void): void => {
    if (fault !== undefined) return;
    try {
      act();
    } catch (error) {
      fault = wordsOf(error);
    }
  };

  attempt(() => {
    // Made anew: a pipe that somebody put there would keep us waiting for its reader.
    rmSync(file, {force: true});
    opened = openSync(
      file,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
  });
  return {
    keep: (line) => {
      attempt(() => {
        const bytes = Buffer.from(`${line}\n`);
        kept += bytes.length;
        if (kept > most) throw new Error(`it is longer than ${most} bytes`);
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
