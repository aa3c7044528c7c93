import type {Problem} from '../../base/index.ts';
import type {Plan} from '../../domain/index.ts';
import {lineOf} from '../line-of.ts';
import {readText} from '../read-text.ts';
import {checkPlan} from './check-plan.ts';
import {jsonPath} from './json-path.ts';
import {planSchema} from './plan-schema.ts';
import {type JsonScan, scanJson} from './scan-json.ts';
import {showHidden} from './show-hidden.ts';
import {unknownFields} from './unknown-fields.ts';
import {type Placed, wordIssue} from './word-issue.ts';

/** A warning leaves the plan valid; an error does not. */
export type PlanProblem = Problem & {readonly level: 'error' | 'warning'};

export type PlanReading = {
  /** Undefined when there is an error among the problems. */
  readonly value: Plan | undefined;
  /** Their lines are lines of the JSON text. */
  readonly problems: readonly PlanProblem[];
};

export type PlanContext = {
  /** What the person asked for; the plan may leave it out. */
  readonly objective: string;
  /** The names of the servers of tools that a task may have. Absent: whatever it names. */
  readonly tools?: readonly string[];
};

/** Reads a plan from JSON. Never fails, never trusts: the text comes from a model. */
export function readPlan(source: string | Uint8Array, context: PlanContext): PlanReading {
  const {text, problems} = readText(source);
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
  const odd = oddities(text, scan);
  if (odd.some(({level}) => level === 'error')) return {value: undefined, problems: odd};

  const document: unknown = JSON.parse(text);
  const {value, found} = readDocument(document, context);
  const placed = [...found, ...unknownFields(document)]
    .slice(0, mostProblems)
    .map((one) => placeIn(text, scan, one));
  return {value, problems: [...odd, ...placed].toSorted((a, b) => a.line - b.line)};
}

/** A planner that gets everything wrong is told of the first few dozen. */
const mostProblems = 40;

/** What is wrong with the JSON as such. */
function oddities(text: string, {fault, oddKeys}: JsonScan): PlanProblem[] {
  if (fault !== undefined) {
    const column = fault.offset - text.lastIndexOf('\n', fault.offset - 1);
    return [
      {
        line: lineOf(text, fault.offset),
        level: 'error',
        text: `Expected JSON, but in column ${column} ${fault.text}. Write the plan as one complete JSON object.`,
      },
    ];
  }

  return oddKeys.slice(0, mostProblems).map(({oddity, path, offset}) => {
    const line = lineOf(text, offset);
    return oddity === 'forbidden'
      ? {
          line,
          level: 'error',
          text: `${path}: a plan has no such field, and its name is not allowed. Leave it out.`,
        }
      : {
          line,
          level: 'warning',
          text: `${path}: stands here a second time; the last one counts. Leave one out.`,
        };
  });
}

function readDocument(
  document: unknown,
  {objective, tools: known}: PlanContext,
): {readonly value: Plan | undefined; readonly found: readonly Placed[]} {
  const parsed = planSchema.safeParse(document);
  if (!parsed.success)
    return {
      value: undefined,
      found: parsed.error.issues.slice(0, mostProblems).map((issue) => wordIssue(issue, document)),
    };

  // What is not there leaves no trace: the hash of a plan is that of what it says.
  const tasks = parsed.data.tasks.map(({skill, tools, ...task}) => ({
    ...task,
    ...(typeof skill === 'string' && {skill}),
    ...(tools.length > 0 && {tools}),
  }));
  const {plan, found} = showHidden({
    ...parsed.data,
    objective: parsed.data.objective ?? objective,
    tasks,
  });
  const faults = checkPlan(plan, known);
  return {value: faults.length === 0 ? plan : undefined, found: [...faults, ...found]};
}

/** The line of the value, or of the nearest thing around it: what is missing stands nowhere. */
function placeIn(
  text: string,
  {offsets}: JsonScan,
  {steps, level, text: words}: Placed,
): PlanProblem {
  const around = steps
    .map((_, index) => offsets.get(jsonPath(steps.slice(0, steps.length - index))))
    .find((offset) => offset !== undefined);
  return {line: lineOf(text, around ?? 0), level, text: words};
}
