import {Buffer} from 'node:buffer';
import {setImmediate as breathe} from 'node:timers/promises';
import {readLog} from '../../../keeper/index.ts';
import {shellMarks} from '../../launch/task-launch.ts';

/** Follows the output of a command of any length and keeps its beginning, its end and a count. */
export type OutputReader = {
  /** Reads new output. */
  readonly read: () => Promise<void>;
  /** The exit status, once the command has ended. */
  readonly status: () => number | undefined;
  /** Whether the start mark was seen. */
  readonly hasBegun: () => boolean;
  readonly output: () => Output;
};

export type Output = {
  readonly head: string;
  readonly tail: string;
  /** Between the two: dropped lines, and bytes that the log no longer has. */
  readonly leftOut: {
    readonly lines: number;
    readonly bytes: number;
  };
};

const limits = {head: 16 * 1024, tail: 32 * 1024};
const maxMarkerLength = 200;
/** How much is read before other work gets a turn. */
const maxReadBytes = 4 * 1024 * 1024;

/** Reads from an offset of the log; with a nonce, only between its start and end marks. */
export function createOutputReader(directory: string, from: number, nonce?: string): OutputReader {
  const [begin, end] =
    nonce === undefined
      ? []
      : [Buffer.from(shellMarks.begin(nonce)), Buffer.from(shellMarks.end(nonce))];
  let position = from;
  let hasBegun = begin === undefined;
  let status: number | undefined;
  // Bytes that may be the beginning of a mark.
  let rest = Buffer.alloc(0);
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  const leftOut = {lines: 0, bytes: 0};

  const save = (bytes: Buffer): void => {
    const space = limits.head - head.length;
    if (space > 0) head = Buffer.concat([head, bytes.subarray(0, space)]);
    const more = space > 0 ? bytes.subarray(space) : bytes;
    if (more.length === 0) return;
    const joined = Buffer.concat([tail, more]);
    const cut = Math.max(0, joined.length - limits.tail);
    leftOut.lines += countLines(joined.subarray(0, cut));
    tail = Buffer.from(joined.subarray(cut));
  };

  /** How much of the chunk is output for sure: the rest may belong to the end mark. */
  const lengthBeforeMark = (chunk: Buffer, place: number): number => {
    if (end === undefined) return chunk.length;
    return place === -1 ? Math.max(0, chunk.length - maxMarkerLength) : place;
  };

  const take = (bytes: Buffer): void => {
    if (status !== undefined) return;
    let chunk = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    rest = Buffer.alloc(0);
    if (!hasBegun && begin !== undefined) {
      const place = chunk.indexOf(begin);
      if (place === -1) {
        rest = Buffer.from(chunk.subarray(-maxMarkerLength));
        return;
      }

      hasBegun = true;
      chunk = chunk.subarray(place + begin.length);
    }

    const place = end === undefined ? -1 : chunk.indexOf(end);
    const close = place === -1 || end === undefined ? -1 : chunk.indexOf(7, place + end.length);
    if (place !== -1 && close !== -1 && end !== undefined) {
      save(chunk.subarray(0, place));
      status = Number(chunk.subarray(place + end.length, close).toString('latin1')) || 0;
      return;
    }

    const length = lengthBeforeMark(chunk, place);
    save(chunk.subarray(0, length));
    rest = Buffer.from(chunk.subarray(length));
  };

  const readSome = (): number => {
    let taken = 0;
    for (const {offset, bytes} of readLog(directory, position)) {
      // Output that the log has dropped is counted.
      leftOut.bytes += offset - position;
      take(bytes);
      position = offset + bytes.length;
      taken += bytes.length;
      if (taken >= maxReadBytes || status !== undefined) break;
    }

    return taken;
  };

  return {
    read: async () => {
      let taken: number;
      do {
        taken = readSome();
        await breathe();
      } while (taken >= maxReadBytes && status === undefined);
    },
    status: () => status,
    hasBegun: () => hasBegun,
    output: () => {
      const waiting = hasBegun && status === undefined ? rest : Buffer.alloc(0);
      return {
        head: head.toString('utf8'),
        tail: Buffer.concat([tail, waiting]).toString('utf8'),
        leftOut: {...leftOut},
      };
    },
  };
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (let place = bytes.indexOf(10); place !== -1; place = bytes.indexOf(10, place + 1))
    count += 1;
  return count;
}
