import path from 'node:path';

export type Files = {
  readonly directory: string;
  readonly journal: string;
  /** One file per blob, named by its sha256. */
  readonly blobs: string;
  /** Given up when the disk is full, so that this can still be written down. */
  readonly reserve: string;
};

export function filesOf(directory: string): Files {
  return {
    directory,
    journal: path.join(directory, 'journal.jsonl'),
    blobs: path.join(directory, 'blobs'),
    reserve: path.join(directory, 'reserve'),
  };
}
