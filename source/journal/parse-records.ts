import type {Buffer} from 'node:buffer';
import {computeChecksum, type Entry, type RecordPosition, recordVersion} from './encode-records.ts';

export type RecordParseResult =
  | {
      readonly kind: 'record';
      readonly entry: Entry;
      readonly checksum: string;
      readonly more: boolean;
    }
  /** The checksum does not match: nothing in the line can be trusted. */
  | {readonly kind: 'unsound'; readonly wrong: string}
  /** The line is intact, but does not belong here. */
  | {readonly kind: 'misplaced'; readonly wrong: string}
  | {readonly kind: 'newer-version'; readonly version: number}
  | {readonly kind: 'unknown-type'; readonly type: string};

type Fields = {
  v?: unknown;
  seq?: unknown;
  prev?: unknown;
  at?: unknown;
  mono?: unknown;
  boot?: unknown;
  more?: unknown;
  type?: unknown;
  data?: unknown;
};

/** A tab and eight hex digits. JSON escapes tabs and newlines, so neither occurs in the body. */
const trailerLength = 9;
const tab = 0x09;

/** Parses one line (without its newline) as the record that follows `place`. */
export function parseRecord(
  line: Buffer,
  place: RecordPosition,
  knows: (type: string) => boolean,
): RecordParseResult {
  const end = line.length - trailerLength;
  if (end < 0 || line[end] !== tab)
    return {kind: 'unsound', wrong: 'it does not end in a tab and eight hex digits'};
  const checksum = computeChecksum(line.subarray(0, end));
  const written = line.toString('latin1', end + 1);
  if (written !== checksum)
    return {
      kind: 'unsound',
      wrong: `its checksum is ${checksum}, but ${JSON.stringify(written)} is written`,
    };

  const fields = parseFields(line.toString('utf8', 0, end));
  if (typeof fields?.v === 'number' && Number.isInteger(fields.v) && fields.v > recordVersion)
    return {kind: 'newer-version', version: fields.v};
  if (fields?.v !== recordVersion) return {kind: 'misplaced', wrong: 'it is not a journal record'};
  if (fields.seq !== place.seq + 1)
    return {
      kind: 'misplaced',
      wrong: `expected seq ${place.seq + 1}, got ${JSON.stringify(fields.seq)}`,
    };
  if (fields.prev !== place.checksum)
    return {
      kind: 'misplaced',
      wrong: `expected prev ${place.checksum}, got ${JSON.stringify(fields.prev)}`,
    };
  const {seq, at, mono, boot, more, type, data} = fields;
  const isWhole =
    typeof at === 'number' &&
    typeof mono === 'string' &&
    typeof boot === 'string' &&
    typeof type === 'string' &&
    isObject(data) &&
    (more === undefined || more === true);
  if (!isWhole) return {kind: 'misplaced', wrong: 'a field is missing or has the wrong type'};
  if (!knows(type)) return {kind: 'unknown-type', type};
  return {kind: 'record', entry: {seq, at, mono, boot, type, data}, checksum, more: more === true};
}

/**
 * Whether a piece starts with a valid record and continues: then the newline between two records
 * was damaged.
 */
export function beginsWithWholeRecord(piece: Buffer): boolean {
  const end = piece.indexOf(tab);
  if (end === -1 || piece.length <= end + trailerLength) return false;
  return (
    piece.toString('latin1', end + 1, end + trailerLength) ===
    computeChecksum(piece.subarray(0, end))
  );
}

function parseFields(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Why reading stopped. `line` and `offset` say where; line N holds seq N. */
export type Ending =
  | {readonly kind: 'clean'}
  /**
   * The last write was cut off. Everything before `offset` is valid; the rest was saved elsewhere
   * and removed.
   */
  | {
      readonly kind: 'torn';
      readonly line: number;
      readonly offset: number;
      readonly bytes: number;
      readonly wrong: string;
      /**
       * The cut-off line ends with a newline, which happens only if the disk lost blocks: the
       * record may have been acknowledged.
       */
      readonly perhapsAcknowledged: boolean;
    }
  /** A record that was complete is damaged. The file is left unchanged. */
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

export type RecordsParseResult = {
  /** Of complete decisions only. */
  readonly entries: readonly Entry[];
  /** The place after the last of them. */
  readonly place: RecordPosition;
  /** Absent if all of `bytes` is valid and the file continues. */
  readonly ending?: Ending;
};

const newlineByte = 0x0a;

/**
 * Parses the longest valid prefix of `bytes`, which are at `from` in a file of `size` bytes.
 *
 * Torn or damaged: a write that was cut off leaves a prefix of its bytes at the end of the file. So
 * an invalid piece is torn only if nothing follows it and it does not hold a complete record.
 * Everything else was complete once and is never removed. (Tests: every cut and every bit flip in
 * test/journal.)
 */
export function parseRecords(
  bytes: Buffer,
  from: RecordPosition,
  size: number,
  knows: (type: string) => boolean,
): RecordsParseResult {
  const entries: Entry[] = [];
  let undecided: Entry[] = [];
  let place = from;
  let next = from;
  for (;;) {
    const start = next.offset - from.offset;
    const newline = bytes.indexOf(newlineByte, start);
    if (newline === -1) break;
    const line = bytes.subarray(start, newline);
    const reading = parseRecord(line, next, knows);
    const end = from.offset + newline + 1;
    if (reading.kind !== 'record')
      return {entries, place, ending: toEnding(reading, line, place, next, end, size)};

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

function toEnding(
  reading: Exclude<RecordParseResult, {kind: 'record'}>,
  line: Buffer,
  place: RecordPosition,
  next: RecordPosition,
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

function newlineDamagedAt({seq, offset}: RecordPosition): Ending {
  return {
    kind: 'damaged',
    line: seq + 1,
    offset,
    wrong: 'its checksum holds, but no newline follows it',
  };
}

function tornAt(
  {seq, offset}: RecordPosition,
  size: number,
  wrong: string,
  perhapsAcknowledged: boolean,
): Ending {
  return {kind: 'torn', line: seq + 1, offset, bytes: size - offset, wrong, perhapsAcknowledged};
}

/** One sentence for a person; `undefined` for a clean end. */
export function describeEnding(ending: Ending): string | undefined {
  if (ending.kind === 'clean') return undefined;
  const where = `line ${ending.line}, byte ${ending.offset}`;
  switch (ending.kind) {
    case 'torn': {
      const doubt = ending.perhapsAcknowledged
        ? ' It ends in a newline, so it may have been acknowledged: check whether its effect happened.'
        : '';
      return `The last write was cut off at ${where}: ${ending.wrong} (${ending.bytes} bytes).${doubt}`;
    }

    case 'damaged': {
      return (
        `The journal is damaged at ${where}: ${ending.wrong}. Everything before it is ` +
        'intact; restore the file from a backup, or cut it there by hand.'
      );
    }

    case 'newer-version': {
      return (
        `The journal was written by a newer orchestra: record ${ending.line} (byte ` +
        `${ending.offset}) has format version ${ending.version}. Use that version.`
      );
    }

    case 'unknown-type': {
      return (
        `The journal was written by a newer orchestra: record ${ending.line} (byte ` +
        `${ending.offset}) has the unknown type ${JSON.stringify(ending.type)}. Use that ` +
        'version.'
      );
    }
  }
}
