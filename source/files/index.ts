/**
 * Reads, lists, copies and writes files that somebody else may have made: an agent, or whoever wrote the repository. What is read is
 * a regular file of a bounded size; a pipe, a device, a socket or a link is refused with a sentence, and nothing blocks.
 * Not here: what the files mean, the journal, the terminals' logs, /proc.
 */
export type {FileKind} from './kind-of.ts';
export type {FileRefusal, RefusalReason} from './refusal.ts';
export {copyRegularFile, type CopyOptions} from './copy-regular-file.ts';
export {filePrint} from './file-print.ts';
export {
  listDirectory,
  namesIn,
  streamDirectory,
  type DirectoryListing,
  type ListOptions,
  type ListedEntry,
} from './list-directory.ts';
export {
  bytesOrThrow,
  readRegularFile,
  tryReadText,
  type FileReading,
  type LinkPolicy,
  type ReadOptions,
} from './read-regular-file.ts';
export {walkTree, type WalkOptions} from './walk-tree.ts';
export {makeDirectories, writeWhole, type WriteOptions} from './write-whole.ts';
