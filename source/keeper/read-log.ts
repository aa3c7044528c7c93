import {Buffer} from 'node:buffer';
import {closeSync, openSync, readFileSync, readSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {
  type TimeMark,
  readMarks,
  segmentNameOf,
  segmentStartsOf,
  sessionFiles,
  timesNameOf,
} from '../protocol/index.ts';

export type LogPiece = {readonly offset: number; readonly bytes: Buffer};

const pieceSize = 64 * 1024;

/**
 * The output of a session from one offset to another, in order, as it lies on the disk: no keeper is needed. Where a
 * piece does not begin at the end of the one before, the output between was dropped. It ends with what is there; to go
 * on later, begin again where the last piece ended.
 */
export function* readLog(
  directory: string,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): Generator<LogPiece> {
  const folder = join(directory, sessionFiles.output);
  const starts = segmentStartsIn(folder);
  for (const [index, start] of starts.entries()) {
    // What ends before it is not opened: a long log has many segments, and those who follow it read its end.
    if ((starts[index + 1] ?? Number.POSITIVE_INFINITY) <= from || start >= to) continue;
    const fd = ifThere(() => openSync(join(folder, segmentNameOf(start)), 'r'));
    if (fd === undefined) continue;
    try {
      for (let offset = Math.max(from, start); offset < to;) {
        const bytes = Buffer.allocUnsafe(Math.min(pieceSize, to - offset));
        const length = readSync(fd, bytes, 0, bytes.length, offset - start);
        if (length === 0) break;
        yield {offset, bytes: bytes.subarray(0, length)};
        offset += length;
      }
    } finally {
      closeSync(fd);
    }
  }
}

/** When which part of the output came, and on a screen of which size. */
export function readTimes(directory: string): TimeMark[] {
  const folder = join(directory, sessionFiles.output);
  return segmentStartsIn(folder).flatMap((start) =>
    readMarks(ifThere(() => readFileSync(join(folder, timesNameOf(start)), 'utf8')) ?? ''),
  );
}

/** The size of the screen that the latest output was written for. */
export function readSize(
  directory: string,
): {readonly columns: number; readonly rows: number} | undefined {
  const folder = join(directory, sessionFiles.output);
  const last = segmentStartsIn(folder).at(-1);
  const text =
    last === undefined
      ? undefined
      : ifThere(() => readFileSync(join(folder, timesNameOf(last)), 'latin1'));
  if (text === undefined) return undefined;
  // Few lines have a size, and a session of days has very many lines.
  for (let place = text.lastIndexOf('x'); place !== -1; place = text.lastIndexOf('x', place - 1)) {
    const [mark] = readMarks(
      text.slice(text.lastIndexOf('\n', place) + 1, text.indexOf('\n', place) + 1),
    );
    if (mark !== undefined) return {columns: mark.columns, rows: mark.rows};
    if (place === 0) break;
  }

  return undefined;
}

function segmentStartsIn(folder: string): number[] {
  return segmentStartsOf(ifThere(() => readdirSync(folder)) ?? []);
}

/** A keeper may drop a segment between two looks. */
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
