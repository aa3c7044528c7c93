import path from 'node:path';
import type {Buffer} from 'node:buffer';
import {type Disk, type FileLook, isSameFile} from './disk.ts';
import {type Decision, encodeRecords} from './encode-records.ts';
import type {Entry, Place} from './entry.ts';
import type {Files} from './files-of.ts';
import {readFile} from './read-file.ts';
import {saveCopy} from './save-copy.ts';
import {ForeignFile, settleFile} from './settle-file.ts';
import {writeWhole} from './write-durably.ts';

/** The open file, and the place up to which everything in it is durable. One caller at a time. */
export type JournalFile = {
  /**
   * Opens the file anew and makes it end at its place. Fails when the disk does. Gives what is wrong when the file at the
   * journal's path is not what was acknowledged; then nothing in it is changed.
   */
  readonly settle: () => Promise<string | undefined>;
  readonly write: (decisions: readonly Decision[]) => Promise<WriteOutcome>;
  /** What is wrong with the file at the journal's path, if it is not the one that is written to, as it was left. Fails when the disk does. */
  readonly check: () => string | undefined;
  /** Takes back what a failed write left behind the place. */
  readonly cut: () => boolean;
  /** Copies what was acknowledged to a file of this name beside the journal, if the file itself has lost its name and would be gone with its descriptor. Gives whether it did. */
  readonly save: (file: string) => Promise<boolean>;
  readonly close: () => void;
};

export type WriteOutcome =
  /** Durable, in the file at the journal's path. One list per decision. */
  | {readonly kind: 'written'; readonly entries: readonly Entry[][]}
  /** The file at the journal's path is another one, or not as it was left. */
  | {readonly kind: 'foreign'; readonly wrong: string}
  | {readonly kind: 'write-failed' | 'sync-failed'; readonly error: unknown};

export type JournalFileOptions = {
  readonly disk: Disk;
  readonly files: Files;
  readonly knows: (type: string) => boolean;
  /** Where the last whole decision ends. */
  readonly place: Place;
  /** The file in which that was read; nothing if there was none. */
  readonly found: FileLook | undefined;
  /** Where the torn tail is saved, if there is one. */
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
  // Not at first: `place` was found by reading, a moment ago.
  let mustVerify = false;
  /** What was written last and not acknowledged: it, or a beginning of it, may stand behind the place. */
  let refused: Buffer | undefined;

  const close = (): void => {
    const closing = fd;
    fd = undefined;
    if (closing !== undefined) closeQuietly(disk, closing);
  };

  const readAgain = (): string | undefined => {
    const {place: end, ending} = readFile(disk, files.journal, knows, () => undefined);
    if (ending.kind === 'clean' && end.offset === place.offset && end.checksum === place.checksum)
      return undefined;
    return `${files.journal} should end after record ${place.seq} at byte ${place.offset}, but reads as ${ending.kind} after record ${end.seq} at byte ${end.offset}`;
  };

  /** By name, device, inode and size. `changed` is when we changed it last; a later change is somebody else's, and the file is read. */
  const check = (offset: number): string | undefined => {
    const there = disk.lookAt(files.journal);
    if (there === undefined)
      return `${files.journal} is gone: it, or its directory, was removed or renamed while the daemon ran`;
    if (found === undefined || !isSameFile(there, found))
      return `${files.journal} was replaced by another file while the daemon ran`;
    if (there.size !== offset)
      return `${files.journal} should have ${offset} bytes, but has ${there.size}: something else wrote to it while the daemon ran`;
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
      refused = undefined;
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
      refused = bytes;
      writeWhole(disk, own, bytes);
    } catch (error) {
      return {kind: 'write-failed', error};
    }

    try {
      await disk.datasync(own);
    } catch (error) {
      return {kind: 'sync-failed', error};
    }

    try {
      // Only now is it certain where they went: the name may have been given to another file meanwhile.
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
        fd = await settleFile({disk, files, place, tornCopy, found, refused});
        found = disk.look(fd);
        tornCopy = undefined;
        refused = undefined;
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
      refused = undefined;
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

/** All that was acknowledged is synced: an error here has nothing left to lose. */
function closeQuietly(disk: Disk, fd: number): void {
  try {
    disk.close(fd);
  } catch {
    // See above.
  }
}
