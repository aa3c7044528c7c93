import fs from 'node:fs';
import path from 'node:path';
import {Buffer} from 'node:buffer';
import {closeSync, openSync, readFileSync, readSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {errorCode} from '../shared/index.ts';
import {
  parseMarks,
  parseSegmentStarts,
  sessionFiles,
  type TimeMark,
  toSegmentName,
  toTimesName,
} from '../protocol/index.ts';

export type LogPiece = {readonly offset: number; readonly bytes: Buffer};

const pieceSize = 64 * 1024;

/**
 * Reads the output of a session from one offset to another, in order, from the disk; no keeper is
 * needed. Where a piece does not begin at the end of the one before, the output between was
 * dropped. It ends with the present end of the log; to continue later, start again where the last
 * piece ended.
 */
export function* readLog(
  directory: string,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): Generator<LogPiece> {
  const folder = join(directory, sessionFiles.output);
  const starts = segmentStartsIn(folder);
  for (const [index, start] of starts.entries()) {
    // Earlier segments are not opened: a long log has many, and followers read its end.
    if ((starts[index + 1] ?? Number.POSITIVE_INFINITY) <= from || start >= to) continue;
    const fd = ifThere(() => openSync(join(folder, toSegmentName(start)), 'r'));
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

/** When each part of the output was written, and for which screen size. */
export function readTimes(directory: string): TimeMark[] {
  const folder = join(directory, sessionFiles.output);
  return segmentStartsIn(folder).flatMap((start) =>
    parseMarks(ifThere(() => readFileSync(join(folder, toTimesName(start)), 'utf8')) ?? ''),
  );
}

/** The screen size of the latest output. */
export function readSize(
  directory: string,
): {readonly columns: number; readonly rows: number} | undefined {
  const folder = join(directory, sessionFiles.output);
  const last = segmentStartsIn(folder).at(-1);
  const text =
    last === undefined
      ? undefined
      : ifThere(() => readFileSync(join(folder, toTimesName(last)), 'latin1'));
  if (text === undefined) return undefined;
  // Few lines have a size, and a session of days has very many lines.
  for (let place = text.lastIndexOf('x'); place !== -1; place = text.lastIndexOf('x', place - 1)) {
    const [mark] = parseMarks(
      text.slice(text.lastIndexOf('\n', place) + 1, text.indexOf('\n', place) + 1),
    );
    if (mark !== undefined) return {columns: mark.columns, rows: mark.rows};
    if (place === 0) break;
  }

  return undefined;
}

function segmentStartsIn(folder: string): number[] {
  return parseSegmentStarts(ifThere(() => readdirSync(folder)) ?? []);
}

/** A keeper may drop a segment between two reads. */
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The end of a session's log, and when it was last written to (wall clock, in ms). */
export function readEnd(directory: string): {readonly end: number; readonly writtenAt?: number} {
  try {
    const folder = path.join(directory, sessionFiles.output);
    const last = parseSegmentStarts(fs.readdirSync(folder)).at(-1);
    if (last === undefined) return {end: 0};
    const {size, mtimeMs} = fs.statSync(path.join(folder, toSegmentName(last)));
    return {end: last + size, ...(last + size === 0 ? {} : {writtenAt: mtimeMs})};
  } catch {
    return {end: 0};
  }
}

/** The range of a session's log that can be read without a gap. */
export function readExtent(directory: string): {readonly start: number; readonly end: number} {
  const folder = path.join(directory, sessionFiles.output);
  try {
    const segments = parseSegmentStarts(fs.readdirSync(folder)).map((start) => ({
      start,
      end: start + fs.statSync(path.join(folder, toSegmentName(start))).size,
    }));
    const last = segments.at(-1);
    if (last === undefined) return {start: 0, end: 0};
    const start = segments
      .toReversed()
      .reduce(
        (joined, one) => (one.end === joined || one === last ? one.start : joined),
        last.start,
      );
    return {start, end: last.end};
  } catch {
    return {start: 0, end: 0};
  }
}
