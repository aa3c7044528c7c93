import type {Entry} from './entry.ts';

/** Whether the journal takes records, and if not, why and what to do. */
export type Status =
  | {readonly mode: 'writing'}
  /** No room, or the disk fails: appends are refused until `retry` succeeds. */
  | {
      readonly mode: 'degraded';
      readonly reason: string;
      readonly isFull?: true;
      /** What a person can do; `reason` ends in it. */ readonly remedy?: string;
    }
  /** The file cannot be trusted or understood: appends are refused for good. */
  | {readonly mode: 'read-only'; readonly reason: string};

/** What happens after opening and must not pass in silence. */
export type Notice =
  /** `entry` is the record of the full disk, if the reserve gave room for it: it has a seq and belongs to the history. */
  | {readonly kind: 'degraded'; readonly reason: string; readonly entry?: Entry}
  | {readonly kind: 'read-only'; readonly reason: string}
  /** An append was refused; the file was opened anew and holds all that was acknowledged before. */
  | {readonly kind: 'sync-failed'; readonly reason: string}
  | {readonly kind: 'recovered'};
