import {Buffer} from 'node:buffer';

/**
 * A frame is a u32 (big-endian) that counts what follows, a u8 that says its kind, and the payload.
 * Control frames hold one JSON value; the other two hold bytes.
 */
export type Frame =
  | {readonly kind: 'control'; readonly value: unknown}
  | {readonly kind: 'output' | 'input'; readonly payload: Buffer};

export type FrameKind = Frame['kind'];

export type FrameReader = {
  /**
   * Takes the next bytes of a stream, cut anywhere, and gives the frames that they complete. Payloads are views into
   * memory that is not written again. After a violation nothing more is read: the connection is to be dropped.
   */
  readonly read: (chunk: Buffer) => {
    readonly frames: readonly Frame[];
    readonly violation?: string;
  };
};

/** What the length of a frame may say: kind and payload together. */
export const longestFrame = 1024 * 1024;

const kinds: readonly FrameKind[] = ['control', 'output', 'input'];
const lengthSize = 4;
const headerSize = lengthSize + 1;
const nothing = Buffer.alloc(0);

export function encodeFrame(kind: FrameKind, payload: Uint8Array): Buffer {
  const frame = frameFor(kind, payload.length);
  frame.set(payload, headerSize);
  return frame;
}

export function encodeMessage(message: object): Buffer {
  return encodeFrame('control', Buffer.from(JSON.stringify(message)));
}

/** Bytes with a number before them (u64, big-endian): the offset of output, the id of input. */
export function encodeNumbered(
  kind: 'output' | 'input',
  number: number,
  bytes: Uint8Array,
): Buffer {
  const frame = frameFor(kind, 8 + bytes.length);
  frame.writeUInt32BE(Math.floor(number / 2 ** 32), headerSize);
  frame.writeUInt32BE(number >>> 0, headerSize + 4);
  frame.set(bytes, headerSize + 8);
  return frame;
}

/** The payload of an output or input frame; nothing if it is too short or its number is beyond what is counted here. */
export function readNumbered(
  payload: Buffer,
): {readonly number: number; readonly bytes: Buffer} | undefined {
  if (payload.length < 8) return undefined;
  // Half by half: a BigInt takes some 10 µs here, and there are four for each key and its echo.
  const number = payload.readUInt32BE(0) * 2 ** 32 + payload.readUInt32BE(4);
  return Number.isSafeInteger(number) ? {number, bytes: payload.subarray(8)} : undefined;
}

export function createFrameReader(): FrameReader {
  // The beginning of a frame whose end has not come; it grows with what came, never by what a length claims.
  let store = nothing;
  let held = 0;
  let violation: string | undefined;

  const hold = (chunk: Buffer): Buffer => {
    if (held + chunk.length > store.length) {
      const larger = Buffer.allocUnsafe(
        Math.max(held + chunk.length, Math.min(2 * store.length, headerSize + longestFrame)),
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
      violation = violationOf(length, kind);
      const end = start + lengthSize + length;
      if (violation !== undefined || kind === undefined || end > bytes.length) break;
      const frame = frameOf(kind, bytes.subarray(start + headerSize, end));
      if (frame === undefined) {
        violation = 'expected JSON in a control frame';
        break;
      }

      frames.push(frame);
      start = end;
    }

    if (violation !== undefined) return {frames, violation};
    if (start > 0 || held === 0) {
      store = nothing;
      held = 0;
      if (start < bytes.length) hold(bytes.subarray(start));
    }

    return {frames};
  };

  return {read};
}

function frameFor(kind: FrameKind, size: number): Buffer {
  if (1 + size > longestFrame)
    throw new RangeError(`expected at most ${longestFrame - 1} bytes in a frame, got ${size}`);
  const frame = Buffer.allocUnsafe(headerSize + size);
  frame.writeUInt32BE(1 + size, 0);
  frame.writeUInt8(kinds.indexOf(kind), lengthSize);
  return frame;
}

function violationOf(length: number, kind: FrameKind | undefined): string | undefined {
  if (length < 1 || length > longestFrame)
    return `expected a frame of 1 to ${longestFrame} bytes, got ${length}`;
  return kind === undefined ? 'expected a frame of a known kind' : undefined;
}

function frameOf(kind: FrameKind, payload: Buffer): Frame | undefined {
  if (kind !== 'control') return {kind, payload};
  try {
    return {kind, value: JSON.parse(payload.toString('utf8')) as unknown};
  } catch {
    return undefined;
  }
}
