import type {Buffer} from 'node:buffer';
import type {Entry, Place} from './entry.ts';
import {type RecordReading, beginsWithWholeRecord, readRecord} from './read-record.ts';

/** Why reading stopped. `line` and `offset` say where; line N holds seq N. */
export type Ending =
  | {readonly kind: 'clean'}
  /** The last write was cut off. What stands before `offset` is the truth; the rest was saved aside and cut. */
  | {
      readonly kind: 'torn';
      readonly line: number;
      readonly offset: number;
      readonly bytes: number;
      readonly wrong: string;
      /** The cut-off line ends in a newline, which a write that was cut off leaves only if the disk lost blocks: somebody may have relied on it. */
      readonly perhapsAcknowledged: boolean;
    }
  /** Something that was whole is so no longer. The file is left as it is. */
  | {
      readonly kind: 'damaged';
      readonly line: number;
      readonly offset: number;
      readonly wrong: string;
    }
  | {
      readonly kind: 'newer-version';
      readonly line: number;
      readonly offset: number;
      readonly version: number;
    }
  | {
      readonly kind: 'unknown-type';
      readonly line: number;
      readonly offset: number;
      readonly type: string;
    };

export type RecordsReading = {
  /** Of whole decisions only. */
  readonly entries: readonly Entry[];
  /** After the last of them. */
  readonly place: Place;
  /** Absent when everything in `bytes` is sound and the file goes on. */
  readonly ending?: Ending;
};

const newlineByte = 0x0a;

/**
 * Reads the longest valid prefix of `bytes`, which stand at `from` in a file of `size` bytes.
 *
 * Torn or damaged? A write that was cut off leaves a beginning of what was written, at the end of the file. So an unsound
 * piece is torn only when nothing follows it, and when it does not hold a whole record; everything else was whole once, and
 * what was whole once is never cut away. (Held by every cut and every bit flip in test/journal.)
 */
export function readRecords(
  bytes: Buffer,
  from: Place,
  size: number,
  knows: (type: string) => boolean,
): RecordsReading {
  const entries: Entry[] = [];
  let undecided: Entry[] = [];
  let place = from;
  let next = from;
  for (;;) {
    const start = next.offset - from.offset;
    const newline = bytes.indexOf(newlineByte, start);
    if (newline === -1) break;
    const line = bytes.subarray(start, newline);
    const reading = readRecord(line, next, knows);
    const end = from.offset + newline + 1;
    if (reading.kind !== 'record')
      return {entries, place, ending: endingOf(reading, line, place, next, end, size)};

    undecided.push(reading.entry);
    next = {offset: end, seq: reading.entry.seq, checksum: reading.checksum};
    if (reading.more) continue;
    for (const entry of undecided) entries.push(entry);
    undecided = [];
    place = next;
  }

  if (from.offset + bytes.length < size) return {entries, place};
  if (place.offset === size) return {entries, place, ending: {kind: 'clean'}};
  const rest = bytes.subarray(next.offset - from.offset);
  if (beginsWithWholeRecord(rest)) return {entries, place, ending: newlineDamagedAt(next)};
  const wrong =
    rest.length === 0 ? 'the other records of its decision are missing' : 'it has no newline';
  return {entries, place, ending: tornAt(place, size, wrong, false)};
}

function endingOf(
  reading: Exclude<RecordReading, {kind: 'record'}>,
  line: Buffer,
  place: Place,
  next: Place,
  end: number,
  size: number,
): Ending {
  const where = {line: next.seq + 1, offset: next.offset};
  if (reading.kind === 'newer-version' || reading.kind === 'unknown-type')
    return {...where, ...reading};
  if (reading.kind === 'misplaced') return {...where, kind: 'damaged', wrong: reading.wrong};
  if (beginsWithWholeRecord(line)) return newlineDamagedAt(next);
  if (end < size) return {...where, kind: 'damaged', wrong: reading.wrong};
  return tornAt(place, size, reading.wrong, true);
}

function newlineDamagedAt({seq, offset}: Place): Ending {
  return {
    kind: 'damaged',
    line: seq + 1,
    offset,
    wrong: 'its checksum holds, but no newline follows it',
  };
}

function tornAt(
  {seq, offset}: Place,
  size: number,
  wrong: string,
  perhapsAcknowledged: boolean,
): Ending {
  return {kind: 'torn', line: seq + 1, offset, bytes: size - offset, wrong, perhapsAcknowledged};
}
