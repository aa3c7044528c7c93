import type {Buffer} from 'node:buffer';
import {checksumOf} from './checksum-of.ts';
import {version} from './encode-records.ts';
import type {Entry, Place} from './entry.ts';

export type RecordReading =
  | {
      readonly kind: 'record';
      readonly entry: Entry;
      readonly checksum: string;
      readonly more: boolean;
    }
  /** The checksum does not hold: nothing in the line can be believed. */
  | {readonly kind: 'unsound'; readonly wrong: string}
  /** The line is as somebody wrote it, but it does not belong here. */
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

/** A tab and eight hex digits. JSON escapes tabs and newlines, so neither ever stands inside the body. */
const trailerLength = 9;
const tab = 0x09;

/** Reads one line (without its newline) as the record that follows `place`. */
export function readRecord(
  line: Buffer,
  place: Place,
  knows: (type: string) => boolean,
): RecordReading {
  const end = line.length - trailerLength;
  if (end < 0 || line[end] !== tab)
    return {kind: 'unsound', wrong: 'it does not end in a tab and eight hex digits'};
  const checksum = checksumOf(line.subarray(0, end));
  const written = line.toString('latin1', end + 1);
  if (written !== checksum)
    return {
      kind: 'unsound',
      wrong: `its checksum is ${checksum}, but ${JSON.stringify(written)} is written`,
    };

  const fields = fieldsOf(line.toString('utf8', 0, end));
  if (typeof fields?.v === 'number' && Number.isInteger(fields.v) && fields.v > version)
    return {kind: 'newer-version', version: fields.v};
  if (fields?.v !== version) return {kind: 'misplaced', wrong: 'it is not a journal record'};
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

/** Whether a piece starts with a sound record and goes on: then the newline between two records is what was damaged. */
export function beginsWithWholeRecord(piece: Buffer): boolean {
  const end = piece.indexOf(tab);
  if (end === -1 || piece.length <= end + trailerLength) return false;
  return (
    piece.toString('latin1', end + 1, end + trailerLength) === checksumOf(piece.subarray(0, end))
  );
}

function fieldsOf(text: string): Fields | undefined {
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
