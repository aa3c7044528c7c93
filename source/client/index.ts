/**
 * A connection to the daemon: requests, and a live copy of its state.
 *
 * Not here: Ink, files, git; starting the daemon (the caller does that).
 */
export {
  connectDaemon,
  ConnectionLostError,
  type DaemonAddress,
  type DaemonConnection,
  RequestRejectedError,
} from './connect-daemon.ts';
export {
  createEventSequence,
  type EventSequence,
  followState,
  type LiveState,
  type NumberedEvent,
} from './follow-state.ts';
