/**
 * One file per agent CLI: what it is called, how it is asked, how its answers are read. A driver is data and pure functions;
 * `genericDriver` makes one of what a project declares. `stream/` reads what they print where that is structured.
 *
 * Not here: processes and timers; whether it is installed; which task it gets.
 */
export {neededVariables} from './needed-variables.ts';
export {agents, chooseAgent} from './agents.ts';
export type {Agent, AgentProgram} from './agent.ts';
export type {AgentPatterns, AgentSpec} from './agent-spec.ts';
export type {
  AgentCommand,
  AgentInput,
  AgentOutcome,
  AgentReport,
  AgentSettings,
  Driver,
  Ended,
  Refusal,
  ScreenPatterns,
} from './driver.ts';
export {driverOf, drivers} from './driver-of.ts';
export {genericDriver} from './generic-driver.ts';
export type {Job, JobTools} from './job.ts';
export {lostConversationIn} from './lost-conversation-in.ts';
export {
  type LoopKind,
  type LoopSign,
  type LoopState,
  foldLoops,
  loopSignsOf,
  noLoops,
} from './loops/fold-loops.ts';
export {type ToolKind, type ToolUse, toolKindOf, withoutTimes} from './loops/tool-use.ts';
export {activityFileName, maxActivityBytes, readActivityFile} from './read-activity-file.ts';
export {type Dialog, readDialog} from './read-dialog.ts';
export {readOutcome} from './read-outcome.ts';
export {mostOutcomeBytes, readOutcomeFile} from './read-outcome-file.ts';
export type {AgentStream, EarlierUsage, ReadRecord} from './stream/agent-stream.ts';
export {
  type Activity,
  type ActivityRetry,
  type ActivityState,
  activityOf,
  foldActivity,
  noActivity,
} from './stream/fold-activity.ts';
export {type StreamState, emptyStream, foldStream, usageOf} from './stream/fold-stream.ts';
export {type StreamEnd, outcomeOfStream, overloadPause} from './stream/outcome-of-stream.ts';
export {type StreamLine, createStreamReader, readStream} from './stream/read-stream-line.ts';
export {noticeOf, retryIn} from './stream/retry-in.ts';
export {resetTimeIn} from './stream/reset-time-in.ts';
export type {
  Problem as AgentProblem,
  ProblemKind,
  Retry,
  StreamEvent,
  ToolCall,
} from './stream/stream-event.ts';
export {terminalArgvOf} from './terminal-argv-of.ts';
