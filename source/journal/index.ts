/**
 * What survives a crash: the log of events, one checked and chained line each, and the blobs that they name.
 * An acknowledged entry is durable; a half-written one is never seen; what cannot be trusted is never written to.
 * The format is docs/journal-format.md, the reasons are docs/decisions/0002-journal.md.
 *
 * Not here: opinions about events. Locking: the daemon's exclusive start sees to it that there is one writer.
 * Redaction: secrets are taken out before they come here. Queries: whoever needs one folds the entries.
 */
export type {BlobReading} from './read-blob.ts';
export {describeEnding} from './describe-ending.ts';
export type {Disk} from './disk.ts';
export type {Draft, Entry} from './entry.ts';
export {inspectJournal} from './inspect-journal.ts';
export type {JournalInspection} from './inspect-journal.ts';
export {JournalUnavailable} from './journal-unavailable.ts';
export {openJournal} from './open-journal.ts';
export type {Found, Journal, JournalOptions} from './open-journal.ts';
export type {Clock} from './make-decision.ts';
export {readJournal} from './read-journal.ts';
export type {Ending} from './read-records.ts';
export type {Notice, Status} from './status.ts';
