/**
 * What survives a crash: the log of events, one checked and chained line each, and the blobs that
 * they name. An acknowledged entry is durable; a half-written one is never read; a file that cannot
 * be trusted is never written to. The format is docs/journal-format.md, the reasons are
 * docs/decisions/0002-journal.md.
 *
 * Not here: the meaning of events. Locking: the daemon's exclusive start guarantees one writer.
 * Redaction: secrets are removed earlier. Queries: a caller folds the entries.
 */
export type {BlobReadResult} from './blobs.ts';
export type {Disk} from './disk.ts';
export type {Clock, Draft, Entry} from './encode-records.ts';
export {inspectJournal, type JournalInspection} from './inspect-journal.ts';
export {type Found, type Journal, type JournalOptions, openJournal} from './open-journal.ts';
export {JournalUnavailable, type JournalNotice, type JournalStatus} from './open-writer.ts';
export {describeEnding, type Ending} from './parse-records.ts';
export {readJournal} from './read-journal.ts';
