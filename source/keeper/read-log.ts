import {Buffer} from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import {type TimeMark, readMarks, segmentNameOf, segmentStartsOf, sessionFiles, timesNameOf} from '../protocol/index.ts';

export type LogPiece = {readonly offset: number; readonly bytes: Buffer};

const pieceSize = 64 * 1024;

/**
 * The output of a session from one offset to another, in order, as it lies on the disk: no keeper is needed. Where a
 * piece does not begin at the end of the one before, the output between was dropped. It ends with what is there; to go
 * on later, begin again where the last piece ended.
 */
export function* readLog(directory: string, from = 0, to = Number.POSITIVE_INFINITY): Generator<LogPiece> {
  const folder = path.join(directory, sessionFiles.output);
  for (const start of segmentStartsIn(folder)) {
    const fd = ifThere(() => fs.openSync(path.join(folder, segmentNameOf(start)), 'r'));
    if (fd === undefined) continue;
    try {
      for (let offset = Math.max(from, start); offset < to;) {
        const bytes = Buffer.allocUnsafe(Math.min(pieceSize, to - offset));
        const length = fs.readSync(fd, bytes, 0, bytes.length, offset - start);
        if (length === 0) break;
        yield {offset, bytes: bytes.subarray(0, length)};
        offset += length;
      }
    } finally {
      fs.closeSync(fd);
    }
  }
}

/** When which part of the output came, and on a screen of which size. */
export function readTimes(directory: string): TimeMark[] {
  const folder = path.join(directory, sessionFiles.output);
  return segmentStartsIn(folder).flatMap((start) => readMarks(ifThere(() => fs.readFileSync(path.join(folder, timesNameOf(start)), 'utf8')) ?? ''));
}

function segmentStartsIn(folder: string): number[] {
  return segmentStartsOf(ifThere(() => fs.readdirSync(folder)) ?? []);
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
