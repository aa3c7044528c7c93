import {stringify} from 'yaml';
import type {Plan} from '../domain/index.ts';
import {showHidden} from './check-plan.ts';
import type {Problem} from '../shared/index.ts';
import {maxDocumentBytes, parseYaml, withPlainLines, yamlToJson} from '../syntax/index.ts';
import {parsePlan, type PlanContext, type PlanParseResult, type PlanProblem} from './parse-plan.ts';

/**
 * A plan as the YAML document that a person edits, with a comment above each field. Parsed
 * unchanged it gives the same plan. Comments never contain text of the plan, so nothing that a
 * planner wrote can pass for one.
 */
export function formatPlanFile(plan: Plan): string {
  const {plan: shown} = showHidden(plan);
  const parts = fields.map(
    ({name, comment}) =>
      `${comment.map((line) => `# ${line}\n`).join('')}${stringify({[name]: shown[name]}, stringifyOptions)}`,
  );
  return [...head.map((line) => `# ${line}\n`), '\n', parts.join('\n')].join('');
}

const head = [
  'The plan. Save and close to propose your version; orchestra checks it, and you approve it.',
  'Leave the file as it is, or empty it, to change nothing.',
  'A text with ":" or "#" in it goes in single quotes; a long one on lines of their own after "|".',
];

const fields: readonly {readonly name: keyof Plan; readonly comment: readonly string[]}[] = [
  {name: 'objective', comment: ['What was asked for.']},
  {name: 'problem', comment: ['The objective restated as a problem.']},
  {name: 'rootCause', comment: ['Why the problem exists.']},
  {name: 'assumptions', comment: ['What the plan assumes. A list of texts, or [] for none.']},
  {name: 'invariants', comment: ['What must still be true afterwards. A list of texts.']},
  {name: 'risks', comment: ['What could go wrong. A list of texts.']},
  {
    name: 'rejected',
    comment: ['Other ways that were considered: alternative, and the reason why not.'],
  },
  {
    name: 'tasks',
    comment: [
      'Each task is done by one worker in its own worktree.',
      '  id: t1, t2, … each used once    title: one line    brief: what to do, for somebody who knows nothing else',
      '  files: paths or globs that it may change    after: ids of earlier tasks that it builds on',
      '  services: names of services that must be ready    skill: the name of a skill (may be left out)',
      '  tools: names of the tool servers that it gets (may be left out)',
      '  variantOf: the id of an earlier task of which this is another try; you pick one of them (may be left out)',
      '  agent, model: who works on it, if that is not the agent and the model of the run (may be left out)',
    ],
  },
  {
    name: 'validation',
    comment: [
      'Exact commands that prove the result, beside those of the rules file: name and command.',
    ],
  },
];

const stringifyOptions = {
  // Folding would break long lines at arbitrary places.
  lineWidth: 0,
  blockQuote: 'literal',
  // A repeated text must not become an anchor and an alias, which the parser rejects.
  aliasDuplicateObjects: false,
  version: '1.2',
  schema: 'core',
} as const;

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
