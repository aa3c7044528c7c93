import {Buffer} from 'node:buffer';
import {
  closeSync,
  fdatasyncSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
  fsyncSync,
  renameSync,
} from 'node:fs';
import {join, dirname} from 'node:path';
import {errorCode} from '../shared/index.ts';
import {
  encodeMark,
  findNextRetained,
  type Segment,
  toSegmentName,
  toTimesName,
} from '../protocol/index.ts';

/**
 * Writes output and records, however long it takes: a full disk pauses the session and loses
 * nothing.
 */
export type Recorder = {
  readonly isStalled: () => boolean;
  /** The error code if nothing can be written. */
  readonly trouble: () => {readonly stalled?: string};
  /**
   * Returns whether the bytes are in the log. If not, they are held, and `onRelief` is called once
   * they are written.
   */
  readonly take: (bytes: Buffer) => boolean;
  /** Returns whether it was done. If not, `onRelief` is called when to try again. */
  readonly attempt: (act: () => void) => boolean;
  readonly close: () => void;
};

const retryInterval = 500;
const noBytes = Buffer.alloc(0);

export function createRecorder(log: Log, onRelief: () => void): Recorder {
  let stalled: string | undefined;
  let unwritten = noBytes;
  let timer: NodeJS.Timeout | undefined;

  const attempt = (act: () => void): boolean => {
    try {
      act();
      return true;
    } catch (error) {
      stalled = errorCode(error) ?? String(error);
      timer = setTimeout(retry, retryInterval);
      return false;
    }
  };

  const take = (bytes: Buffer): boolean => {
    let rest = bytes;
    const isTaken = attempt(() => {
      while (rest.length > 0) rest = rest.subarray(log.append(rest));
    });
    unwritten = isTaken ? noBytes : Buffer.from(rest);
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

export type Log = {
  readonly end: () => number;
  /** The retained ranges: from 0 to `head`, and from `first` to the end. */
  readonly retained: () => {readonly head: number; readonly first: number};
  readonly nextRetained: (offset: number) => number;
  /** Returns how many of the bytes were written; throws when the disk accepts none. */
  readonly append: (bytes: Uint8Array) => number;
  /** Reads from the retained `offset` on: at least one byte, at most `max`. */
  readonly read: (offset: number, max: number) => Buffer;
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

/** Bytes within this many milliseconds share one time mark. */
const finestTime = 10;
/** The tail is dropped in pieces of 1/16. */
const tailPieces = 16;

/**
 * The output of one session. Everything is written at its position, so bytes that a full disk cut
 * off are later written in place. The first segment, the head, is retained; of the others the
 * oldest are dropped before the tail grows too long.
 */
export function createLog({directory, limits, size, elapsed}: LogOptions): Log {
  const pieceSize = Math.ceil(limits.tail / tailPieces);
  let open = openSegment(directory, 0, limits.head);
  let segments: readonly Segment[] = [open];
  let screen = size;
  let isScreenMarked = false;
  let markedAt = 0;

  /** Drops old segments first: on a full disk that frees space. */
  const moveOn = (): void => {
    const isRetained = ({start}: Segment, index: number): boolean =>
      index === 0 || open.end - start + pieceSize <= limits.tail;
    const dropped = segments.filter((segment, index) => !isRetained(segment, index));
    segments = segments.filter(isRetained);
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
    open.timesEnd += writeAll(
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
    retained: () => {
      const [head, next] = segments;
      const headEnd = head?.end ?? 0;
      return {head: headEnd, first: next === undefined || next.start === headEnd ? 0 : next.start};
    },
    nextRetained: (offset) => findNextRetained(segments, offset),
    append: (bytes) => {
      if (open.end - open.start === open.limit) moveOn();
      mark();
      const space = Math.min(bytes.length, open.start + open.limit - open.end);
      const written = writeSync(open.fd, bytes, 0, space, open.end - open.start);
      if (written === 0) throw new Error('the disk takes nothing');
      open.end += written;
      return written;
    },
    read: (offset, max) => {
      const segment = segments.find(({end}) => offset < end) ?? open;
      const bytes = Buffer.allocUnsafe(Math.min(max, segment.end - offset));
      const fill = (fd: number): number =>
        readSync(fd, bytes, 0, bytes.length, offset - segment.start);
      const length =
        segment === open
          ? fill(open.fd)
          : withFile(join(directory, toSegmentName(segment.start)), 'r', fill);
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
  const fd = openSync(join(directory, toSegmentName(start)), 'w+', 0o600);
  try {
    return {
      start,
      end: start,
      limit,
      fd,
      times: openSync(join(directory, toTimesName(start)), 'w', 0o600),
      timesEnd: 0,
    };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function removeSegment(directory: string, start: number): void {
  for (const name of [toSegmentName(start), toTimesName(start)])
    rmSync(join(directory, name), {force: true});
}

/**
 * When this returns, the file holds the value even after a power cut. A reader never sees a part of
 * it.
 */
export function writeDurably(file: string, value: object): void {
  const temporary = `${file}.tmp`;
  withFile(temporary, 'w', (fd) => {
    writeAll(fd, `${JSON.stringify(value)}\n`, 0);
    fsyncSync(fd);
  });
  renameSync(temporary, file);
  withFile(dirname(file), 'r', fsyncSync);
}

/**
 * Returns how much was written. On a full disk the kernel writes a part and reports success
 * (faults, finding 14).
 */
export function writeAll(fd: number, text: string, position: number): number {
  const bytes = Buffer.from(text);
  const written = writeSync(fd, bytes, 0, bytes.length, position);
  if (written < bytes.length)
    throw Object.assign(new Error(`only ${written} of ${bytes.length} bytes could be written`), {
      code: 'ENOSPC',
    });
  return written;
}

export function withFile<T>(file: string, flags: string, act: (fd: number) => T): T {
  const fd = openSync(file, flags, 0o600);
  try {
    return act(fd);
  } finally {
    closeSync(fd);
  }
}
