/**
 * Everything that a person reads: status, needs, brief, timeline, explanations, doctor, audit,
 * summaries, and the messages for events.
 * Not here: decisions, reading files, drawing.
 */
export {formatAgent, listTaskAgents, selectTaskAgent} from './runs/task-agent.ts';
export {
  type AuditComparison,
  compareContexts,
  type ComparedPart,
  type ComparedUse,
  formatComparison,
  formatRate,
} from './audit-comparison.ts';
export {
  type ContextAudit,
  type BlockedHostRow,
  countServerCost,
  type DescribedTool,
  formatBlockedHosts,
  formatToolCosts,
  parseToolCosts,
  selectBlockedHosts,
  type ServerCost,
  type ToolCosts,
} from './audit.ts';
export {
  type BaselineCheck,
  type BaselineLine,
  baselineLines,
  type BaselineReport,
  buildBaselineReport,
  decisionLabels,
  formatBaseline,
} from './baseline.ts';
export type {DoctorFacts, ProgramFacts} from './doctor/doctor-facts.ts';
export {
  buildDoctorReport,
  type DoctorReport,
  formatDoctorJson,
  formatDoctorReport,
} from './doctor/doctor-report.ts';
export type {Finding} from './doctor/finding.ts';
export {
  compareEnvironments,
  environmentLines,
  type EnvironmentReport,
  formatEnvironmentReport,
} from './environment.ts';
export {describeMissing, explainStop, type StopSource} from './explain/explain-stop.ts';
export {type Advice, describeAdvice, formatNeed, subjectOfNeed} from './explain/format-need.ts';
export {listOptions, type Way} from './explain/list-options.ts';
export {describeStopShort, type NeedLabel, toNeedLabel} from './explain/need-label.ts';
export {
  buildStopReport,
  type FailureView,
  selectDependents,
  type StopReport,
  type TryView,
} from './explain/stop-report.ts';
export {formatPlan, type PlanFrame} from './format-plan.ts';
export {describeEvent} from './messages/describe-event.ts';
export {
  describeFailure,
  describeLoop,
  describeMoved,
  describeNetworkRefusal,
  describeParking,
  describePlanFailure,
  describeServiceFailure,
  describeStop,
  describeTrouble,
  withoutUnknownTool,
} from './messages/describe-reason.ts';
export {
  formatJournal,
  formatModes,
  formatNotes,
  formatRepositoryNotes,
  type JournalCondition,
  selectRepositoryNotes,
} from './messages/describe-state.ts';
export {
  awayMs,
  type Brief,
  type BriefGroup,
  type BriefItem,
  buildBrief,
  measureAbsence,
} from './runs/build-brief.ts';
export {
  buildStatus,
  type RunStatus,
  type ServiceStatus,
  type SessionStatus,
  type Status,
  type StatusOptions,
  type TaskStatus,
  toRunStatus,
  toServiceStatus,
} from './runs/build-status.ts';
export {
  buildVariantGroup,
  buildVariants,
  formatVariantChange,
  formatVariantChecks,
  formatVariants,
  type Variant,
  type VariantGroup,
} from './runs/variants.ts';
export {formatBrief} from './runs/format-brief.ts';
export {formatStatus} from './runs/format-status.ts';
export {
  buildNeedsReport,
  formatNeeds,
  type NeedLine,
  type NeedsReport,
} from './runs/needs-report.ts';
export {
  type SegmentState,
  selectTaskNumber,
  toTaskTitle,
  selectTrack,
  type TaskTrack,
  toFailedTrack,
  trackStages,
  type TrackStage,
} from './runs/task-track.ts';
export {
  buildTimeline,
  formatTimeline,
  type Timeline,
  type TimelineEntry,
  type TimelineOptions,
} from './runs/timeline.ts';
export {
  type AcceptedCard,
  type AcceptedTask,
  buildAcceptedCard,
  formatAcceptedMarkdown,
} from './runs/accepted-card.ts';
export {
  type BriefAnswer,
  type BriefMerged,
  type BriefRunning,
  type BriefView,
  buildBriefView,
} from './runs/brief-view.ts';
export type {ChartSegment} from './runs/chart-steps.ts';
export {
  buildTimelineChart,
  type ChartRow,
  selectTicks,
  type TimelineChart,
} from './runs/timeline-chart.ts';
export {
  buildTimelineRows,
  type RunTimeline,
  type TimelineRow,
  type TimelineSign,
} from './runs/timeline-rows.ts';
export {formatAsciicast, type CastFrame, type Moment, toFrames} from './sessions/asciicast.ts';
export {type FactLine, formatFacts, formatPort} from './sessions/format-facts.ts';
export {
  atPrompt,
  type ExplanationLines,
  formatExplanation,
  formatSessions,
  type OrphanSession,
  type SessionLine,
} from './sessions/format-sessions.ts';
export {
  formatUnread,
  insteadOfTyping,
  type InsteadOfTyping,
  unreadForCommands,
} from './sessions/format-unread.ts';
export {newLines, type SeenLines} from './sessions/new-lines.ts';
export {
  type SharingDirectory,
  sharingHint,
  sharingLine,
  type SharingReport,
  unshared,
} from './sharing.ts';
export {formatPlain, type Redact, redactTexts} from './summary/safe-text.ts';
export {summaryOfRun} from './summary/summary-of-run.ts';
export {
  maxFiles,
  type Outcome,
  outcomes,
  summaryOfTask,
  type SummarySource,
  toSummaryFileName,
} from './summary/summary-of-task.ts';
export {
  formatAge,
  formatColumns,
  formatJson,
  type TextOptions,
  toSafeLine,
} from './terminal-text.ts';
export {
  fitOutput,
  formatServiceStatus,
  formatShellOutput,
  formatTaskStatus,
  type ShellOutput,
} from './tool-answers.ts';
export {describeMessageFate} from './messages/describe-message.ts';
