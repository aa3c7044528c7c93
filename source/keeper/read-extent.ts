import fs from 'node:fs';
import path from 'node:path';
import {segmentNameOf, segmentStartsOf, sessionFiles} from '../protocol/index.ts';

/** Where the log of a session ends, and when it was last written to (wall clock, in ms). */
export function readEnd(directory: string): {readonly end: number; readonly writtenAt?: number} {
  try {
    const folder = path.join(directory, sessionFiles.output);
    const last = segmentStartsOf(fs.readdirSync(folder)).at(-1);
    if (last === undefined) return {end: 0};
    const {size, mtimeMs} = fs.statSync(path.join(folder, segmentNameOf(last)));
    return {end: last + size, ...(last + size === 0 ? {} : {writtenAt: mtimeMs})};
  } catch {
    return {end: 0};
  }
}

/** From where to where the log of a session can be read without a gap. */
export function readExtent(directory: string): {readonly start: number; readonly end: number} {
  const folder = path.join(directory, sessionFiles.output);
  try {
    const segments = segmentStartsOf(fs.readdirSync(folder)).map((start) => ({
      start,
      end: start + fs.statSync(path.join(folder, segmentNameOf(start))).size,
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
