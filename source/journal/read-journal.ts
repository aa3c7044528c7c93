import path from 'node:path';
import {Buffer} from 'node:buffer';
import {type Disk, type FileLook, isMissing, realDisk} from './disk.ts';
import {type Entry, type RecordPosition, startOfFile} from './encode-records.ts';
import {type Ending, parseRecords} from './parse-records.ts';

export type JournalReadResult = {
  readonly place: RecordPosition;
  readonly ending: Ending;
  readonly size: number;
  /** The file that was read; `undefined` if there was none. */
  readonly file?: FileLook;
};

const windowSize = 1024 * 1024;

/**
 * Reads the journal through a window, so that its text is never in memory as a whole. A missing
 * file counts as empty.
 */
export function readJournalFile(
  disk: Disk,
  file: string,
  knows: (type: string) => boolean,
  visit: (entry: Entry) => void,
): JournalReadResult {
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

/** Reads from `offset` on, until `into` is full or the file ends. */
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
): JournalReadResult {
  const size = disk.size(fd);
  let window = Buffer.allocUnsafe(Math.min(size, windowSize));
  let place = startOfFile;
  for (;;) {
    const wanted = window.subarray(0, Math.min(window.length, size - place.offset));
    const bytes = readBytes(disk, fd, place.offset, wanted);
    // Only `inspectJournal` can meet a file that shrinks: a daemon removes a failed write while the
    // doctor reads.
    const end = bytes.length < wanted.length ? place.offset + bytes.length : size;
    const reading = parseRecords(bytes, place, end, knows);
    for (const entry of reading.entries) visit(entry);
    if (reading.ending !== undefined)
      return {place: reading.place, ending: reading.ending, size: end};
    // The next decision is longer than the window.
    if (reading.place.offset === place.offset) window = Buffer.allocUnsafe(window.length * 2);
    place = reading.place;
  }
}

type ReadJournalOptions = {
  readonly directory: string;
  readonly knows: (type: string) => boolean;
  readonly visit: (entry: Entry) => void;
  /** @default the real one */
  readonly disk?: Disk;
};

/**
 * Visits all valid entries in order. Writes nothing and needs no lock; beside a live daemon the end
 * is a snapshot.
 */
export function readJournal({
  directory,
  knows,
  visit,
  disk = realDisk,
}: ReadJournalOptions): Ending {
  return readJournalFile(disk, journalPaths(directory).journal, knows, visit).ending;
}

export type JournalPaths = {
  readonly directory: string;
  readonly journal: string;
  /** One file per blob, named by its sha256. */
  readonly blobs: string;
  /** Removed when the disk is full, so that this can still be recorded. */
  readonly reserve: string;
};

export function journalPaths(directory: string): JournalPaths {
  return {
    directory,
    journal: path.join(directory, 'journal.jsonl'),
    blobs: path.join(directory, 'blobs'),
    reserve: path.join(directory, 'reserve'),
  };
}
