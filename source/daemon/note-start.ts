import path from 'node:path';
import {tryReadText, writeWhole} from '../files/index.ts';
import {
  daemonStartsFile,
  readDaemonStarts,
  startsWindowMs,
  type DaemonStart,
} from '../protocol/index.ts';

export type NotedStart = {
  /** It was asked to end, or has nothing to keep: that is no crash, whatever comes of it. */
  readonly settle: () => void;
};

/** Writes down that a daemon starts, so that clients see when one after the other dies. Only for whoever has the lock. */
export function noteStart(
  directory: string,
  own: DaemonStart,
  log: (line: string) => void,
): NotedStart {
  const file = path.join(directory, daemonStartsFile);
  const write = (starts: readonly DaemonStart[]): void => {
    try {
      writeWhole(file, JSON.stringify(starts));
    } catch (error) {
      // On a full disk a crash more or less is not counted; nothing else depends on it.
      log(
        `${daemonStartsFile} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  };

  const others = readStartsIn(file).filter(({at}) => Math.abs(own.at - at) < startsWindowMs);
  write([...others, own]);
  return {
    settle: () => {
      write(others);
    },
  };
}

function readStartsIn(file: string): DaemonStart[] {
  try {
    return readDaemonStarts(tryReadText(file, {maxBytes: 1024 * 1024}) ?? '');
  } catch {
    return [];
  }
}
