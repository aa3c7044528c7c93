import {Buffer} from 'node:buffer';
import {type Disk, type FileLook, isMissing} from './disk.ts';
import {type Entry, type Place, startOfFile} from './entry.ts';
import {type Ending, readRecords} from './read-records.ts';

export type FileReading = {
  readonly place: Place;
  readonly ending: Ending;
  readonly size: number;
  /** Which file was read; nothing if there was none. */
  readonly file?: FileLook;
};

const windowSize = 1024 * 1024;

/** Walks the journal through a window, so that its text is never in memory as a whole. A missing file is an empty one. */
export function readFile(
  disk: Disk,
  file: string,
  knows: (type: string) => boolean,
  visit: (entry: Entry) => void,
): FileReading {
  let fd: number;
  try {
    fd = disk.open(file, 'r');
  } catch (error) {
    if (!isMissing(error)) throw error;
    return {place: startOfFile, ending: {kind: 'clean'}, size: 0};
  }

  try {
    const file = disk.look(fd);
    return {...walk(disk, fd, knows, visit), file};
  } finally {
    disk.close(fd);
  }
}

/** The bytes from `offset` on, `length` of them or as many as there are. */
export function readBytes(disk: Disk, fd: number, offset: number, into: Buffer): Buffer {
  let filled = 0;
  while (filled < into.length) {
    const count = disk.read(fd, into.subarray(filled), offset + filled);
    if (count === 0) break;
    filled += count;
  }

  return into.subarray(0, filled);
}

function walk(
  disk: Disk,
  fd: number,
  knows: (type: string) => boolean,
  visit: (entry: Entry) => void,
): FileReading {
  const size = disk.size(fd);
  let window = Buffer.allocUnsafe(Math.min(size, windowSize));
  let place = startOfFile;
  for (;;) {
    const wanted = window.subarray(0, Math.min(window.length, size - place.offset));
    const bytes = readBytes(disk, fd, place.offset, wanted);
    // Only `inspectJournal` can meet a file that shrinks: a daemon cuts a failed write while the doctor reads.
    const end = bytes.length < wanted.length ? place.offset + bytes.length : size;
    const reading = readRecords(bytes, place, end, knows);
    for (const entry of reading.entries) visit(entry);
    if (reading.ending !== undefined)
      return {place: reading.place, ending: reading.ending, size: end};
    // The next decision is longer than the window.
    if (reading.place.offset === place.offset) window = Buffer.allocUnsafe(window.length * 2);
    place = reading.place;
  }
}
