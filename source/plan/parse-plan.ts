import type {Problem} from '../shared/index.ts';
import type {Plan} from '../domain/index.ts';
import {
  jsonPath,
  type JsonScan,
  lastJsonBlock,
  lineNumberAt,
  parseText,
  scanJson,
  withPlainLines,
} from '../syntax/index.ts';
import {checkAgents, type PlanAgents} from './check-agents.ts';
import {checkPlan, type PlanIssue, showHidden, toPlanIssue} from './check-plan.ts';
import {findUnknownFields, planSchema} from './plan-schema.ts';

/** A plan with warnings is valid; one with errors is not. */
export type PlanProblem = Problem & {readonly level: 'error' | 'warning'};

export type PlanParseResult = {
  /** Undefined when there is an error among the problems. */
  readonly value: Plan | undefined;
  /** With lines of the JSON text. */
  readonly problems: readonly PlanProblem[];
};

export type PlanContext = {
  /** The person's objective, for a plan that leaves it out. */
  readonly objective: string;
  /** The tool servers that a task may name. Absent: any. */
  readonly tools?: readonly string[];
  /** The agents that a task may name. Absent: any. */
  readonly agents?: PlanAgents;
};

/** Parses a plan from JSON. Never throws, and trusts nothing: the text comes from a model. */
export function parsePlan(source: string | Uint8Array, context: PlanContext): PlanParseResult {
  const {text, problems} = parseText(source);
  if (problems.length > 0)
    return {
      value: undefined,
      problems: problems.map((problem) => ({
        line: problem.line,
        level: 'error',
        text: problem.text,
      })),
    };

  const scan = scanJson(text);
  const odd = findOddities(text, scan);
  if (odd.some(({level}) => level === 'error')) return {value: undefined, problems: odd};

  const document: unknown = JSON.parse(text);
  const {value, found} = parseDocument(document, context);
  const placed = [...found, ...findUnknownFields(document)]
    .slice(0, maxProblems)
    .map((one) => locateIssue(text, scan, one));
  return {value, problems: [...odd, ...placed].toSorted((a, b) => a.line - b.line)};
}

/** The planner gets the first few dozen problems. */
const maxProblems = 40;

/** Problems of the JSON itself. */
function findOddities(text: string, {fault, oddKeys}: JsonScan): PlanProblem[] {
  if (fault !== undefined) {
    const column = fault.offset - text.lastIndexOf('\n', fault.offset - 1);
    return [
      {
        line: lineNumberAt(text, fault.offset),
        level: 'error',
        text: `Expected JSON, but in column ${column} ${fault.text}. Write the plan as one complete JSON object.`,
      },
    ];
  }

  return oddKeys.slice(0, maxProblems).map(({oddity, path, offset}) => {
    const line = lineNumberAt(text, offset);
    return oddity === 'forbidden'
      ? {
          line,
          level: 'error',
          text: `${path}: a plan has no such field, and its name is not allowed. Leave it out.`,
        }
      : {
          line,
          level: 'warning',
          text: `${path}: occurs a second time; the last one counts. Leave one out.`,
        };
  });
}

function parseDocument(
  document: unknown,
  {objective, tools: known, agents}: PlanContext,
): {readonly value: Plan | undefined; readonly found: readonly PlanIssue[]} {
  const parsed = planSchema.safeParse(document);
  if (!parsed.success)
    return {
      value: undefined,
      found: parsed.error.issues.slice(0, maxProblems).map((issue) => toPlanIssue(issue, document)),
    };

  // Missing fields are left out, so that they do not change the plan's hash.
  const tasks = parsed.data.tasks.map(({skill, tools, agent, model, variantOf, ...task}) => ({
    ...task,
    ...(typeof variantOf === 'string' && {variantOf}),
    ...(typeof skill === 'string' && {skill}),
    ...(tools.length > 0 && {tools}),
    ...(typeof agent === 'string' && {agent}),
    ...(typeof model === 'string' && {model}),
  }));
  const {plan, found} = showHidden({
    ...parsed.data,
    objective: parsed.data.objective ?? objective,
    tasks,
  });
  const faults = [
    ...checkPlan(plan, known),
    ...(agents === undefined ? [] : checkAgents(plan.tasks, agents)),
  ];
  return {value: faults.length === 0 ? plan : undefined, found: [...faults, ...found]};
}

/** The line of the value; for a missing value, that of the nearest value around it. */
function locateIssue(
  text: string,
  {offsets}: JsonScan,
  {steps, level, text: message}: PlanIssue,
): PlanProblem {
  const around = steps
    .map((_, index) => offsets.get(jsonPath(steps.slice(0, steps.length - index))))
    .find((offset) => offset !== undefined);
  return {line: lineNumberAt(text, around ?? 0), level, text: message};
}

/**
 * Parses the plan in a planner's output: the last fenced `json` block, whether it is closed or not.
 */
export function hasPlanBlock(output: string): boolean {
  return lastJsonBlock(withPlainLines(output))?.includes('"tasks"') === true;
}

export function parsePlanFromOutput(output: string, context: PlanContext): PlanParseResult {
  const block = lastJsonBlock(withPlainLines(output));
  if (block !== undefined) return parsePlan(block, context);
  return {
    value: undefined,
    problems: [
      {
        line: 1,
        level: 'error',
        text: 'Expected a plan in a fenced block that begins with ```json, got none. End the answer with one.',
      },
    ],
  };
}
