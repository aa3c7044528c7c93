import fs from 'node:fs';
import path from 'node:path';
import {segmentNameOf, segmentStartsOf, sessionFiles} from '../protocol/index.ts';

/** From where to where the log of a session can be read without a gap, and when it was last written to (wall clock, in ms). */
export function readExtent(directory: string): {readonly start: number; readonly end: number; readonly writtenAt?: number} {
  const folder = path.join(directory, sessionFiles.output);
  try {
    const segments = segmentStartsOf(fs.readdirSync(folder)).map((start) => {
      const {size, mtimeMs} = fs.statSync(path.join(folder, segmentNameOf(start)));
      return {start, size, mtimeMs};
    });
    const last = segments.at(-1);
    if (last === undefined) return {start: 0, end: 0};
    const end = last.start + last.size;
    const start = segments.toReversed().reduce((joined, {start: begin, size}) => (begin + size === joined || begin === last.start ? begin : joined), last.start);
    return {start, end, ...(end === 0 ? {} : {writtenAt: last.mtimeMs})};
  } catch {
    return {start: 0, end: 0};
  }
}
