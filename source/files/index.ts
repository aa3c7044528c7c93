/**
 * Reads, lists, copies and writes files that an agent or the author of the repository may have
 * made. Only regular files of a bounded size are read; pipes, devices, sockets and links are
 * rejected with a message, and nothing blocks.
 * Not here: what the files mean, the journal, the terminals' logs, /proc.
 */
export {
  type DirectoryListing,
  listDirectory,
  type ListedEntry,
  type ListOptions,
  namesIn,
  streamDirectory,
  type WalkOptions,
  walkTree,
} from './list-directory.ts';
export type {FileKind, FileRefusal, FileRefusalReason} from './refusal.ts';
export {
  bytesOrThrow,
  type CopyOptions,
  copyRegularFile,
  fileFingerprint,
  type FileReadResult,
  type LinkPolicy,
  type ReadOptions,
  readRegularFile,
  tryReadText,
} from './regular-file.ts';
export {isWithin} from './open-directory.ts';
export {makeDirectories, type MakeDirectoriesOptions} from './make-directories.ts';
export {
  formatSystemError,
  tryRemoveFile,
  tryWriteFile,
  writeFileAtomic,
  type WriteOptions,
} from './write-file-atomic.ts';
