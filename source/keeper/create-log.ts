import {Buffer} from 'node:buffer';
import {closeSync, fdatasyncSync, openSync, readSync, rmSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {type Segment, encodeMark, nextKept, segmentNameOf, timesNameOf} from '../protocol/index.ts';
import {withFile, writeWhole} from './write-durably.ts';

export type Log = {
  readonly end: () => number;
  /** What there is: from 0 to `head`, and from `first` to the end. */
  readonly kept: () => {readonly head: number; readonly first: number};
  readonly nextKept: (offset: number) => number;
  /** Gives how many of the bytes it took; throws when the disk takes none. */
  readonly append: (bytes: Uint8Array) => number;
  /** What stands from the kept `offset` on: at least one byte, at most `most`. */
  readonly read: (offset: number, most: number) => Buffer;
  readonly resize: (size: ScreenSize) => void;
  readonly sync: () => void;
  readonly close: () => void;
};

export type ScreenSize = {readonly columns: number; readonly rows: number};

export type LogOptions = {
  readonly directory: string;
  readonly limits: {readonly head: number; readonly tail: number};
  readonly size: ScreenSize;
  /** Milliseconds since the session started. */
  readonly elapsed: () => number;
};

type OpenSegment = {
  readonly start: number;
  end: number;
  readonly limit: number;
  readonly fd: number;
  readonly times: number;
  timesEnd: number;
};

/** Bytes that come within this many milliseconds share one mark. */
const finestTime = 10;
/** The tail is dropped in pieces of this part of it. */
const tailPieces = 16;

/**
 * The output of one session. Everything is written at its position, so what a full disk cut off is later written in its
 * place. The first segment is the head and stays; of the others the oldest go before the tail grows too long.
 */
export function createLog({directory, limits, size, elapsed}: LogOptions): Log {
  const pieceSize = Math.ceil(limits.tail / tailPieces);
  let open = openSegment(directory, 0, limits.head);
  let segments: readonly Segment[] = [open];
  let screen = size;
  let isScreenMarked = false;
  let markedAt = 0;

  /** Drops first: on a full disk that makes the room. */
  const moveOn = (): void => {
    const isKept = ({start}: Segment, index: number): boolean =>
      index === 0 || open.end - start + pieceSize <= limits.tail;
    const dropped = segments.filter((segment, index) => !isKept(segment, index));
    segments = segments.filter(isKept);
    for (const {start} of dropped) removeSegment(directory, start);
    const next = openSegment(directory, open.end, pieceSize);
    close();
    open = next;
    segments = [...segments, next];
    isScreenMarked = false;
  };

  const mark = (): void => {
    const at = elapsed();
    if (isScreenMarked && at - markedAt < finestTime) return;
    open.timesEnd += writeWhole(
      open.times,
      encodeMark(at, open.end, isScreenMarked ? undefined : screen),
      open.timesEnd,
    );
    isScreenMarked = true;
    markedAt = at;
  };

  const close = (): void => {
    closeSync(open.fd);
    closeSync(open.times);
  };

  return {
    end: () => open.end,
    kept: () => {
      const [head, next] = segments;
      const headEnd = head?.end ?? 0;
      return {head: headEnd, first: next === undefined || next.start === headEnd ? 0 : next.start};
    },
    nextKept: (offset) => nextKept(segments, offset),
    append: (bytes) => {
      if (open.end - open.start === open.limit) moveOn();
      mark();
      const room = Math.min(bytes.length, open.start + open.limit - open.end);
      const written = writeSync(open.fd, bytes, 0, room, open.end - open.start);
      if (written === 0) throw new Error('the disk takes nothing');
      open.end += written;
      return written;
    },
    read: (offset, most) => {
      const segment = segments.find(({end}) => offset < end) ?? open;
      const bytes = Buffer.allocUnsafe(Math.min(most, segment.end - offset));
      const fill = (fd: number): number =>
        readSync(fd, bytes, 0, bytes.length, offset - segment.start);
      const length =
        segment === open
          ? fill(open.fd)
          : withFile(join(directory, segmentNameOf(segment.start)), 'r', fill);
      if (length === 0) throw new Error(`expected output at ${offset}; somebody cut the log`);
      return bytes.subarray(0, length);
    },
    resize: (size) => {
      screen = size;
      isScreenMarked = false;
    },
    sync: () => {
      fdatasyncSync(open.fd);
    },
    close,
  };
}

function openSegment(directory: string, start: number, limit: number): OpenSegment {
  const fd = openSync(join(directory, segmentNameOf(start)), 'w+', 0o600);
  try {
    return {
      start,
      end: start,
      limit,
      fd,
      times: openSync(join(directory, timesNameOf(start)), 'w', 0o600),
      timesEnd: 0,
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function removeSegment(directory: string, start: number): void {
  for (const name of [segmentNameOf(start), timesNameOf(start)])
    rmSync(join(directory, name), {force: true});
}
