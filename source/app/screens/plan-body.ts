import {baselineLines, buildBaselineReport, selectRepositoryNotes} from '../../reports/index.ts';
import {formatPlanLines, type PlanLine} from '../../plan/index.ts';
import {formatDirective} from '../../rules/index.ts';
import {
  type LineComment,
  type Proposal,
  type Rules,
  type Run,
  selectChecks,
  selectChoice,
  selectRedOnBase,
  selectRun,
} from '../../domain/index.ts';
import {
  blank,
  button,
  ends,
  heading,
  type Line,
  paragraph,
  plural,
  safeLine,
  shortHash,
  span,
  wrap,
} from '../model/line.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {Model} from '../model/model.ts';
import {inSight} from '../model/places.ts';
import {selectPlanComments} from '../model/comments.ts';
import type {BaselineAction} from '../model/run-decisions.ts';
import type {Size} from '../render/frame.ts';
import type {Body, ScreenView} from './body.ts';
import {sharingLines} from './sharing-lines.ts';

/**
 * One row of the screen, and the plan line that a comment on it belongs to; else the kind of a row
 * without comments.
 */
export type PlanRow = {
  readonly line: number | undefined;
  readonly row: Line;
  /** @default between two lines of the plan */ readonly of?: 'note' | 'check' | 'rule';
};

type BaselineDecisionAction = Exclude<BaselineAction, 'baseline-again'>;

/** The whole plan, without cuts. Checks and rules are shown beside it if they fit, else below. */
export function planBody({model, state, size}: ScreenView): Body {
  const run = model.run === undefined ? undefined : selectRun(state, model.run);
  const stage = run?.stage;
  if (run === undefined || stage === undefined || !('proposal' in stage)) return noPlan(model, run);
  const {proposal, ground} = stage;
  const columns = planColumns({model, state}, run, size);
  const isWide = columns < size.columns;
  const beside = size.columns - columns - 1;
  const notes = selectRepositoryNotes(run).length;
  const isWaiting = stage.at === 'reviewing';
  const unsent = selectPlanComments(model, run);
  const rows = planScreenRows({model, state}, run, size).map(({row}) => row);
  const comments = isWaiting
    ? [
        ...sharingLines(model, 'plan', Math.min(size.columns - 2, 120)),
        ...commentsLine(model, unsent.length),
      ]
    : [];
  const head = [
    ends(
      [
        span(` Plan of ${run.id} `, 'title'),
        span(shortHash(proposal.hash), 'quiet'),
        span(`  on ${shortHash(ground.base)}, rules ${shortHash(ground.rules.hash)}`, 'quiet'),
      ],
      [
        span(
          isWaiting ? 'waits for you ' : `${stage.at === 'working' ? 'approved' : stage.at} `,
          isWaiting ? 'needs' : 'good',
        ),
      ],
      size.columns,
    ),
    ...(isWaiting && stage.voided !== undefined
      ? [
          [
            span(
              ` Approve it again: ${stage.voided === 'rules-changed' ? 'the rules changed' : 'the plan changed'} since you did.`,
              'needs',
            ),
          ],
        ]
      : []),
    ...(isWaiting ? redLine(model, run) : []),
    ...(notes === 0
      ? []
      : [
          [
            span(
              ` ! ${plural(notes, 'note', 'notes')} about the repository below the plan: read ${notes === 1 ? 'it' : 'them'} before you approve`,
              'needs',
            ),
          ],
        ]),
  ];
  // Show how many rows are below, so that nobody approves without knowing of them.
  const height = Math.max(1, size.rows - head.length - comments.length - 1);
  const below = rows.length - inSight(model.places.plan, rows.length, height).top - height;
  return {
    list: 'plan',
    head,
    rows,
    foot: [
      ...comments,
      ends(
        [
          span(' ✓ ', 'good'),
          span(
            `The planner changed nothing: tree ${shortHash(proposal.tree)} before and after.`,
            'quiet',
          ),
        ],
        [span(below > 0 ? `${below} more ` : '', 'needs')],
        size.columns,
      ),
    ],
    hasCursor: true,
    ...(isWide
      ? {
          beside: {
            on: 'right' as const,
            columns: beside,
            rows: moreRows({model, state}, run, ground.rules, beside)
              .slice(1)
              .map(({row}) => row),
          },
        }
      : {}),
  };
}

