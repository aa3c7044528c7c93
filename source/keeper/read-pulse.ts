import {closeSync, fstatSync, openSync, readdirSync, readSync, statSync} from 'node:fs';
import {Buffer} from 'node:buffer';
import {join} from 'node:path';
import {
  parseMarks,
  parseSegmentStarts,
  sessionFiles,
  toSegmentName,
  toTimesName,
} from '../protocol/index.ts';

/** The length of one interval, and how many are counted. */
export const pulseIntervalMs = 5000;
export const pulseIntervals = 8;

/**
 * The bytes that a session's terminal printed in each of the last complete intervals, oldest first.
 * Intervals are those of the wall clock, so that a figure never changes once it is there.
 *
 * The source is the keeper's record of times beside its log: it counts the byte stream itself.
 * Nothing is sampled, so a session that nobody asks about costs nothing, and a restarted daemon
 * knows the same figures.
 */
export function readPulse(directory: string, now: number): number[] {
  return countPulse(readPrinted(directory, now - (pulseIntervals + 1) * pulseIntervalMs), now);
}

/** Bytes that were printed at one time (wall clock, in ms). */
export type Printed = {readonly at: number; readonly bytes: number};

export function countPulse(printed: readonly Printed[], now: number): number[] {
  const current = Math.floor(now / pulseIntervalMs);
  const counts = Array.from({length: pulseIntervals}, () => 0);
  for (const {at, bytes} of printed) {
    const place = Math.floor(at / pulseIntervalMs) - current + pulseIntervals;
    const count = counts[place];
    if (count !== undefined) counts[place] = count + bytes;
  }

  return counts;
}

/**
 * Output that the log dropped has no times. It came between these two, most likely as fast as the
 * output after it, whose first and last bytes are given.
 */
export function spreadDropped(
  bytes: number,
  between: {readonly from: number; readonly until: number},
  after: {readonly bytes: number; readonly ms: number},
): Printed[] {
  const maxMs = Math.max(0, between.until - between.from);
  const likely = after.bytes === 0 ? maxMs : (bytes * after.ms) / after.bytes;
  const duration = Math.min(maxMs, likely, pulseIntervals * 2 * pulseIntervalMs);
  const pieces = Math.max(1, Math.ceil(duration / 1000));
  return Array.from({length: pieces}, (_, index) => ({
    at: between.until - (duration * (pieces - index)) / pieces,
    bytes: Math.floor((bytes * (index + 1)) / pieces) - Math.floor((bytes * index) / pieces),
  }));
}

/** The end of a times file that is read: a mark each 10 ms for more than 40 s. */
const maxTailBytes = 128 * 1024;

/**
 * What was printed since a time, from the newest segments on. Marks count from the session's start,
 * on a clock that stands while the machine sleeps; when the newest file was written tells when its
 * last mark was.
 */
function readPrinted(directory: string, since: number): Printed[] {
  const folder = join(directory, sessionFiles.output);
  let printed: Printed[] = [];
  let begin: number | undefined;
  let nextStart: number | undefined;
  for (const start of segmentStarts(folder).toReversed()) {
    const {text, writtenAt} = readTail(join(folder, toTimesName(start)));
    const marks = parseMarks(withSize(text));
    const last = marks.at(-1);
    if (last === undefined) continue;
    begin ??= writtenAt - last.at;
    const zero = begin;
    const end = start + sizeOf(join(folder, toSegmentName(start)));
    const own = marks.map(({at, offset}, index) => ({
      at: zero + at,
      bytes: Math.max(0, (marks[index + 1]?.offset ?? end) - offset),
    }));
    const dropped = nextStart === undefined ? 0 : nextStart - end;
    const first = printed[0];
    const gap =
      dropped <= 0 || first === undefined
        ? []
        : spreadDropped(dropped, {from: zero + last.at, until: first.at}, describeRate(printed));
    printed = [...own, ...gap, ...printed];
    nextStart = start;
    if ((printed[0]?.at ?? since) < since) break;
  }

  return printed;
}

function describeRate(printed: readonly Printed[]): {readonly bytes: number; readonly ms: number} {
  return {
    bytes: printed.reduce((total, {bytes}) => total + bytes, 0),
    ms: (printed.at(-1)?.at ?? 0) - (printed[0]?.at ?? 0),
  };
}

/** Only the first line of a file must have a screen size, and a tail has no first line. */
function withSize(text: string): string {
  return text.replace(/^(\d+ \d+)\n/, '$1 1x1\n');
}

function segmentStarts(folder: string): number[] {
  try {
    return parseSegmentStarts(readdirSync(folder));
  } catch {
    return [];
  }
}

function sizeOf(file: string): number {
  return statSync(file, {throwIfNoEntry: false})?.size ?? 0;
}

/** Whole lines from the end of a file; nothing if the keeper has just dropped it. */
function readTail(file: string): {readonly text: string; readonly writtenAt: number} {
  let fd: number | undefined;
  try {
    fd = openSync(file, 'r');
    const {size, mtimeMs} = fstatSync(fd);
    const from = Math.max(0, size - maxTailBytes);
    const bytes = Buffer.alloc(size - from);
    const length = readSync(fd, bytes, 0, bytes.length, from);
    const text = bytes.toString('latin1', 0, length);
    return {text: from === 0 ? text : text.slice(text.indexOf('\n') + 1), writtenAt: mtimeMs};
  } catch {
    return {text: '', writtenAt: 0};
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
