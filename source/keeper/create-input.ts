import type {Buffer} from 'node:buffer';
import {closeSync, fdatasyncSync, openSync} from 'node:fs';
import {toHex} from '../protocol/index.ts';
import {writeAll} from './create-log.ts';

export type Input = {
  readonly last: () => number;
  /**
   * Types the bytes after all earlier ones; `typed` is called when the program's terminal has them.
   * An input with an id is typed at most once: its id is synced first, and a repeated or older id
   * types nothing. Without an id (0) they are key presses, and nothing is recorded.
   */
  readonly accept: (id: number, bytes: Buffer, typed: () => void) => 'busy' | 'disk' | undefined;
  /** Drops waiting input: the program that would read it is gone. */
  readonly close: () => void;
};

const maxWaitingBytes = 2 * 1024 * 1024;
/** Memory of an input besides its bytes. */
const overheadBytes = 64;
const maxWaitMs = 64;

export function createInput(file: string, write: (bytes: Buffer) => number): Input {
  const fd = openSync(file, 'w', 0o600);
  let last = 0;
  let queue: {bytes: Buffer; readonly typed: () => void}[] = [];
  let waiting = 0;
  let pause = 1;
  let timer: NodeJS.Timeout | undefined;

  const remember = (id: number): void => {
    writeAll(fd, toHex(id), 0);
    fdatasyncSync(fd);
    last = id;
  };

  const type = (): void => {
    timer = undefined;
    for (let next = queue[0]; next !== undefined; next = queue[0]) {
      const written = next.bytes.length === 0 ? 0 : write(next.bytes);
      next.bytes = next.bytes.subarray(written);
      waiting -= written;
      if (next.bytes.length > 0 && written === 0) {
        timer = setTimeout(type, pause);
        pause = Math.min(2 * pause, maxWaitMs);
        return;
      }

      pause = 1;
      if (next.bytes.length > 0) continue;
      waiting -= overheadBytes;
      queue.shift();
      next.typed();
    }
  };

  // Allocates the file before the disk can be full.
  remember(0);
  return {
    last: () => last,
    accept: (id, bytes, typed) => {
      if (waiting + bytes.length + overheadBytes > maxWaitingBytes) return 'busy';
      const isRepeated = id !== 0 && id <= last;
      if (id > last) {
        try {
          remember(id);
        } catch {
          return 'disk';
        }
      }

      const wanted = isRepeated ? bytes.subarray(0, 0) : bytes;
      waiting += wanted.length + overheadBytes;
      queue.push({bytes: wanted, typed});
      if (timer === undefined) type();
      return undefined;
    },
    close: () => {
      clearTimeout(timer);
      queue = [];
      closeSync(fd);
    },
  };
}
