/**
 * All text: the rules file, the plan, what `doctor` says. Strings and bytes in, values out; `readX` never throws, it returns a value and
 * the problems of the text with their lines. What is said to a person about a document is worded here as well.
 *
 * Not here: files, processes, the clock; deciding what to do about a problem.
 */
export {countTokens} from './count-tokens.ts';
export type {DoctorFacts, ProgramFacts} from './doctor/doctor-facts.ts';
export {type DoctorReport, type Finding, doctorReport} from './doctor/doctor-report.ts';
export {formatDoctorJson, formatDoctorReport} from './doctor/format-doctor-report.ts';
export {describeEvent} from './events/describe-event.ts';
export {describeFailure, describeParking, describePlanFailure, describeStop, describeTrouble} from './events/describe-reason.ts';
export {pathMatcher} from './path-matcher.ts';
export {formatProblems} from './plan/format-problems.ts';
export {planHash} from './plan/plan-hash.ts';
export {type PlanContext, type PlanProblem, type PlanReading, readPlan} from './plan/read-plan.ts';
export {readPlanFromOutput} from './plan/read-plan-from-output.ts';
export {formatProjectProblems} from './project/format-project-problems.ts';
export {readProject} from './project/read-project.ts';
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
export {formatSessions} from './sessions/format-sessions.ts';
export type {SessionLine, Stranger} from './sessions/format-sessions.ts';
export {toothText} from './rules/tooth-text.ts';
