import {mostBytes, withPlainLines} from '../read-text.ts';
import {yamlAsJson} from './edit-yaml-as-json.ts';
import {type PlanContext, type PlanProblem, type PlanReading, readPlan} from './read-plan.ts';

/** Reads the plan that a person edited. The same checks as for a planner's; the lines of the problems are lines of the file. */
export function readPlanFile(text: string, context: PlanContext): PlanReading {
  if (text.length > mostCharacters)
    return failed([
      {
        line: 1,
        level: 'error',
        text: `Expected at most ${mostCharacters} characters, got more. Nothing of it was read; make it shorter.`,
      },
    ]);
  const plain = withPlainLines(text);
  if (isEmpty(plain))
    return failed([
      {
        line: 1,
        level: 'error',
        text: 'Expected a plan, got an empty file. Nothing was changed; edit again to propose something.',
      },
    ]);

  const {json, lines, problems} = yamlAsJson(plain);
  if (problems.length > 0) return failed(problems.map((problem) => ({...problem, level: 'error'})));
  const reading = readPlan(json, context);
  const found = reading.problems.map((problem) => ({
    ...problem,
    line: lines[problem.line - 1] ?? 1,
    text: problem.text.replace(
      'a text in quotes',
      'a text (in single quotes when it looks like a number)',
    ),
  }));
  return {value: reading.value, problems: found.toSorted((a, b) => a.line - b.line)};
}

/** As YAML, with its indentation and comments, a plan takes more room than as JSON; the JSON has its own limit. */
const mostCharacters = 4 * mostBytes;

function isEmpty(text: string): boolean {
  return text.split('\n').every((line) => /^\s*(?:#.*)?$/.test(line));
}

function failed(problems: readonly PlanProblem[]): PlanReading {
  return {value: undefined, problems};
}
