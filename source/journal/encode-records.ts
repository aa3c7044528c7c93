import {Buffer} from 'node:buffer';
import {crc32} from 'node:zlib';

/**
 * One event as the rest of the program sees it: the same value when it was just appended and when
 * it is read years later.
 */
export type Entry = {
  /** Counts from 1, without gaps. */
  readonly seq: number;
  /** Wall clock in milliseconds: for people. Order comes from `seq`, durations from `mono`. */
  readonly at: number;
  /**
   * Monotonic clock in nanoseconds, in decimal digits because it outgrows 2^53. Comparable within
   * one `boot`.
   */
  readonly mono: string;
  readonly boot: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
};

/** An event to append. `data` must survive JSON. */
export type Draft = Pick<Entry, 'type' | 'data'>;

/** Where the next record goes, and what it is chained to. */
export type RecordPosition = {
  readonly offset: number;
  /** The number of the record before; 0 at the start of the file. Line N holds seq N. */
  readonly seq: number;
  readonly checksum: string;
};

export const startOfFile: RecordPosition = {offset: 0, seq: 0, checksum: '00000000'};

export const recordVersion = 1;

/** The events of one `append`: all of them are in the file, or none. */
export type DecisionRecord = {
  readonly at: number;
  readonly mono: string;
  readonly boot: string;
  readonly drafts: readonly Draft[];
};

type Encoded = {
  readonly bytes: Buffer;
  /** One list per decision. */
  readonly entries: readonly Entry[][];
  readonly next: RecordPosition;
};

/** Encodes decisions as the bytes that follow `place`. The format is docs/journal-format.md. */
export function encodeRecords(
  decisions: readonly DecisionRecord[],
  place: RecordPosition,
): Encoded {
  const lines: Buffer[] = [];
  let {offset, seq, checksum} = place;
  const entries = decisions.map(({at, mono, boot, drafts}) =>
    drafts.map(({type, data}, index): Entry => {
      seq += 1;
      // JSON omits `undefined`: the last record of a decision has no `more`.
      const more = index < drafts.length - 1 ? true : undefined;
      const body = Buffer.from(
        JSON.stringify({v: recordVersion, seq, prev: checksum, at, mono, boot, more, type, data}),
      );
      checksum = computeChecksum(body);
      const line = Buffer.concat([body, Buffer.from(`\t${checksum}\n`)]);
      offset += line.length;
      lines.push(line);
      return {seq, at, mono, boot, type, data};
    }),
  );
  return {bytes: Buffer.concat(lines), entries, next: {offset, seq, checksum}};
}

/** CRC-32 as eight lower-case hex digits, as at the end of each line. */
export function computeChecksum(bytes: Uint8Array): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}

/** The clock for the time stamps of records. */
export type Clock = {
  readonly wall: () => number;
  /** Nanoseconds. */
  readonly mono: () => bigint;
};

export type DecisionOptions = {
  readonly clock: Clock;
  readonly boot: string;
  readonly knows: (type: string) => boolean;
};

/**
 * Stamps the events of one append and copies them, so that later changes have no effect. If the
 * decision was made for a certain moment, that moment is used.
 */
export function makeDecision(
  drafts: readonly Draft[],
  {clock, boot, knows}: DecisionOptions,
  at = clock.wall(),
): DecisionRecord {
  const unknown = drafts.find(({type}) => !knows(type));
  // It would be written, and the next start would reject the whole journal.
  if (unknown !== undefined)
    throw new TypeError(
      `expected an event type that this version knows, got ${JSON.stringify(unknown.type)}`,
    );
  return {
    at,
    mono: String(clock.mono()),
    boot,
    drafts: drafts.map(({type, data}) => ({type, data: asRead(data)})),
  };
}

/**
 * The value as it will be read again: live state and replayed state must not differ by a Date or an
 * `undefined`.
 */
function asRead(data: Draft['data']): Draft['data'] {
  const text = JSON.stringify(data);
  if (!text.startsWith('{'))
    throw new TypeError(`expected data to be an object, got ${text.slice(0, 40)}`);
  return JSON.parse(text) as Draft['data'];
}
