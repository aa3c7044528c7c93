/**
 * The messages between daemon, keeper and clients, their framing, and the names and contents of the
 * files that a keeper leaves. The keeper's part is docs/keeper-protocol.md, frozen at version 1.
 *
 * Not here: sockets, files, or what a message leads to. Parsers never throw.
 */
export {
  type ClientMessage,
  type CodeReport,
  type DaemonMessage,
  daemonProtocol,
  type DaemonStart,
  daemonStartsFile,
  type DoubtReport,
  type GivenFile,
  isSameSize,
  type JournalNews,
  maxGivenBytes,
  maxGivenFiles,
  parseDaemonMessage,
  parseDaemonStarts,
  type Progress,
  type Question,
  type RefusalCode,
  type TerminalSize,
  startsWindowMs,
  type ToolAnswer,
  type TypingAnswer,
  type UsageReport,
} from './daemon.ts';
export type {FieldsParseResult} from './fields.ts';
export {
  createFrameReader,
  encodeFrame,
  encodeMessage,
  encodeNumbered,
  type Frame,
  type FrameKind,
  type FrameReader,
  maxFrameBytes,
  parseNumbered,
} from './frames.ts';
export {
  type KeeperErrorCode,
  keeperProtocol,
  type KeeperReply,
  type KeeperRequest,
  type KeeperRequestParseResult,
  type KeeperStatus,
  parseKeeperReply,
  parseKeeperRequest,
  type ProtocolRange,
  type Typing,
} from './keeper.ts';
export {
  encodeMark,
  type ExitRecord,
  findNextRetained,
  type Launch,
  maxSocketPathBytes,
  type Meta,
  parseExitRecord,
  parseHex,
  parseLaunch,
  parseMarks,
  parseMeta,
  parseSegmentStarts,
  type ProcessIdentity,
  type Segment,
  sessionFiles,
  sharedFiles,
  type TimeMark,
  toHex,
  toSegmentName,
  toTimesName,
} from './session-files.ts';
