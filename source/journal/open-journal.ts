import path from 'node:path';
import {createBlobs} from './create-blobs.ts';
import {describeEnding} from './describe-ending.ts';
import {type Disk, namesIn, realDisk} from './disk.ts';
import type {Draft, Entry} from './entry.ts';
import {type Files, filesOf} from './files-of.ts';
import {JournalUnavailable} from './journal-unavailable.ts';
import type {Clock} from './make-decision.ts';
import {openWriter} from './open-writer.ts';
import type {BlobReading} from './read-blob.ts';
import {readFile} from './read-file.ts';
import type {Ending} from './read-records.ts';
import type {Notice, Status} from './status.ts';
import {removeIfPossible, temporarySuffix} from './write-durably.ts';

export type JournalOptions = {
  /** Made with mode 0700 if missing. Nobody else may write in it. */
  readonly directory: string;
  readonly clock: Clock;
  /** Names the boot of the machine within which `clock.mono` can be compared. */
  readonly boot: string;
  /** Whether this version understands an event type. One that it does not makes the journal read-only. */
  readonly knows: (type: string) => boolean;
  /** Called during opening, in order, with each entry that is there. */
  readonly replay: (entry: Entry) => void;
  /** Called afterwards, when the disk fails or recovers. */
  readonly report: (notice: Notice) => void;
  /**
   * Written with the help of the reserve when the disk is full.
   * @default {type: 'disk-full', data: {}}
   */
  readonly diskFull?: Draft;
  /** @default the real one */
  readonly disk?: Disk;
};

export type Journal = {
  readonly found: Found;
  readonly status: () => Status;
  /**
   * Resolves when all of the events are durable, as consecutive entries. Refuses with `JournalUnavailable`.
   * `at` is the moment for which they were decided; without it, now.
   */
  readonly append: (events: readonly Draft[], at?: number) => Promise<readonly Entry[]>;
  /** Tries to leave `degraded`. Harmless at any time; meant to be called now and then. */
  readonly retry: () => Promise<Status>;
  /**
   * Looks whether the file at the journal's path is still the one that is written to; if not, the journal is `read-only` from now
   * on. Each append looks by itself; this is for whoever wants to know without one.
   */
  readonly check: () => Promise<Status>;
  /** Resolves with the name when the bytes are durable, and so may be named in a record. */
  readonly putBlob: (bytes: Uint8Array) => Promise<string>;
  readonly readBlob: (name: string) => BlobReading;
  /** Waits for the appends under way. */
  readonly close: () => Promise<void>;
};

/** What opening found. */
export type Found = {
  /** There was no journal, or an empty one. */
  readonly isFresh: boolean;
  readonly records: number;
  readonly ending: Ending;
  /** Where the bytes of a torn end are saved: now, or when the disk allows it. */
  readonly tornCopy?: string;
};

/** Fails when the file cannot be read at all. A disk that only refuses to be written gives a journal that is `degraded`. */
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

  const files = filesOf(directory);
  const {place, ending, size, file} = readFile(disk, files.journal, knows, replay);
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

/** Two torn ends in one millisecond are two files. */
function unusedName(disk: Disk, directory: string, name: string): string {
  const used = new Set(namesIn(disk, directory));
  let unused = name;
  for (let count = 2; used.has(unused); count += 1) unused = `${name}-${count}`;
  return path.join(directory, unused);
}

/** A crash may have left half-written files that nothing names. */
function sweep(disk: Disk, {directory, blobs}: Files): void {
  for (const place of [directory, blobs]) {
    for (const name of namesIn(disk, place)) {
      if (name.endsWith(temporarySuffix)) removeIfPossible(disk, path.join(place, name));
    }
  }
}
