import {Buffer} from 'node:buffer';

/**
 * A frame is a u32 (big-endian) with the length of the rest, a u8 with its kind, and the payload.
 * Control frames contain one JSON value, the other two kinds contain bytes.
 */
export type Frame =
  | {readonly kind: 'control'; readonly value: unknown}
  | {readonly kind: 'output' | 'input'; readonly payload: Buffer};

export type FrameKind = Frame['kind'];

export type FrameReader = {
  /**
   * Takes the next bytes of a stream, cut anywhere, and returns the frames that they complete.
   * Payloads are views into memory that is not written again. After a violation nothing more is
   * read: drop the connection.
   */
  readonly read: (chunk: Buffer) => {
    readonly frames: readonly Frame[];
    readonly violation?: string;
  };
};

/** The highest length of a frame: kind and payload together. */
export const maxFrameBytes = 1024 * 1024;

const kinds: readonly FrameKind[] = ['control', 'output', 'input'];
const lengthSize = 4;
const headerSize = lengthSize + 1;
const emptyBuffer = Buffer.alloc(0);

export function encodeFrame(kind: FrameKind, payload: Uint8Array): Buffer {
  const frame = allocateFrame(kind, payload.length);
  frame.set(payload, headerSize);
  return frame;
}

export function encodeMessage(message: object): Buffer {
  return encodeFrame('control', Buffer.from(JSON.stringify(message)));
}

/** Bytes after a number (u64, big-endian): the offset of output, or the id of input. */
export function encodeNumbered(
  kind: 'output' | 'input',
  number: number,
  bytes: Uint8Array,
): Buffer {
  const frame = allocateFrame(kind, 8 + bytes.length);
  frame.writeUInt32BE(Math.floor(number / 2 ** 32), headerSize);
  frame.writeUInt32BE(number >>> 0, headerSize + 4);
  frame.set(bytes, headerSize + 8);
  return frame;
}

/**
 * The payload of an output or input frame; undefined if it is too short or its number is not a safe
 * integer.
 */
export function parseNumbered(
  payload: Buffer,
): {readonly number: number; readonly bytes: Buffer} | undefined {
  if (payload.length < 8) return undefined;
  // Two u32 reads: a BigInt takes some 10 µs here, and there are four for each key and its echo.
  const number = payload.readUInt32BE(0) * 2 ** 32 + payload.readUInt32BE(4);
  return Number.isSafeInteger(number) ? {number, bytes: payload.subarray(8)} : undefined;
}

export function createFrameReader(): FrameReader {
  // The beginning of an incomplete frame. It grows with received bytes, never by the length that a
  // frame claims.
  let store = emptyBuffer;
  let held = 0;
  let violation: string | undefined;

  const hold = (chunk: Buffer): Buffer => {
    if (held + chunk.length > store.length) {
      const larger = Buffer.allocUnsafe(
        Math.max(held + chunk.length, Math.min(2 * store.length, headerSize + maxFrameBytes)),
      );
      store.copy(larger, 0, 0, held);
      store = larger;
    }

    store.set(chunk, held);
    held += chunk.length;
    return store.subarray(0, held);
  };

  const read: FrameReader['read'] = (chunk) => {
    if (violation !== undefined) return {frames: [], violation};
    const bytes = held === 0 ? chunk : hold(chunk);
    const frames: Frame[] = [];
    let start = 0;
    while (bytes.length - start >= headerSize) {
      const length = bytes.readUInt32BE(start);
      const kind = kinds[bytes.readUInt8(start + lengthSize)];
      violation = findViolation(length, kind);
      const end = start + lengthSize + length;
      if (violation !== undefined || kind === undefined || end > bytes.length) break;
      const frame = parseFrame(kind, bytes.subarray(start + headerSize, end));
      if (frame === undefined) {
        violation = 'expected JSON in a control frame';
        break;
      }

      frames.push(frame);
      start = end;
    }

    if (violation !== undefined) return {frames, violation};
    if (start > 0 || held === 0) {
      store = emptyBuffer;
      held = 0;
      if (start < bytes.length) hold(bytes.subarray(start));
    }

    return {frames};
  };

  return {read};
}

function allocateFrame(kind: FrameKind, size: number): Buffer {
  if (1 + size > maxFrameBytes)
    throw new RangeError(`expected at most ${maxFrameBytes - 1} bytes in a frame, got ${size}`);
  const frame = Buffer.allocUnsafe(headerSize + size);
  frame.writeUInt32BE(1 + size, 0);
  frame.writeUInt8(kinds.indexOf(kind), lengthSize);
  return frame;
}

function findViolation(length: number, kind: FrameKind | undefined): string | undefined {
  if (length < 1 || length > maxFrameBytes)
    return `expected a frame of 1 to ${maxFrameBytes} bytes, got ${length}`;
  return kind === undefined ? 'expected a frame of a known kind' : undefined;
}

function parseFrame(kind: FrameKind, payload: Buffer): Frame | undefined {
  if (kind !== 'control') return {kind, payload};
  try {
    return {kind, value: JSON.parse(payload.toString('utf8')) as unknown};
  } catch {
    return undefined;
  }
}
