import {Buffer} from 'node:buffer';
import {formatCount} from '../../shared/index.ts';
import type {SessionId} from '../../domain/index.ts';
import {readExtent, readLog} from '../../keeper/index.ts';
import type {SessionFiles} from '../daemon-context.ts';

/** How much of the beginning and of the end of an output is read. */
export type OutputLimits = {readonly headBytes: number; readonly tailBytes: number};

export type OutputEnds = {
  /** The whole output, or its beginning and its end with a line between them that says so. */
  readonly text: string;
  /** Bytes that are missing between the two. */
  readonly omitted: number;
};

/**
 * The beginning and the end of a session's output: the first failure of a long log is often near
 * its beginning, and its summary at the end.
 */
export function readOutputEnds(
  {store}: SessionFiles,
  session: SessionId,
  {headBytes, tailBytes}: OutputLimits,
): OutputEnds {
  const directory = store.directoryOf(session);
  const {start, end} = readExtent(directory);
  const read = (from: number, to: number): Buffer =>
    Buffer.concat([...readLog(directory, from, to)].map(({bytes}) => bytes));
  if (start === 0 && end <= headBytes + tailBytes)
    return {text: read(0, end).toString('utf8'), omitted: 0};
  const tailStart = Math.max(start, headBytes, end - tailBytes);
  return joinEnds(read(0, headBytes), read(tailStart, end), end);
}

/** Both parts are cut at line ends, so that neither half a line nor half a character is read. */
export function joinEnds(head: Buffer, tail: Buffer, size: number): OutputEnds {
  const headEnd = head.lastIndexOf('\n') + 1;
  const tailStart = tail.indexOf('\n') + 1;
  const first = head.subarray(0, headEnd === 0 ? head.length : headEnd);
  const last = tail.subarray(tailStart);
  const omitted = size - first.length - last.length;
  return {
    text: `${first.toString('utf8').replace(/\n?$/, '\n')}${formatOmitted(omitted)}\n${last.toString('utf8')}`,
    omitted,
  };
}

/** Collects the two ends of an output as it arrives, in bounded memory. */
export function createEndsCollector({headBytes, tailBytes}: OutputLimits): {
  readonly add: (chunk: Buffer) => void;
  readonly toText: () => string;
} {
  const head = Buffer.allocUnsafe(headBytes);
  // The tail is a ring: however small the pieces, they take no more memory than it has.
  const ring = Buffer.allocUnsafe(tailBytes);
  let [size, headSize, tailSize] = [0, 0, 0];
  const addToTail = (chunk: Buffer): void => {
    const at = tailSize % tailBytes;
    const wrapped = chunk.copy(ring, at, 0, Math.min(chunk.length, tailBytes - at));
    tailSize += wrapped;
    if (wrapped < chunk.length) addToTail(chunk.subarray(wrapped));
  };

  return {
    add: (chunk) => {
      size += chunk.length;
      const taken = chunk.copy(head, headSize, 0, Math.min(chunk.length, headBytes - headSize));
      headSize += taken;
      if (taken < chunk.length) addToTail(chunk.subarray(taken));
    },
    toText: () => {
      const first = head.subarray(0, headSize);
      if (tailSize <= tailBytes)
        return Buffer.concat([first, ring.subarray(0, tailSize)]).toString('utf8');
      const at = tailSize % tailBytes;
      return joinEnds(first, Buffer.concat([ring.subarray(at), ring.subarray(0, at)]), size).text;
    },
  };
}

function formatOmitted(bytes: number): string {
  return `[… ${formatCount(bytes)} bytes of output are left out here …]`;
}
