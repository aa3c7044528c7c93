import path from 'node:path';
import {type BlobReadResult, createBlobs} from './blobs.ts';
import {describeEnding, type Ending} from './parse-records.ts';
import {type Disk, listNames, realDisk, removeIfPossible, temporarySuffix} from './disk.ts';
import type {Clock, Draft, Entry} from './encode-records.ts';
import {journalPaths, type JournalPaths, readJournalFile} from './read-journal.ts';
import {
  JournalUnavailable,
  type JournalNotice,
  openWriter,
  type JournalStatus,
} from './open-writer.ts';

export type JournalOptions = {
  /** Made with mode 0700 if missing. Only this user may write in it. */
  readonly directory: string;
  readonly clock: Clock;
  /** Identifies the boot of the machine, within which `clock.mono` is comparable. */
  readonly boot: string;
  /** Whether this version knows an event type. An unknown type makes the journal read-only. */
  readonly knows: (type: string) => boolean;
  /** Called while opening, in order, with each existing entry. */
  readonly replay: (entry: Entry) => void;
  /** Called later, when the disk fails or recovers. */
  readonly report: (notice: JournalNotice) => void;
  /**
   * Appended with the help of the reserve when the disk is full.
   * @default {type: 'disk-full', data: {}}
   */
  readonly diskFull?: Draft;
  /** @default the real one */
  readonly disk?: Disk;
};

export type Journal = {
  readonly found: Found;
  readonly status: () => JournalStatus;
  /**
   * Resolves when all events are durable, as consecutive entries. Rejects with
   * `JournalUnavailable`. `at` is the moment for which they were decided. @default now
   */
  readonly append: (events: readonly Draft[], at?: number) => Promise<readonly Entry[]>;
  /** Tries to leave `degraded`. Harmless at any time; call it now and then. */
  readonly retry: () => Promise<JournalStatus>;
  /**
   * Checks that the file at the journal's path is still the one that is written to; if not, the
   * journal becomes `read-only`. Each append checks this too.
   */
  readonly check: () => Promise<JournalStatus>;
  /** Resolves with the name when the bytes are durable, so that a record may name them. */
  readonly putBlob: (bytes: Uint8Array) => Promise<string>;
  readonly readBlob: (name: string) => BlobReadResult;
  /** Waits for pending appends. */
  readonly close: () => Promise<void>;
};

/** What opening found. */
export type Found = {
  /** There was no journal, or an empty one. */
  readonly isFresh: boolean;
  readonly records: number;
  readonly ending: Ending;
  /** Where the bytes of a torn end are saved, now or once the disk allows it. */
  readonly tornCopy?: string;
};

/**
 * Throws when the file cannot be read. If the disk only rejects writes, the journal is `degraded`.
 */
export async function openJournal(options: JournalOptions): Promise<Journal> {
  const {
    directory,
    clock,
    boot,
    knows,
    replay,
    report,
    diskFull = {type: 'disk-full', data: {}},
    disk = realDisk,
  } = options;
  if (!knows(diskFull.type))
    throw new TypeError(
      `expected \`knows\` to accept the record of a full disk, but it refuses ${JSON.stringify(diskFull.type)}`,
    );

  const files = journalPaths(directory);
  const {place, ending, size, file} = readJournalFile(disk, files.journal, knows, replay);
  const isOurs = ending.kind === 'clean' || ending.kind === 'torn';
  const tornCopy =
    ending.kind === 'torn' ? unusedName(disk, directory, `torn-${clock.wall()}`) : undefined;
  if (isOurs) sweep(disk, files);

  const readOnly = isOurs ? undefined : `${describeEnding(ending) ?? ''} (${files.journal})`;
  const writer = await openWriter({
    disk,
    files,
    knows,
    place,
    tornCopy,
    found: file,
    clock,
    boot,
    report,
    diskFull,
    readOnly,
  });
  const blobs = createBlobs(disk, files.blobs);
  return {
    found: {
      isFresh: size === 0,
      records: place.seq,
      ending,
      ...(tornCopy !== undefined && {tornCopy}),
    },
    status: writer.status,
    append: writer.append,
    retry: writer.retry,
    check: writer.check,
    putBlob: async (bytes) => {
      const status = await writer.check();
      if (status.mode === 'read-only') throw new JournalUnavailable(status.reason);
      return blobs.put(bytes);
    },
    readBlob: blobs.read,
    close: writer.close,
  };
}

/** Two torn ends in one millisecond get two files. */
function unusedName(disk: Disk, directory: string, name: string): string {
  const used = new Set(listNames(disk, directory));
  let unused = name;
  for (let count = 2; used.has(unused); count += 1) unused = `${name}-${count}`;
  return path.join(directory, unused);
}

/** Removes half-written files that a crash left and that nothing names. */
function sweep(disk: Disk, {directory, blobs}: JournalPaths): void {
  for (const place of [directory, blobs]) {
    for (const name of listNames(disk, place)) {
      if (name.endsWith(temporarySuffix)) removeIfPossible(disk, path.join(place, name));
    }
  }
}
