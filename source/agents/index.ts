/**
 * One file per agent CLI: its name, its arguments, and how its output is parsed. A driver is data
 * and pure functions; `genericDriver` builds one from what a project declares. `stream/` parses
 * structured output.
 *
 * Not here: processes and timers; whether an agent is installed; which task it gets.
 */
export {
  agents,
  chooseAgent,
  drivers,
  findDriver,
  findLostConversation,
  groupAgents,
  neededVariables,
  ownInterfaces,
} from './agents.ts';
export {toTerminalArgv} from './command.ts';
export type {
  Agent,
  AgentChannel,
  AgentCommand,
  AgentInput,
  AgentOutcome,
  AgentPatterns,
  AgentProgram,
  AgentSettings,
  AgentSignal,
  AgentSpec,
  ConversationRecord,
  Driver,
  InteractiveAgent,
  Job,
  JobTools,
  ProcessEnd,
  AgentRefusal,
  ScreenPatterns,
  TranscriptSummary,
} from './driver.ts';
export {genericDriver} from './generic.ts';
export {
  formatInboxMessage,
  inboxFiles,
  type InboxMessage,
  type InboxResult,
  parseInboxMessage,
  parseInboxName,
  parseInboxResult,
} from './inbox.ts';
export {type AgentDialog, parseDialog} from './parse-dialog.ts';
export {maxOutcomeBytes, parseOutcome, parseOutcomeFile} from './parse-outcome.ts';
export {
  type Activity,
  activityFileName,
  type ActivityRetry,
  type ActivityState,
  foldActivity,
  maxActivityBytes,
  noActivity,
  parseActivityFile,
  selectActivity,
} from './stream/activity.ts';
export type {
  AgentStream,
  EarlierUsage,
  AgentProblem,
  ProblemKind,
  ReadRecord,
  Retry,
  StreamEvent,
  ToolCall,
} from './stream/agent-stream.ts';
export {emptyStream, foldStream, selectUsage, type StreamState} from './stream/fold-stream.ts';
export {
  classifyTool,
  foldLoops,
  type StreamLoopKind,
  type LoopSign,
  type LoopState,
  noLoops,
  selectLoopSigns,
  type ToolKind,
  type ToolUse,
  withoutTimes,
} from './stream/loops.ts';
export {
  outcomeOfError,
  outcomeOfStream,
  overloadPause,
  type StreamEnd,
} from './stream/outcome-of-stream.ts';
export {createStreamReader, parseStream, type StreamLine} from './stream/read-stream.ts';
export {parseNotice, parseResetTime, parseRetryLine} from './stream/service-errors.ts';
