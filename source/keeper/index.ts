/**
 * The process that holds one terminal: it starts one program in it, keeps all its output in a log, types each input at
 * most once, and writes down how it ended. It outlives whoever started it, and can't be upgraded while its program runs;
 * so it is small, and what it says is frozen (docs/keeper-protocol.md). Here too is what others need to talk to it, and
 * to read what it leaves behind.
 *
 * Not here: tasks, git, policy, configuration; the screen that the output draws; finding what outlives the program.
 */
export {KeeperError, connectKeeper} from './connect-keeper.ts';
export type {KeeperAddress, KeeperLink, KeeperListeners} from './connect-keeper.ts';
export {readEnd, readExtent} from './read-extent.ts';
export {readLog, readSize, readTimes} from './read-log.ts';
export type {LogPiece} from './read-log.ts';
export {runKeeper} from './run-keeper.ts';
