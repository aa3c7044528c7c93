import {Buffer} from 'node:buffer';
import {checksumOf} from './checksum-of.ts';
import type {Draft, Entry, Place} from './entry.ts';

export const version = 1;

/** The events of one `append`: they are in the file together or not at all. */
export type Decision = {
  readonly at: number;
  readonly mono: string;
  readonly boot: string;
  readonly drafts: readonly Draft[];
};

type Encoded = {
  readonly bytes: Buffer;
  /** One list per decision. */
  readonly entries: readonly Entry[][];
  readonly next: Place;
};

/** Turns decisions into the bytes that follow `place`. The format is docs/journal-format.md. */
export function encodeRecords(decisions: readonly Decision[], place: Place): Encoded {
  const lines: Buffer[] = [];
  let {offset, seq, checksum} = place;
  const entries = decisions.map(({at, mono, boot, drafts}) =>
    drafts.map(({type, data}, index): Entry => {
      seq += 1;
      // JSON leaves out what is undefined: the last record of a decision has no `more`.
      const more = index < drafts.length - 1 ? true : undefined;
      const body = Buffer.from(
        JSON.stringify({v: version, seq, prev: checksum, at, mono, boot, more, type, data}),
      );
      checksum = checksumOf(body);
      const line = Buffer.concat([body, Buffer.from(`\t${checksum}\n`)]);
      offset += line.length;
      lines.push(line);
      return {seq, at, mono, boot, type, data};
    }),
  );
  return {bytes: Buffer.concat(lines), entries, next: {offset, seq, checksum}};
}
