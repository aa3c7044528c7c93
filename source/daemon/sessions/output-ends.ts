import {Buffer} from 'node:buffer';
import {formatCount} from '../../shared/index.ts';
import type {SessionId} from '../../domain/index.ts';
import {readExtent, readLog} from '../../keeper/index.ts';
import type {DaemonContext} from '../daemon-context.ts';

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
  {store}: Pick<DaemonContext, 'store'>,
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
  const head: Buffer[] = [];
  const tail: Buffer[] = [];
  let [size, headSize, tailSize] = [0, 0, 0];
  return {
    add: (chunk) => {
      size += chunk.length;
      const first = chunk.subarray(0, headBytes - headSize);
      if (first.length > 0) head.push(first);
      headSize += first.length;
      const rest = chunk.subarray(first.length);
      if (rest.length > 0) tail.push(rest);
      tailSize += rest.length;
      for (let oldest = tail[0]; oldest !== undefined; oldest = tail[0]) {
        if (tailSize - oldest.length < tailBytes) break;
        tailSize -= oldest.length;
        tail.shift();
      }
    },
    toText: () => {
      const [first, last] = [Buffer.concat(head), Buffer.concat(tail)];
      return headSize + tailSize === size
        ? Buffer.concat([first, last]).toString('utf8')
        : joinEnds(first, last.subarray(-tailBytes), size).text;
    },
  };
}

function formatOmitted(bytes: number): string {
  return `[… ${formatCount(bytes)} bytes of output are left out here …]`;
}
