import type {Check, LineComment, Plan, Rules, RunId} from '../domain/index.ts';
import {type BaselineReport, formatBaseline} from './baseline.ts';
import {formatDirective} from '../rules/index.ts';
import {formatRepositoryNotes} from './messages/describe-state.ts';
import {wrapSentence, wrapText} from '../shared/index.ts';
import {formatPlanLines, type PlanLine} from '../plan/index.ts';

export type PlanFrame = {
  readonly width: number;
  readonly hash: string;
  readonly rules: Rules;
  readonly base: string;
  /** The hash of the planner's tree, if it was the same before and after planning. */
  readonly treeProof?: string;
  readonly comments: readonly LineComment[];
  /** The results of the checks on the base. */
  readonly baseline?: BaselineReport;
  /** Notes about the repository for the person. @default none */
  readonly notes?: readonly string[];
  /** Which agents have their own interface, in words. */
  readonly modes?: string;
  /** If set, the commands that answer the plan are printed at the end. */
  readonly run?: RunId;
};

/**
 * The whole plan for a person: everything that an approval covers, uncut. Only lines of the plan
 * have numbers, so that no text of a planner can pass for ours.
 */
export function formatPlan(plan: Plan, frame: PlanFrame): string {
  const lines = formatPlanLines(plan);
  const margin = Math.max(3, String(lines.length).length);
  const strays = frame.comments.filter(({line}) => line < 1 || line > lines.length);
  return [
    ...wrapSentence(
      `Plan ${shortHash(frame.hash)} on base ${shortHash(frame.base)}, rules ${shortHash(frame.rules.hash)}`,
      frame.width,
    ),
    '',
    ...withBlank(formatRepositoryNotes(frame.notes ?? [], frame.width)),
    ...lines.flatMap((line) => [
      ...(line.isTitle && line.number > 1 ? [''] : []),
      ...toRows(line, margin, frame),
    ]),
    '',
    ...checkRows(plan, frame),
    '',
    ...baselineRows(frame),
    ...ruleRows(frame),
    '',
    ...strays.flatMap(({line, text}) =>
      wrapSentence(`Comment on line ${line}, which does not exist: ${text}`, frame.width),
    ),
    ...(frame.modes === undefined ? [] : wrapSentence(`${frame.modes}.`, frame.width)),
    ...wrapSentence(formatProof(frame.treeProof), frame.width),
    ...(frame.run === undefined ? [] : ['', ...formatAnswers(frame.run)]),
    '',
  ].join('\n');
}

function shortHash(hash: string): string {
  return wrapSentence(hash, 80).join('').slice(0, 12);
}

function toRows(
  {number, text, isTitle, graph}: PlanLine,
  margin: number,
  {width, comments}: PlanFrame,
): string[] {
  const before = ' '.repeat(margin);
  const lanes =
    graph === undefined
      ? {first: isTitle ? '' : '  ', next: isTitle ? '' : '  '}
      : {first: `  ${graph.first}`, next: `  ${graph.next}`};
  const hanging = /^(?: *(?:- |t\d+ {2}))?/.exec(text)?.[0].length ?? 0;
  const [first = '', ...rest] = wrapText(text, width - margin - 1 - lanes.first.length - hanging);
  const own = comments
    .filter(({line}) => line === number)
    .flatMap((comment) => wrapSentence(`you: ${comment.text}`, width - margin - 3));
  return [
    `${String(number).padStart(margin)} ${lanes.first}${first}`.trimEnd(),
    ...rest.map((row) => `${before} ${lanes.next}${' '.repeat(hanging)}${row}`.trimEnd()),
    // The mark is in the number column, which no text of a planner can reach.
    ...own.map((row) => `${'>'.padStart(margin)}   ${row}`),
  ];
}

/**
 * The checks that will run. If a check of the plan has the name of one in the rules, the rules win.
 */
function checkRows(plan: Plan, {rules, width}: PlanFrame): string[] {
  const own = plan.validation.filter(
    ({name}) => !rules.checks.some((check) => check.name === name),
  );
  const rows = (checks: readonly Check[], from: string): string[] =>
    checks.flatMap((check) => item(`${check.name} (${from}): ${check.command}`, width));
  const shadowed = plan.validation.filter((check) => !own.includes(check)).map(({name}) => name);
  const all = [...rows(rules.checks, 'rules'), ...rows(own, 'plan')];
  return [
    'What proves it',
    ...(all.length === 0 ? ['  No checks: nothing will prove that a task works.'] : all),
    ...(shadowed.length === 0
      ? []
      : item(
          `not run: ${shadowed.join(', ')} of the plan, because the rules have a check of that name`,
          width,
        )),
  ];
}

function baselineRows({baseline, width}: PlanFrame): string[] {
  const rows = baseline === undefined ? [] : formatBaseline(baseline, width);
  return rows.length === 0 ? [] : [...rows, ''];
}

function ruleRows({rules, width}: PlanFrame): string[] {
  if (rules.rules.length === 0) return ['Rules: none'];
  return [
    'Rules · the first wins',
    ...rules.rules.flatMap(({number, text, tooth}) =>
      item(`${number} ${text}${tooth === undefined ? '' : ` [${formatDirective(tooth)}]`}`, width),
    ),
  ];
}

function item(text: string, width: number): string[] {
  return wrapSentence(text, width - 4).map((row, index) =>
    index === 0 ? `  ${row}` : `    ${row}`,
  );
}

function formatProof(tree: string | undefined): string {
  if (tree === undefined)
    return 'Unknown: orchestra cannot prove that the planner changed no file.';
  return `The planner changed nothing: tree ${shortHash(tree)} before and after.`;
}

function formatAnswers(run: RunId): string[] {
  return [
    `orchestra plan approve ${run}`,
    `orchestra plan edit ${run}`,
    `orchestra plan reject ${run} --reason "…"`,
  ];
}

function withBlank(rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : [...rows, ''];
}