/**
 * The width of the plan itself. Checks and rules are beside it only if all of them fit, because
 * that column does not scroll.
 */
export function planColumns(
  view: Pick<ScreenView, 'model' | 'state'>,
  run: Run,
  {columns, rows}: Size,
): number {
  const beside = Math.floor(columns * 0.36);
  const hasSpace =
    columns >= 130 &&
    'ground' in run.stage &&
    moreRows(view, run, run.stage.ground.rules, beside).length - 1 <= rows - 3;
  return hasSpace ? columns - beside - 1 : columns;
}

/**
 * All rows that the cursor can reach. Comments use the same rows, so they always belong to the
 * visible line.
 */
export function planScreenRows(
  view: Pick<ScreenView, 'model' | 'state'>,
  run: Run,
  size: Size,
): PlanRow[] {
  const {stage} = run;
  if (!('proposal' in stage)) return [];
  const columns = planColumns(view, run, size);
  return [
    ...planRows(stage.proposal, columns, selectPlanComments(view.model, run)),
    ...noteRows(run, columns),
    ...(columns < size.columns ? [] : moreRows(view, run, stage.ground.rules, columns)),
  ];
}

function moreRows(
  view: Pick<ScreenView, 'model' | 'state'>,
  run: Run,
  rules: Rules,
  columns: number,
): PlanRow[] {
  return [
    ...as('check', [blank, ...checkRows(run, columns), ...baselineRows(view, run, columns), blank]),
    ...as('rule', ruleRows(rules, columns)),
  ];
}

function noteRows(run: Run, columns: number): PlanRow[] {
  const notes = selectRepositoryNotes(run);
  return notes.length === 0
    ? []
    : as('note', [
        blank,
        heading(' About the repository, when the run began'),
        ...notes.flatMap((text) =>
          paragraph(safeLine(text), columns - 1, {first: '  ! ', indent: 4}),
        ),
      ]);
}

function as(of: NonNullable<PlanRow['of']>, rows: readonly Line[]): PlanRow[] {
  return rows.map((row) => ({line: undefined, row, of}));
}

/** The results of the checks on the base, and the keys that decide about red ones. */
function baselineRows(
  {model, state}: Pick<ScreenView, 'model' | 'state'>,
  run: Run,
  columns: number,
): Line[] {
  const [head, ...lines] = baselineLines(buildBaselineReport(state, run));
  if (head === undefined) return [];
  const isOpen = selectRedOnBase(run).some(
    ({result}) => selectChoice(run, result.check) === undefined,
  );
  const key = (action: BaselineDecisionAction): string => keyFor(model, action, 'plan');
  const keys = `${key('baseline-mend')} mends it by a first task, ${key('baseline-ignore')} ignores it, ${key('baseline-no-new')} accepts no new failures, ${key('baseline-count')} counts it as ever.`;
  return [
    blank,
    heading(` ${head.text}`),
    ...lines
      .filter(({text}) => !text.startsWith('      decide: '))
      .flatMap(({text, tone}) =>
        paragraph(text.trim(), columns - 1, {first: /^ */.exec(text)?.[0] ?? '', tone}),
      ),
    ...(isOpen ? paragraph(keys, columns - 1, {first: '  ', tone: 'needs'}) : []),
  ];
}

/**
 * Shown at the top: red checks must be decided before the approval, and the list of checks may be
 * far below.
 */
function redLine(model: Model, run: Run): Line[] {
  const names = selectRedOnBase(run)
    .filter(({result}) => selectChoice(run, result.check) === undefined)
    .map(({result}) => safeLine(result.check.name));
  if (names.length === 0) return [];
  const key = (action: BaselineDecisionAction): string => keyFor(model, action, 'plan');
  return [
    [
      span(
        ` ! ${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''} red before any change: `,
        'needs',
      ),
      ...button('baseline-mend', span(`${key('baseline-mend')} mend`, 'needs')),
      span(
        `  ${key('baseline-ignore')} ignore  ${key('baseline-no-new')} no new failures  ${key('baseline-count')} count`,
        'needs',
      ),
    ],
  ];
}

