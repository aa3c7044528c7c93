import type {Buffer} from 'node:buffer';
import {closeSync, fdatasyncSync, openSync} from 'node:fs';
import {hexOf} from '../protocol/index.ts';
import {writeWhole} from './write-durably.ts';

export type Input = {
  readonly last: () => number;
  /**
   * Types the bytes behind all that came before; `typed` is called when the program's terminal has them. An input with
   * an id is typed at most once: its id is on the disk first, and a repeated or older id types nothing. Without one (0)
   * they are keystrokes, and nothing is written down.
   */
  readonly accept: (id: number, bytes: Buffer, typed: () => void) => 'busy' | 'disk' | undefined;
  /** What still waits is not typed: nobody is there to read it. */
  readonly close: () => void;
};

const mostWaiting = 2 * 1024 * 1024;
/** What an input costs beside its bytes. */
const ownSize = 64;
const longestWait = 64;

export function createInput(file: string, write: (bytes: Buffer) => number): Input {
  const fd = openSync(file, 'w', 0o600);
  let last = 0;
  let queue: {bytes: Buffer; readonly typed: () => void}[] = [];
  let waiting = 0;
  let pause = 1;
  let timer: NodeJS.Timeout | undefined;

  const remember = (id: number): void => {
    writeWhole(fd, hexOf(id), 0);
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
        pause = Math.min(2 * pause, longestWait);
        return;
      }

      pause = 1;
      if (next.bytes.length > 0) continue;
      waiting -= ownSize;
      queue.shift();
      next.typed();
    }
  };

  // So the file has its place on the disk before the disk is full.
  remember(0);
  return {
    last: () => last,
    accept: (id, bytes, typed) => {
      if (waiting + bytes.length + ownSize > mostWaiting) return 'busy';
      const isRepeated = id !== 0 && id <= last;
      if (id > last) {
        try {
          remember(id);
        } catch {
          return 'disk';
        }
      }

      const wanted = isRepeated ? bytes.subarray(0, 0) : bytes;
      waiting += wanted.length + ownSize;
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
