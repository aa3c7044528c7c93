import type {Problem} from '../shared/index.ts';
import {maxDocumentBytes, parseYaml, withPlainLines, yamlToJson} from '../syntax/index.ts';
import {parsePlan, type PlanContext, type PlanParseResult, type PlanProblem} from './parse-plan.ts';

/**
 * Parses the plan file that a person edited, with the same checks as a planner's JSON. Problems
 * have lines of the file.
 */
export function parsePlanFile(text: string, context: PlanContext): PlanParseResult {
  if (text.length > maxCharacters)
    return failed([
      {
        line: 1,
        level: 'error',
        text: `Expected at most ${maxCharacters} characters, got more. Nothing of it was read; make it shorter.`,
      },
    ]);
  const plain = withPlainLines(text);
  if (isEmpty(plain))
    return failed([
      {
        line: 1,
        level: 'error',
        text: 'Expected a plan, got an empty file. Nothing was changed; edit again to propose a version.',
      },
    ]);

  const {value: document, isRejected, problems: syntaxProblems} = parseYaml(plain, maxLevels);
  const problems: Problem[] = isRejected ? [...syntaxProblems] : [];
  const {json, lines} = yamlToJson(document, {
    onOther: ({line, what}) => {
      problems.push({
        line,
        text: `Expected a plain value, got ${describeOther(what)}. Write the value itself.`,
      });
    },
  });
  if (problems.length > 0) return failed(problems.map((problem) => ({...problem, level: 'error'})));
  const parsed = parsePlan(json, context);
  const found = parsed.problems.map((problem) => ({
    ...problem,
    line: lines[problem.line - 1] ?? 1,
    text: problem.text.replace(
      'a text in quotes',
      'a text (in single quotes when it looks like a number)',
    ),
  }));
  return {value: parsed.value, problems: found.toSorted((a, b) => a.line - b.line)};
}

/** With indentation and comments, YAML is longer than JSON; the JSON has its own limit. */
const maxCharacters = 4 * maxDocumentBytes;

/** Deeper than any plan. */
const maxLevels = 16;

function describeOther(what: string): string {
  return what === 'a mapping' || what === 'a list' ? 'something nested deeper than any plan' : what;
}

function isEmpty(text: string): boolean {
  return text.split('\n').every((line) => /^\s*(?:#.*)?$/.test(line));
}

function failed(problems: readonly PlanProblem[]): PlanParseResult {
  return {value: undefined, problems};
}
