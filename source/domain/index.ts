/**
 * The nouns, and what follows from what. Everything turns on three pure functions:
 *
 * - `decide(state, command)`: the events that a person's intent or a report of the world leads to,
 * or a refusal;
 * - `evolve(state, event)`: what is known afterwards; the journal folds to the state through it,
 * and so do clients;
 * - `wanted(state)`: the effects that should be in flight now.
 *
 * Not here: clocks, randomness, promises, Node, or wording for people.
 */
export {
  agentPlaceholders,
  type AgentRole,
  type OwnInterfaces,
  type AgentTool,
  agentTools,
  type AgentWorktree,
  type DeclaredAgent,
  findAgentWorktree,
  isAgentTool,
  isWorktreeAdminName,
  isWorktreeName,
  type ToolServer,
  toolsOfRole,
} from './agent.ts';
export {
  type Baseline,
  type BaselineChoice,
  type BaselineDecision,
  type BaselineFailure,
  type BaselineResult,
  type BaselineSubject,
} from './baseline.ts';
export {
  type Actor,
  type Command,
  type Intent,
  type Observation,
  type Report,
  type UserCommand,
} from './command.ts';
export {decide, type Decision} from './decide/decide.ts';
export {isLoopKnown, isLoopOverLimit, selectLoopLimit} from './decide/watch-agent.ts';
export type {Effect} from './effect.ts';
export {type Event, type EventBody, type EventOf, type EventType, isAboutRun} from './event.ts';
export {eventTypes, evolve, isKnownEvent} from './evolve/evolve.ts';
export {
  type AttemptId,
  isRunId,
  isSessionId,
  isTaskId,
  type RunId,
  runIdIn,
  type SessionId,
  type TaskId,
  toIdNumber,
  toTaskId,
  type WorktreeOwner,
} from './ids.ts';
export {type Choice, type Need, type NeedKind, selectChoices} from './need.ts';
export {
  type AddedLine,
  type Budget,
  type Change,
  type ChangedFile,
  type CheckResult,
  type Failure,
  type FailureConfidence,
  failureOfJudgement,
  isRed,
  type Judgement,
  type RejectedPath,
  type RuleVerdict,
  type StopReason,
  type UnreadFile,
} from './verdict.ts';
export {
  type AgentReport,
  type Check,
  type Directive,
  type Plan,
  type PlannedTask,
  type RejectedAlternative,
  type Rule,
  type Rules,
  toFailureCode,
} from './plan.ts';
export {untitledObjective} from './decide/open-run.ts';
export {planHash} from './plan-hash.ts';
export {
  type AcceptOptions,
  type AcceptWay,
  acceptWays,
  type Approval,
  type Because,
  type LineComment,
  maxRepositoryNoteLength,
  maxRepositoryNotes,
  type MovedBranch,
  type ParkReason,
  type PlanFailure,
  type PlanRound,
  type PlanStep,
  type Proposal,
  type AcceptRefusal,
  type RemovedWorktree,
  type RepositoryNote,
  type Run,
  type RunBase,
  type RunBudget,
  type RunEnvironment,
  type OpenOptions,
  type RunRequest,
  type WorkerMode,
  type RunStage,
  type VoidReason,
  type Worktree,
  type UndoKind,
} from './run.ts';
export {
  isBaselineDue,
  isBaselineFailed,
  isBaselineOver,
  selectBaseline,
  selectBaselineResult,
  selectChoice,
  selectNextCheck,
  selectRedOnBase,
  selectStanding,
  selectUndecided,
} from './select/baseline.ts';
export {findChangedVariables, needsSetup, selectPortBlock} from './select/environment.ts';
export {
  busySessionsOfTask,
  liveSessionsOfTask,
  selectInteractiveWorker,
  runIdOfSession,
  selectAttempt,
  selectLiveSessions,
  selectOpenRuns,
  selectRun,
  selectRuns,
  selectService,
  selectSession,
  selectShell,
  selectTask,
  selectWorktree,
  selectWorktreeOwner,
  taskIdOfSession,
} from './select/find.ts';
export {selectNeeds} from './select/needs.ts';
export {isWorkOver, selectWaitingSession} from './select/open-session.ts';
export {
  findUndoProblem,
  selectUndoable,
  selectUndoables,
  type Undoable,
  undoMs,
} from './select/undo.ts';
export {
  hasWorkLeft,
  isGoing,
  isPerTask,
  isReady,
  isResting,
  isRunActive,
  isServiceReady,
  isStartable,
  isTaskActive,
  selectAwaitedByMerge,
  selectChecks,
  selectMerger,
  selectPredecessors,
} from './select/progress.ts';
export {
  builtInAgents,
  type ChosenAgent,
  headlessAgents,
  selectFallback,
  selectOwnWorker,
  selectPlannedWorker,
  selectSessionAgent,
  selectWorker,
  selectWorkerMode,
} from './select/agents.ts';
export {
  selectOpenPlanner,
  selectLastPlanner,
  selectUnreadTurn,
  selectWaitingPlanner,
} from './select/planner.ts';
export {
  isUndecided,
  rootOfVariant,
  selectPicked,
  selectCountedTasks,
  selectUndecidedGroups,
  selectVariantGroups,
  selectVariants,
} from './select/variants.ts';
export {isListed, needsPort, selectListedServices, serviceNameFor} from './select/services.ts';
export {
  isUsageWorthRecording,
  selectConversation,
  selectTokens,
  selectUnreadTyping,
  type UnreadTyping,
  selectCheckSession,
  usageOfAttempt,
  usageOfRun,
  usageOfSessions,
} from './select/sessions.ts';
export {
  memoizedNeeds,
  type QuestionNeed,
  selectTaskQuestion,
  selectTaskSessions,
} from './select/task-sessions.ts';
export {
  ownerInServiceName,
  type Readiness,
  type Service,
  type ServiceCondition,
  type ServiceFailure,
  type ServiceSpec,
  type ServiceStage,
} from './service.ts';
export {
  type AskedQuestion,
  type AskSource,
  type SessionInput,
  type EarlierWork,
  isAtPrompt,
  isBetweenTurns,
  isInteractive,
  isLive,
  type LoopKind,
  maxBlockedHosts,
  maxLoops,
  type NetworkRefusal,
  type NoticedLoop,
  addUsage,
  noUsage,
  type Purpose,
  type Retrying,
  selectOpenQuestion,
  type Session,
  type SessionLife,
  type Turn,
  type TurnSource,
  type Usage,
  waitedFor,
  type Waiting,
} from './session.ts';
export {type EventParts, findMalformation, toEvent, toEventParts} from './shapes/events.ts';
export {
  type AgentModes,
  type DeclaredCheck,
  defaultAttempts,
  defaultLoopLimits,
  defaultPauses,
  defaultPorts,
  emptyState,
  interruptionLimit,
  type Intrusion,
  type InvalidTransition,
  type Limits,
  type LoopAnswer,
  type NetworkKind,
  type NetworkRule,
  type NetworkRules,
  type Note,
  type Ports,
  type Project,
  type SandboxMode,
  type SharedFolder,
  type SignMode,
  type State,
} from './state.ts';
export type {
  Attempt,
  AttemptStep,
  DiscardReason,
  Hold,
  LeftProcess,
  MergeStep,
  MessageDelivery,
  MessageHold,
  Task,
  TaskMessage,
  TaskStage,
  Trouble,
  TroubleReason,
} from './task.ts';
export {maxMessageCharacters} from './task.ts';
export {isTellable} from './decide/message-commands.ts';
export {
  selectMessagesUnderway,
  selectPromptMessages,
  selectWorkerSession,
} from './select/messages.ts';
export {selectTasksToPrepare} from './wanted/run-effects.ts';
export {wanted} from './wanted/wanted.ts';
