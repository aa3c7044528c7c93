/**
 * A way to ask the daemon, and to hear from it.
 *
 * Not here: Ink, files, git; nor starting the daemon: whoever calls knows how that is done.
 */
export {connectDaemon, Refused} from './connect-daemon.ts';
export type {DaemonAddress, DaemonConnection} from './connect-daemon.ts';
export {createEventSequence} from './create-event-sequence.ts';
export type {EventSequence, NumberedEvent} from './create-event-sequence.ts';
export type {CodeReport, JournalNews} from '../protocol/index.ts';
export type {LiveState} from './follow-state.ts';
export {followState} from './follow-state.ts';
export {Lost} from './lost.ts';
