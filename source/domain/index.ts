/**
 * The nouns, and what follows from what. Everything turns on three pure functions:
 *
 * - `decide(state, command)`: the events that a person's intent or a report of the world leads to, or a refusal;
 * - `evolve(state, event)`: what is known afterwards; the journal folds to the state through it, and so do clients;
 * - `wanted(state)`: the effects that should be in flight now.
 *
 * Not here: clocks, randomness, promises, Node, or wording for people.
 */
export {agentTools, isAgentTool, toolsOfRole} from './agent-tool.ts';
export type {AgentRole, AgentTool} from './agent-tool.ts';
export {agentWorktreeIn, isWorktreeAdminName, isWorktreeName} from './agent-worktree.ts';
export type {AgentWorktree} from './agent-worktree.ts';
export {noBaseline} from './baseline.ts';
export type {
  Baseline,
  BaselineChoice,
  BaselineDecision,
  BaselineFailure,
  BaselineResult,
  BaselineSubject,
} from './baseline.ts';
export {observedTypes} from './command.ts';
export type {Actor, Command, Intent, Observation, Report, Wish} from './command.ts';
export {agentPlaceholders} from './declared-agent.ts';
export type {DeclaredAgent} from './declared-agent.ts';
export {decide} from './decide/decide.ts';
export type {Decision} from './decide/decide.ts';
export type {Effect, EffectKind} from './effect.ts';
export type {Event, EventOf, EventType, Happening} from './event.ts';
export {eventOf, partsOf} from './event-parts.ts';
export type {EventParts} from './event-parts.ts';
export {eventTypes, evolve, isKnownEvent} from './evolve/evolve.ts';
export {
  attemptIdOf,
  countOf,
  isRunId,
  isSessionId,
  isTaskId,
  runIdIn,
  runIdOf,
  sessionIdOf,
  taskIdOf,
} from './ids.ts';
export type {AttemptId, RunId, SessionId, TaskId, WorktreeOwner} from './ids.ts';
export type {Need, NeedKind} from './need.ts';
export type {Plan, PlannedTask, RejectedAlternative} from './plan.ts';
export {failureCodeOf} from './rules.ts';
export {maxNoteLength, maxNotes} from './run.ts';
export type {Check, Rule, Rules, Tooth} from './rules.ts';
export type {
  AcceptOptions,
  AcceptWay,
  Approval,
  Because,
  Ground,
  LineComment,
  MovedBranch,
  ParkReason,
  PlanFailure,
  PlanRound,
  PlanStep,
  Proposal,
  Refusal,
  RepositoryNote,
  Run,
  RunBudget,
  RunEnvironment,
  RunRequest,
  RunStage,
  VoidReason,
  Worktree,
} from './run.ts';
export {
  baselineOf,
  baselineResultOf,
  choiceOf,
  isBaselineDue,
  isBaselineFailed,
  isBaselineOver,
  nextCheck,
  redOnBase,
  standingOf,
  uncheckedOf,
  undecidedOf,
} from './select/baseline.ts';
export {acceptWays} from './run.ts';
export {conversationOf} from './select/conversation-of.ts';
export {changedVariables, environmentHashOf} from './select/environment.ts';
export {
  attemptOf,
  liveSessionsOf,
  liveSessionsOfTask,
  openRunsOf,
  runIdOfSession,
  runOf,
  runsOf,
  serviceOf,
  sessionOf,
  shellOf,
  taskIdOfSession,
  taskOf,
  worktreeOf,
  worktreeOwnerOf,
} from './select/find.ts';
export {failureOfChecks, failureOfJudgement, isRed} from './select/judgement.ts';
export {needsOf} from './select/needs-of.ts';
export {
  awaitedByGreen,
  checksOf,
  hasWorkLeft,
  isGoing,
  isReady,
  isResting,
  isRunActive,
  isStartable,
  isTaskActive,
  mergerOf,
  predecessorsOf,
} from './select/progress.ts';
export {needsSetup} from './select/setup.ts';
export {unreadTyping} from './select/unread-typing.ts';
export type {Unread} from './select/unread-typing.ts';
export {isLoopKnown, isLoopOver, loopLimitOf, openLoopOf} from './select/loops.ts';
export {isUsageNews, tokensOf, usageOfAttempt, usageOfRun} from './select/usage-of.ts';
export {instanceName, ownerInServiceName} from './service.ts';
export {isListed, listedServices, needsPort, serviceNameFor} from './select/task-services.ts';
export {portBlockFor} from './select/port-block.ts';
export type {
  Readiness,
  Service,
  ServiceCondition,
  ServiceFailure,
  ServiceSpec,
  ServiceStage,
} from './service.ts';
export {
  isAtPrompt,
  isLive,
  maxLoops,
  maxRefusedHosts,
  noUsage,
  openQuestionOf,
  waitedFor,
} from './session.ts';
export type {
  AskedQuestion,
  AskSource,
  NetworkRefusal,
  Input,
  LoopKind,
  NoticedLoop,
  Purpose,
  Retrying,
  Session,
  SessionLife,
  Usage,
  Waiting,
} from './session.ts';
export {malformationOf} from './shapes/events.ts';
export {
  attemptsByLaw,
  emptyState,
  interruptionLimit,
  usualLoopLimits,
  usualPauses,
  usualPorts,
} from './state.ts';
export type {
  Intrusion,
  Limits,
  LoopAnswer,
  Misfit,
  NetworkKind,
  NetworkRule,
  NetworkRules,
  Note,
  Ports,
  Project,
  SandboxWish,
  SharedFolder,
  SignWish,
  State,
} from './state.ts';
export type {
  Attempt,
  AttemptStep,
  DiscardReason,
  Hold,
  LeftProcess,
  MergeStep,
  Task,
  TaskStage,
  Trouble,
  TroubleReason,
} from './task.ts';
export type {
  Budget,
  Change,
  ChangedFile,
  CheckResult,
  Failure,
  Judgement,
  RefusedPath,
  RuleVerdict,
  StopReason,
} from './verdict.ts';
export type {ToolServer} from './tool-server.ts';
export {wanted} from './wanted/wanted.ts';
export {aheadOf} from './wanted/wanted-of-run.ts';
