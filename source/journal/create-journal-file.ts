import path from 'node:path';
import {Buffer} from 'node:buffer';
import {type Disk, type FileLook, isSameFile, writeFully, writeFileDurably} from './disk.ts';
import {
  type DecisionRecord,
  encodeRecords,
  type Entry,
  type RecordPosition,
} from './encode-records.ts';
import {type JournalPaths, readBytes, readJournalFile} from './read-journal.ts';
import {ForeignFile, settleFile} from './settle-file.ts';

/** The open file, and the place up to which it is durable. One caller at a time. */
export type JournalFile = {
  /**
   * Reopens the file and makes it end at its place. Throws when the disk fails. Returns what is
   * wrong when the file at the journal's path is not the acknowledged one; then nothing in it is
   * changed.
   */
  readonly settle: () => Promise<string | undefined>;
  readonly write: (decisions: readonly DecisionRecord[]) => Promise<WriteOutcome>;
  /**
   * What is wrong if the file at the journal's path is not the one that is written to, or was
   * changed by others. Throws when the disk fails.
   */
  readonly check: () => string | undefined;
  /** Removes what a failed write left after the place. */
  readonly cut: () => boolean;
  /**
   * If the file has lost its name and would vanish with its descriptor, copies all acknowledged
   * records to this file beside the journal. Returns whether it did.
   */
  readonly save: (file: string) => Promise<boolean>;
  readonly close: () => void;
};

export type WriteOutcome =
  /** Durable, in the file at the journal's path. One list per decision. */
  | {readonly kind: 'written'; readonly entries: readonly Entry[][]}
  /** The file at the journal's path is another one, or was changed by others. */
  | {readonly kind: 'foreign'; readonly wrong: string}
  | {readonly kind: 'write-failed' | 'sync-failed'; readonly error: unknown};

export type JournalFileOptions = {
  readonly disk: Disk;
  readonly files: JournalPaths;
  readonly knows: (type: string) => boolean;
  /** Where the last whole decision ends. */
  readonly place: RecordPosition;
  /** The file that was read; `undefined` if there was none. */
  readonly found: FileLook | undefined;
  /** Where the torn tail is saved, if any. */
  readonly tornCopy: string | undefined;
};

export function createJournalFile({
  disk,
  files,
  knows,
  ...options
}: JournalFileOptions): JournalFile {
  let {place, tornCopy, found} = options;
  let fd: number | undefined;
  // False at first: `place` was just found by reading the file.
  let mustVerify = false;
  /**
   * The last bytes that were written and not acknowledged. They, or a prefix of them, may follow
   * the place.
   */
  let rejected: Buffer | undefined;

  const close = (): void => {
    const closing = fd;
    fd = undefined;
    if (closing !== undefined) closeQuietly(disk, closing);
  };

  const readAgain = (): string | undefined => {
    const {place: end, ending} = readJournalFile(disk, files.journal, knows, () => undefined);
    if (ending.kind === 'clean' && end.offset === place.offset && end.checksum === place.checksum)
      return undefined;
    return (
      `${files.journal} should end after record ${place.seq} at byte ${place.offset}, but ` +
      `reads as ${ending.kind} after record ${end.seq} at byte ${end.offset}`
    );
  };

  /**
   * Compares name, device, inode and size. After a change that is later than our own (`changed`)
   * the file is read.
   */
  const check = (offset: number): string | undefined => {
    const there = disk.lookAt(files.journal);
    if (there === undefined)
      return `${files.journal} is gone: it, or its directory, was removed or renamed while the daemon ran`;
    if (found === undefined || !isSameFile(there, found))
      return `${files.journal} was replaced by another file while the daemon ran`;
    if (there.size !== offset)
      return (
        `${files.journal} should have ${offset} bytes, but has ${there.size}: something ` +
        'else wrote to it while the daemon ran'
      );
    return undefined;
  };

  const checkBefore = (): string | undefined => {
    const wrong = check(place.offset);
    if (wrong !== undefined || fd === undefined || found === undefined) return wrong;
    const {changed} = disk.look(fd);
    if (changed === found.changed) return undefined;
    const damage = readAgain();
    if (damage === undefined) found = {...found, changed};
    return damage;
  };

  const cut = (): boolean => {
    try {
      if (fd === undefined) return false;
      disk.truncate(fd, place.offset);
      found = disk.look(fd);
      rejected = undefined;
      return true;
    } catch {
      return false;
    }
  };

  const put = async (
    own: number,
    bytes: Buffer,
  ): Promise<Exclude<WriteOutcome, {kind: 'written'}> | undefined> => {
    try {
      const wrong = checkBefore();
      if (wrong !== undefined) return {kind: 'foreign', wrong};
      rejected = bytes;
      writeFully(disk, own, bytes);
    } catch (error) {
      return {kind: 'write-failed', error};
    }

    try {
      await disk.datasync(own);
    } catch (error) {
      return {kind: 'sync-failed', error};
    }

    try {
      // Checked after the sync: the name may have been given to another file meanwhile.
      const wrong = check(place.offset + bytes.length);
      if (wrong === undefined) {
        found = disk.look(own);
        return undefined;
      }

      if (disk.look(own).size === place.offset + bytes.length) cut();
      return {kind: 'foreign', wrong};
    } catch (error) {
      return {kind: 'write-failed', error};
    }
  };

  return {
    settle: async () => {
      const isFirst = !mustVerify;
      mustVerify = true;
      close();
      try {
        fd = await settleFile({disk, files, place, tornCopy, found, rejected});
        found = disk.look(fd);
        tornCopy = undefined;
        rejected = undefined;
      } catch (error) {
        close();
        if (error instanceof ForeignFile) return error.message;
        throw error;
      }

      const wrong = isFirst ? undefined : readAgain();
      if (wrong !== undefined) close();
      return wrong;
    },
    write: async (decisions) => {
      if (fd === undefined) return {kind: 'write-failed', error: new Error('the file is not open')};
      const {bytes, entries, next} = encodeRecords(decisions, place);
      const failure = await put(fd, bytes);
      if (failure !== undefined) return failure;
      place = next;
      rejected = undefined;
      return {kind: 'written', entries};
    },
    check: checkBefore,
    cut,
    save: async (name) => {
      if (fd === undefined || disk.look(fd).names > 0) return false;
      await saveCopy(disk, fd, place.offset, path.join(files.directory, name));
      return true;
    },
    close,
  };
}

function closeQuietly(disk: Disk, fd: number): void {
  try {
    disk.close(fd);
  } catch {
    // Everything acknowledged is synced, so an error here loses nothing.
  }
}

/** Copies the first `length` bytes of an open file to another one, durably. */
export async function saveCopy(
  disk: Disk,
  fd: number,
  length: number,
  file: string,
): Promise<void> {
  await writeFileDurably(disk, file, readBytes(disk, fd, 0, Buffer.allocUnsafe(length)));
}