function noPlan(model: Model, run: Run | undefined): Body {
  return {
    list: 'plan',
    head: [],
    rows: [blank, [span(`  ${formatNoPlan(model, run)}`)]],
    foot: [],
    hasCursor: false,
  };
}

function formatNoPlan(model: Model, run: Run | undefined): string {
  if (run === undefined)
    return `There is no run yet. ${keyFor(model, 'new-objective', 'command')} says what should be different.`;
  switch (run.stage.at) {
    case 'planless':
      return `No plan came of ${run.id}. ${keyFor(model, 'next-need', 'command')} tells why, and what can be done.`;
    case 'queued':
      return `${run.id} has no plan yet: it waits for its turn.`;
    case 'accepted':
    case 'discarded':
      return `${run.id} is over: it is ${run.stage.at}. ${keyFor(model, 'screen-timeline', 'command')} tells what happened.`;
    default:
      return `${run.id} is being planned. ${keyFor(model, 'screen-workers', 'command')} leads to the planner.`;
  }
}

function commentsLine(model: Model, count: number): Line[] {
  return count === 0
    ? []
    : [
        [
          span(` ${plural(count, 'comment', 'comments')} not sent yet; `, 'needs'),
          ...button(
            'reject-plan',
            span(
              `${keyFor(model, 'reject-plan', 'plan')} rejects the plan with ${count === 1 ? 'it' : 'them'}`,
              'needs',
            ),
          ),
        ],
      ];
}

/** The plan with its comments: those that were sent, and the unsent ones. */
export function planRows(
  {plan, comments}: Proposal,
  columns: number,
  unsent: readonly LineComment[],
): PlanRow[] {
  return formatPlanLines(plan).flatMap((one) => [
    ...(one.isTitle && one.number > 1 ? [{line: undefined, row: blank}] : []),
    ...toRows(one, columns),
    ...commentRows(
      comments.filter(({line}) => line === one.number),
      'you, sent: ',
      one.number,
      columns,
    ),
    ...commentRows(
      unsent.filter(({line}) => line === one.number),
      'you: ',
      one.number,
      columns,
    ),
  ]);
}

function toRows({number, text, isTitle, graph}: PlanLine, columns: number): PlanRow[] {
  const lanes = graph ?? (isTitle ? {first: '', next: ''} : {first: '  ', next: '  '});
  const safe = safeLine(text);
  const hanging = /^(?: *(?:- |t\d+ {2}))?/.exec(safe)?.[0].length ?? 0;
  const isTask = /^t\d+ {2}/.test(safe) && graph !== undefined;
  const textTone = isTask ? 'strong' : 'plain';
  return wrap(safe, columns - margin - lanes.first.length - hanging).map((row, index) => ({
    line: number,
    row: [
      span(index === 0 ? `${String(number).padStart(4)} ` : '     ', 'quiet'),
      span(index === 0 ? lanes.first : lanes.next, 'accent'),
      span(`${index === 0 ? '' : ' '.repeat(hanging)}${row}`, isTitle ? 'title' : textTone),
    ],
  }));
}

const margin = 6;

function commentRows(
  comments: readonly LineComment[],
  first: string,
  number: number,
  columns: number,
): PlanRow[] {
  return comments.flatMap(({text}) =>
    paragraph(text, columns - margin, {first, tone: 'needs'}).map((row) => ({
      line: number,
      row: [span('   > ', 'needs'), ...row],
    })),
  );
}

function checkRows(run: Run, columns: number): Line[] {
  const checks = selectChecks(run);
  if (checks.length === 0)
    return [heading(' Checks'), [span('  none: nothing proves that a task is done', 'bad')]];
  return [
    heading(' Checks that will be run, in this order'),
    ...checks.flatMap(({name, command}, index) =>
      paragraph(`${name}: ${command}`, columns - 1, {first: `  ${index + 1}. `}),
    ),
  ];
}

function ruleRows({rules}: Rules, columns: number): Line[] {
  if (rules.length === 0) return [heading(' Rules: none')];
  return [
    heading(' Rules, the first outranks the rest'),
    ...rules.flatMap(({number, text, tooth}) =>
      paragraph(
        `${text}${tooth === undefined ? '' : ` [${formatDirective(tooth)}]`}`,
        columns - 1,
        {
          first: `  ${number} `,
        },
      ),
    ),
  ];
}
