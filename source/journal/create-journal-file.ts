import type {Disk} from './disk.ts';
import {type Decision, encodeRecords} from './encode-records.ts';
import type {Entry, Place} from './entry.ts';
import type {Files} from './files-of.ts';
import {readFile} from './read-file.ts';
import {settleFile} from './settle-file.ts';
import {writeWhole} from './write-durably.ts';

/** The open file, and the place up to which everything in it is durable. One caller at a time. */
export type JournalFile = {
  /**
   * Opens the file anew and makes it end at its place. Fails when the disk does. Gives what is wrong when the file is read
   * again and is not what was acknowledged.
   */
  readonly settle: () => Promise<string | undefined>;
  readonly write: (decisions: readonly Decision[]) => Promise<WriteOutcome>;
  /** Takes back what a failed write left behind the place. */
  readonly cut: () => boolean;
  readonly close: () => void;
};

export type WriteOutcome =
  /** Durable. One list per decision. */
  | {readonly kind: 'written'; readonly entries: readonly Entry[][]}
  | {readonly kind: 'write-failed' | 'sync-failed'; readonly error: unknown};

export type JournalFileOptions = {
  readonly disk: Disk;
  readonly files: Files;
  readonly knows: (type: string) => boolean;
  /** Where the last whole decision ends. */
  readonly place: Place;
  /** Where the torn tail is saved, if there is one. */
  readonly tornCopy: string | undefined;
};

export function createJournalFile({disk, files, knows, ...found}: JournalFileOptions): JournalFile {
  let {place, tornCopy} = found;
  let fd: number | undefined;
  // Not at first: `place` was found by reading, a moment ago.
  let mustVerify = false;

  const close = (): void => {
    const closing = fd;
    fd = undefined;
    if (closing !== undefined) closeQuietly(disk, closing);
  };

  return {
    settle: async () => {
      const isFirst = !mustVerify;
      mustVerify = true;
      close();
      fd = await settleFile(disk, files, place, tornCopy);
      tornCopy = undefined;
      if (isFirst) return undefined;
      const {place: end, ending} = readFile(disk, files.journal, knows, () => undefined);
      if (ending.kind === 'clean' && end.offset === place.offset && end.checksum === place.checksum) return undefined;
      close();
      return `${files.journal} should end after record ${place.seq} at byte ${place.offset}, but reads as ${ending.kind} after record ${end.seq} at byte ${end.offset}`;
    },
    write: async (decisions) => {
      if (fd === undefined) return {kind: 'write-failed', error: new Error('the file is not open')};
      const {bytes, entries, next} = encodeRecords(decisions, place);
      try {
        writeWhole(disk, fd, bytes);
      } catch (error) {
        return {kind: 'write-failed', error};
      }

      try {
        await disk.datasync(fd);
      } catch (error) {
        return {kind: 'sync-failed', error};
      }

      place = next;
      return {kind: 'written', entries};
    },
    cut: () => {
      try {
        if (fd !== undefined) disk.truncate(fd, place.offset);
        return fd !== undefined;
      } catch {
        return false;
      }
    },
    close,
  };
}

/** All that was acknowledged is synced: an error here has nothing left to lose. */
function closeQuietly(disk: Disk, fd: number): void {
  try {
    disk.close(fd);
  } catch {
    // See above.
  }
}
