/**
 * All text: the rules file, the plan, what `doctor` says. Strings and bytes in, values out; `readX` never throws, it returns a value and
 * the problems of the text with their lines. What is said to a person about a document is worded here as well.
 *
 * Not here: files, processes, the clock; deciding what to do about a problem.
 */
export {
  type DescribedTool,
  type ServerCost,
  type ToolCosts,
  formatToolCosts,
  readToolCosts,
  serverCostOf,
} from './audit/tool-costs.ts';
export {countTokens} from './count-tokens.ts';
export type {DoctorFacts, ProgramFacts} from './doctor/doctor-facts.ts';
export {type DoctorReport, type Finding, doctorReport} from './doctor/doctor-report.ts';
export {formatDoctorJson, formatDoctorReport} from './doctor/format-doctor-report.ts';
export {describeEvent} from './events/describe-event.ts';
export {
  describeFailure,
  describeMoved,
  describeNetworkRefusal,
  describeParking,
  describePlanFailure,
  describeStop,
  describeTrouble,
} from './events/describe-reason.ts';
export {readFailedItems} from './failure/read-failed-items.ts';
export {
  type FirstFailure,
  type FirstFailureOptions,
  readFirstFailure,
} from './failure/read-first-failure.ts';
export {pathMatcher} from './path-matcher.ts';
export {plainOutputOf} from './plain-output-of.ts';
export {formatProblems} from './plan/format-problems.ts';
export {planHash} from './plan/plan-hash.ts';
export {type PlanContext, type PlanProblem, type PlanReading, readPlan} from './plan/read-plan.ts';
export {readPlanFromOutput} from './plan/read-plan-from-output.ts';
export {readPlanPath} from './plan/read-plan-path.ts';
export {withAnswer} from './playbook/answer.ts';
export type {Playbook, PlaybookPlan, PlaybookReport, Step, StepList} from './playbook/playbook.ts';
export {readPlaybook} from './playbook/read-playbook.ts';
export {formatProjectProblems} from './project/format-project-problems.ts';
export {readProject} from './project/read-project.ts';
export {addSharedFolders} from './project/add-shared-folders.ts';
export {
  sharingHint,
  sharingLine,
  unshared,
  type SharingDirectory,
  type SharingReport,
} from './sharing/format-sharing.ts';
export {mostBytes} from './read-text.ts';
export {type RulesCheck, checkRules} from './rules/check-rules.ts';
export {type Contradiction, contradictionsOf} from './rules/contradictions-of.ts';
export {type Lint, type LintName} from './rules/lint.ts';
export {lintRules} from './rules/lint-rules.ts';
export {type RulesReading, readRules} from './rules/read-rules.ts';
export {rulesFileTrouble} from './rules/rules-file-trouble.ts';
export {rulesJson, rulesReport} from './rules/rules-report.ts';
export {asciicast, framesOf} from './sessions/asciicast.ts';
export type {Frame, Moment} from './sessions/asciicast.ts';
export {ageOf, columns} from './sessions/columns.ts';
export {formatExplanation} from './sessions/format-explanation.ts';
export type {ExplanationLines} from './sessions/format-explanation.ts';
export {formatFacts} from './sessions/format-facts.ts';
export type {FactLine} from './sessions/format-facts.ts';
export {formatPort} from './sessions/format-port.ts';
export {atPrompt, formatSessions} from './sessions/format-sessions.ts';
export {newLines, type SeenLines} from './sessions/new-lines.ts';
export type {SessionLine, Stranger} from './sessions/format-sessions.ts';
export {insteadOfTyping, unreadForCommands, unreadInWords} from './sessions/unread-in-words.ts';
export type {InsteadOfTyping} from './sessions/unread-in-words.ts';
export {toothText} from './rules/tooth-text.ts';
export type {AddedLine} from './judge/find-forbidden.ts';
export {type ChangeToJudge, judgeChange, requirementsOf} from './judge/judge-change.ts';
export type {RequiredResult} from './judge/judge-tooth.ts';
export type {Link} from './judge/refusals-of.ts';
export {type KnownLimits, limitsOf} from './project/limits-of.ts';
export {type ToolServerAddress, toolServersFor} from './project/tool-servers-for.ts';
export {branchPrefixOf, portRangeOf, sandboxOf} from './project/project-defaults.ts';
export {modelProblem, noModelFor, usualModelOf} from './project/model-problem.ts';
export {modelName} from './project/project-words.ts';
export {type PartName, type Prompt, type PromptPart, usualBudget} from './prompt/compose-prompt.ts';
export type {PromptFact} from './prompt/facts-section.ts';
export {
  type FollowUp,
  type PlannerPromptInput,
  plannerFollowUpOf,
  plannerPromptOf,
} from './prompt/planner-prompt-of.ts';
export {type WorkerReport, readReport} from './prompt/read-report.ts';
export type {RecalledSummary} from './prompt/recalled-sections.ts';
export {type WorkerPromptInput, workerPromptOf} from './prompt/worker-prompt-of.ts';
export {
  type EnvironmentReport,
  compareEnvironments,
  environmentLines,
  formatEnvironmentReport,
} from './environment/environment-report.ts';
export {
  type EnvironmentWishes,
  agentEnvironmentOf,
  countingVariables,
  isCounted,
} from './secrets/agent-environment-of.ts';
export {redact, redactValues} from './secrets/redact.ts';
export {secretsOf} from './secrets/secrets-of.ts';
export {type Skill, readSkill} from './skills/read-skill.ts';
export {type SkillFile, type SkillList, readSkillList} from './skills/read-skill-list.ts';

