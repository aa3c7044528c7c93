import {Buffer} from 'node:buffer';
import {setImmediate as breathe} from 'node:timers/promises';
import {readLog} from '../../../keeper/index.ts';
import {markOf} from '../../launch/shell-launch.ts';

/** Reads on what a command prints, however much that is, and keeps its beginning, its end and a count. */
export type OutputReader = {
  /** Takes what has come since. */
  readonly read: () => Promise<void>;
  /** The status that the shell gave when the command had ended. */
  readonly status: () => number | undefined;
  /** Its first mark was seen: it was typed. */
  readonly hasBegun: () => boolean;
  readonly output: () => Output;
};

export type Output = {
  readonly head: string;
  readonly tail: string;
  /** Between the two: lines, and bytes that the log no longer had. */ readonly leftOut: {
    readonly lines: number;
    readonly bytes: number;
  };
};

const kept = {head: 16 * 1024, tail: 32 * 1024};
const longestMark = 200;
/** So much at a time, then others have their turn. */
const stride = 4 * 1024 * 1024;

/** From an offset of the log on. With a nonce, from the mark of its beginning to that of its end. */
export function createOutputReader(directory: string, from: number, nonce?: string): OutputReader {
  const [begin, end] =
    nonce === undefined ? [] : [Buffer.from(markOf.begin(nonce)), Buffer.from(markOf.end(nonce))];
  let position = from;
  let hasBegun = begin === undefined;
  let status: number | undefined;
  // What may be the beginning of a mark waits for the rest of it.
  let rest = Buffer.alloc(0);
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  const leftOut = {lines: 0, bytes: 0};

  const keep = (bytes: Buffer): void => {
    const room = kept.head - head.length;
    if (room > 0) head = Buffer.concat([head, bytes.subarray(0, room)]);
    const more = room > 0 ? bytes.subarray(room) : bytes;
    if (more.length === 0) return;
    const joined = Buffer.concat([tail, more]);
    const cut = Math.max(0, joined.length - kept.tail);
    leftOut.lines += countLines(joined.subarray(0, cut));
    tail = Buffer.from(joined.subarray(cut));
  };

  const take = (bytes: Buffer): void => {
    if (status !== undefined) return;
    let chunk = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    rest = Buffer.alloc(0);
    if (!hasBegun && begin !== undefined) {
      const place = chunk.indexOf(begin);
      if (place === -1) {
        rest = Buffer.from(chunk.subarray(-longestMark));
        return;
      }

      hasBegun = true;
      chunk = chunk.subarray(place + begin.length);
    }

    const place = end === undefined ? -1 : chunk.indexOf(end);
    const close = place === -1 || end === undefined ? -1 : chunk.indexOf(7, place + end.length);
    if (place !== -1 && close !== -1 && end !== undefined) {
      keep(chunk.subarray(0, place));
      status = Number(chunk.subarray(place + end.length, close).toString('latin1')) || 0;
      return;
    }

    const sure =
      end === undefined
        ? chunk.length
        : place === -1
          ? Math.max(0, chunk.length - longestMark)
          : place;
    keep(chunk.subarray(0, sure));
    rest = Buffer.from(chunk.subarray(sure));
  };

  const readSome = (): number => {
    let taken = 0;
    for (const {offset, bytes} of readLog(directory, position)) {
      // What was dropped is not there to be read: it is counted.
      leftOut.bytes += offset - position;
      take(bytes);
      position = offset + bytes.length;
      taken += bytes.length;
      if (taken >= stride || status !== undefined) break;
    }

    return taken;
  };

  return {
    read: async () => {
      let taken: number;
      do {
        taken = readSome();
        await breathe();
      } while (taken >= stride && status === undefined);
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
