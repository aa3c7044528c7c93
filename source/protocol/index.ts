/**
 * What daemon, keeper and clients say to each other, and how it is framed; and the names and contents of the files that
 * a keeper leaves behind. The keeper's half is docs/keeper-protocol.md: frozen for ever at version 1.
 *
 * Not here: sockets, files, or what anybody does with a message. Readers never throw, whatever they are given.
 */
export {daemonProtocol, readDaemonMessage} from './daemon.ts';
export type {
  ClientMessage,
  CodeReport,
  DaemonMessage,
  DoubtReport,
  JournalNews,
  Progress,
  Question,
  RefusalCode,
  Size,
  ToolAnswer,
  TypingAnswer,
  UsageReport,
} from './daemon.ts';
export {daemonStartsFile, readDaemonStarts, startsWindowMs} from './daemon-starts.ts';
export type {DaemonStart} from './daemon-starts.ts';
export type {FieldsReading} from './fields.ts';
export {
  createFrameReader,
  encodeFrame,
  encodeMessage,
  encodeNumbered,
  longestFrame,
  readNumbered,
} from './frames.ts';
export type {Frame, FrameKind, FrameReader} from './frames.ts';
export {keeperProtocol, readKeeperReply, readKeeperRequest} from './keeper.ts';
export type {
  KeeperErrorCode,
  KeeperReply,
  KeeperRequest,
  KeeperRequestReading,
  KeeperStatus,
  ProtocolRange,
} from './keeper.ts';
export {
  encodeMark,
  hexOf,
  nextKept,
  readHex,
  readMarks,
  segmentNameOf,
  segmentStartsOf,
  timesNameOf,
} from './log-files.ts';
export type {Segment, TimeMark} from './log-files.ts';
export {
  longestSocketPath,
  readExitRecord,
  readLaunch,
  readMeta,
  sessionFiles,
  sharedFiles,
} from './session-files.ts';
export type {ExitRecord, Launch, Meta, ProcessIdentity} from './session-files.ts';
