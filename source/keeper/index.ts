/**
 * The process that holds one terminal: it starts one program in it, logs all its output, types each
 * input at most once, and records how it ended. It outlives its parent and cannot be upgraded while
 * its program runs; so it is small, and its protocol is frozen (docs/keeper-protocol.md). Also
 * here: the client for it, and readers for the files that it leaves.
 *
 * Not here: tasks, git, policy, configuration; the screen that the output draws; finding processes
 * that outlive the program.
 */
export {
  connectKeeper,
  isKeeperGone,
  type KeeperAddress,
  KeeperError,
  type KeeperLink,
  type KeeperListeners,
} from './connect-keeper.ts';
export {runKeeper} from './create-keeper.ts';
export {countPulse, pulseIntervalMs, pulseIntervals, readPulse} from './read-pulse.ts';
export {type LogPiece, readEnd, readExtent, readLog, readSize, readTimes} from './read-log.ts';