export {type StopSource, explainStop} from './explain/explain-stop.ts';
export {needInWords, subjectOfNeed} from './explain/need-in-words.ts';
export {type Way, waysOf} from './explain/ways-of.ts';
export {planFileOf} from './plan/edit-plan-file.ts';
export {readPlanFile} from './plan/edit-read-plan-file.ts';
export {type PlanFrame, formatPlan} from './plan/format-plan.ts';
export {type PlanLine, formatPlanLines} from './plan/format-plan-lines.ts';
export {planTextOf} from './plan/format-plan-text.ts';
export {type Recall, type Recalled, createRecall} from './recall/create-recall.ts';
export {type Summary, readSummary} from './recall/read-summary.ts';
export {type RecalledPieces, recallWithin} from './recall/recall-within.ts';
export {fitOutput} from './tools/fit-output.ts';
export {formatEnvironment} from './tools/format-environment.ts';
export {formatServiceStatus} from './tools/format-service-status.ts';
export {type ShellOutput, formatShellOutput} from './tools/format-shell-output.ts';
export {formatTaskStatus} from './tools/format-task-status.ts';
export {
  type BaselineCheck,
  type BaselineReport,
  baselineReport,
} from './baseline/baseline-report.ts';
export {decisionInWords} from './baseline/decision-in-words.ts';
export {type BaselineLine, baselineLines, formatBaseline} from './baseline/format-baseline.ts';
export {mendingPlan} from './baseline/mending-plan.ts';
export {
  absenceIn,
  awayMs,
  type Brief,
  type BriefGroup,
  type BriefItem,
  briefOf,
} from './story/brief-of.ts';
export {formatBrief} from './story/format-brief.ts';
export {formatJson} from './story/format-json.ts';
export {formatNeeds} from './story/format-needs.ts';
export {type TextOptions, formatStatus} from './story/format-status.ts';
export {formatTimeline} from './story/format-timeline.ts';
export {type JournalCondition, journalInWords} from './story/journal-in-words.ts';
export {type NeedLine, type NeedsReport, needsReport} from './story/needs-report.ts';
export {formatRepositoryNotes, notesInWords, repositoryNotesOf} from './story/repository-notes.ts';
export {
  type RunStatus,
  type ServiceStatus,
  type SessionStatus,
  type Status,
  type StatusOptions,
  type TaskStatus,
  runStatusOf,
  serviceStatusOf,
  statusOf,
} from './story/status-of.ts';
export {
  type Timeline,
  type TimelineEntry,
  type TimelineOptions,
  timelineOf,
} from './story/timeline-of.ts';
export {redactTexts, type Redact} from './summary/redact-texts.ts';
export {summaryFileNameOf} from './summary/summary-file-name-of.ts';
export {summaryOfRun} from './summary/summary-of-run.ts';
export {type AgentReport, type SummarySource, summaryOfTask} from './summary/summary-of-task.ts';
export {formatRefusedHosts, refusedHostsOf, type RefusedHost} from './audit/refused-hosts.ts';
