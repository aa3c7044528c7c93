/** One event as the rest of the program sees it: the same value whether it was just appended or is read again years later. */
export type Entry = {
  /** Counts from 1, without gaps. */
  readonly seq: number;
  /** Wall clock in milliseconds: for people. Order comes from `seq`, durations from `mono`. */
  readonly at: number;
  /** Monotonic clock in nanoseconds, in decimal digits because it outgrows 2^53. Comparable within one `boot`. */
  readonly mono: string;
  readonly boot: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
};

/** What a decision wants remembered. `data` must survive JSON. */
export type Draft = Pick<Entry, 'type' | 'data'>;

/** Where the next record goes, and what it is chained to. */
export type Place = {
  readonly offset: number;
  /** Of the record before; 0 at the start of the file. Line N holds seq N. */
  readonly seq: number;
  readonly checksum: string;
};

export const startOfFile: Place = {offset: 0, seq: 0, checksum: '00000000'};
