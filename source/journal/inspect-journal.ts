import {type Disk, listNames, realDisk} from './disk.ts';
import {journalPaths, readJournalFile} from './read-journal.ts';
import {isBlobName, readBlob} from './blobs.ts';
import type {Ending} from './parse-records.ts';

export type JournalInspection = {
  readonly records: number;
  /** 0 if there are none. */
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly bytes: number;
  readonly ending: Ending;
  /** Torn tails that earlier starts saved. */
  readonly tornCopies: readonly string[];
  readonly blobs: number;
  readonly damagedBlobs: readonly string[];
};

export type InspectOptions = {
  readonly directory: string;
  readonly knows: (type: string) => boolean;
  /** @default the real one */
  readonly disk?: Disk;
};

/**
 * Reads everything and writes nothing, so it needs no lock. Beside a live daemon, a torn end may be
 * a write in progress.
 */
export function inspectJournal({
  directory,
  knows,
  disk = realDisk,
}: InspectOptions): JournalInspection {
  const files = journalPaths(directory);
  const {place, ending, size} = readJournalFile(disk, files.journal, knows, () => undefined);
  const blobs = listNames(disk, files.blobs).filter((name) => isBlobName(name));
  return {
    records: place.seq,
    firstSeq: Math.min(place.seq, 1),
    lastSeq: place.seq,
    bytes: size,
    ending,
    tornCopies: listNames(disk, directory).filter((name) => name.startsWith('torn-')),
    blobs: blobs.length,
    damagedBlobs: blobs.filter((name) => readBlob(disk, files.blobs, name).kind === 'damaged'),
  };
}
