import {formatPlanLines, toothText, type PlanLine} from '../../documents/index.ts';
import {checksOf, runOf, type LineComment, type Proposal, type Rules, type Run} from '../../domain/index.ts';
import {safeLine, wrap} from '../model/cell-text.ts';
import {blank, ends, span, type Line} from '../model/line.ts';
import type {Body, ScreenView} from './body.ts';
import {heading, paragraph, shortHash} from './words.ts';

/** One row of the plan on the screen, and the line of the plan that a comment on it is about. */
export type PlanRow = {readonly line: number | undefined; readonly row: Line};

/** The whole plan: nothing of it is cut. Where there is room, checks and rules stand beside it, else they follow. */
export function planBody({model, state, size}: ScreenView): Body {
  const run = model.run === undefined ? undefined : runOf(state, model.run);
  const stage = run?.stage;
  if (run === undefined || stage === undefined || !('proposal' in stage)) return noPlan(run);
  const {proposal, ground} = stage;
  const isWide = size.columns >= wideColumns;
  const beside = Math.floor(size.columns * 0.36);
  const columns = isWide ? size.columns - beside - 1 : size.columns;
  const more = [blank, ...checkRows(run, isWide ? beside : columns), blank, ...ruleRows(ground.rules, isWide ? beside : columns)];
  const isWaiting = stage.at === 'reviewing';
  return {
    list: 'plan',
    head: [
      ends([span(` Plan of ${run.id} `, 'title'), span(shortHash(proposal.hash), 'quiet'), span(`  on ${shortHash(ground.base)}, rules ${shortHash(ground.rules.hash)}`, 'quiet')], [span(isWaiting ? 'waits for you ' : `${stage.at === 'working' ? 'approved' : stage.at} `, isWaiting ? 'needs' : 'good')], size.columns),
      ...(isWaiting && stage.voided !== undefined ? [[span(` Approve it again: ${stage.voided === 'rules-changed' ? 'the rules changed' : 'the plan changed'} since you did.`, 'needs')]] : []),
    ],
    rows: [...planRows(proposal, columns).map(({row}) => row), ...(isWide ? [] : more)],
    foot: [[span(' ✓ ', 'good'), span(`The planner changed nothing: tree ${shortHash(proposal.tree)} before and after.`, 'quiet')]],
    hasCursor: true,
    ...(isWide ? {beside: {on: 'right' as const, columns: beside, rows: more.slice(1)}} : {}),
  };
}

const wideColumns = 130;

function noPlan(run: Run | undefined): Body {
  const words = run === undefined ? 'There is no run yet. Press o and say what should be different.' : `${run.id} has no plan yet; it is ${run.stage.at}. Press w to watch the planner.`;
  return {list: 'plan', head: [], rows: [blank, [span(`  ${words}`)]], foot: [], hasCursor: false};
}

export function planRows({plan, comments}: Proposal, columns: number): PlanRow[] {
  return formatPlanLines(plan).flatMap((one) => [
    ...(one.isTitle && one.number > 1 ? [{line: undefined, row: blank}] : []),
    ...rowsOf(one, columns),
    ...commentRows(comments.filter(({line}) => line === one.number), one.number, columns),
  ]);
}

function rowsOf({number, text, isTitle, graph}: PlanLine, columns: number): PlanRow[] {
  const lanes = graph ?? (isTitle ? {first: '', next: ''} : {first: '  ', next: '  '});
  const safe = safeLine(text);
  const hanging = /^(?: *(?:- |t\d+ {2}))?/.exec(safe)?.[0].length ?? 0;
  const isTask = /^t\d+ {2}/.test(safe) && graph !== undefined;
  return wrap(safe, columns - margin - lanes.first.length - hanging).map((row, index) => ({
    line: number,
    row: [
      span(index === 0 ? `${String(number).padStart(4)} ` : '     ', 'quiet'),
      span(index === 0 ? lanes.first : lanes.next, 'accent'),
      span(`${index === 0 ? '' : ' '.repeat(hanging)}${row}`, isTitle ? 'title' : isTask ? 'strong' : 'plain'),
    ],
  }));
}

const margin = 6;

function commentRows(comments: readonly LineComment[], number: number, columns: number): PlanRow[] {
  return comments.flatMap(({text}) => paragraph(text, columns - margin, {first: 'you: ', tone: 'needs'}).map((row) => ({line: number, row: [span('   > ', 'needs'), ...row]})));
}

function checkRows(run: Run, columns: number): Line[] {
  const checks = checksOf(run);
  if (checks.length === 0) return [heading(' Checks'), [span('  none: nothing proves that a task is done', 'bad')]];
  return [heading(' Checks that will be run, in this order'), ...checks.flatMap(({name, command}, index) => paragraph(`${name}: ${command}`, columns - 1, {first: `  ${index + 1}. `}))];
}

function ruleRows({rules}: Rules, columns: number): Line[] {
  if (rules.length === 0) return [heading(' Rules: none')];
  return [heading(' Rules, the first outranks the rest'), ...rules.flatMap(({number, text, tooth}) => paragraph(`${text}${tooth === undefined ? '' : ` [${toothText(tooth)}]`}`, columns - 1, {first: `  ${number} `}))];
}
