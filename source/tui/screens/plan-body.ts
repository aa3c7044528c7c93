import {
  baselineLines,
  baselineReport,
  formatPlanLines,
  repositoryNotesOf,
  toothText,
  type PlanLine,
} from '../../documents/index.ts';
import {
  checksOf,
  choiceOf,
  redOnBase,
  runOf,
  type LineComment,
  type Proposal,
  type Rules,
  type Run,
} from '../../domain/index.ts';
import {safeLine, wrap} from '../model/cell-text.ts';
import {keyFor} from '../model/key-for.ts';
import {blank, button, ends, span, type Line} from '../model/line.ts';
import type {Model} from '../model/model.ts';
import {inSight} from '../model/places.ts';
import {planComments} from '../model/plan-comments.ts';
import type {Size} from '../render/rect.ts';
import type {Body, ScreenView} from './body.ts';
import {sharingLines} from './sharing-lines.ts';
import {heading, paragraph, plural, shortHash} from './words.ts';

/** One row of the screen, and the line of the plan that a comment on it is about; else what it is that can have none. */
export type PlanRow = {
  readonly line: number | undefined;
  readonly row: Line;
  /** @default between two lines of the plan */ readonly of?: 'note' | 'check' | 'rule';
};

/** The whole plan: nothing of it is cut. Where there is room, checks and rules stand beside it, else they follow. */
export function planBody({model, state, size}: ScreenView): Body {
  const run = model.run === undefined ? undefined : runOf(state, model.run);
  const stage = run?.stage;
  if (run === undefined || stage === undefined || !('proposal' in stage)) return noPlan(model, run);
  const {proposal, ground} = stage;
  const columns = planColumns({model, state}, run, size);
  const isWide = columns < size.columns;
  const beside = size.columns - columns - 1;
  const notes = repositoryNotesOf(run).length;
  const isWaiting = stage.at === 'reviewing';
  const unsent = planComments(model, run);
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
  // Whoever approves shall know that there is more to read.
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

/** How wide the plan itself is: where checks and rules find room beside it, they have it. They must be seen whole, for nothing moves them there. */
export function planColumns(
  view: Pick<ScreenView, 'model' | 'state'>,
  run: Run,
  {columns, rows}: Size,
): number {
  const beside = Math.floor(columns * 0.36);
  const hasRoom =
    columns >= 130 &&
    'ground' in run.stage &&
    moreRows(view, run, run.stage.ground.rules, beside).length - 1 <= rows - 3;
  return hasRoom ? columns - beside - 1 : columns;
}

/** All rows that the cursor comes to, each with what it is: what is shown is what a comment is on. */
export function planScreenRows(
  view: Pick<ScreenView, 'model' | 'state'>,
  run: Run,
  size: Size,
): PlanRow[] {
  const {stage} = run;
  if (!('proposal' in stage)) return [];
  const columns = planColumns(view, run, size);
  return [
    ...planRows(stage.proposal, columns, planComments(view.model, run)),
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
  const notes = repositoryNotesOf(run);
  return notes.length === 0
    ? []
    : as('note', [
        blank,
        heading(' About the repository, when the run began'),
        ...notes.flatMap((words) =>
          paragraph(safeLine(words), columns - 1, {first: '  ! ', indent: 4}),
        ),
      ]);
}

function as(of: NonNullable<PlanRow['of']>, rows: readonly Line[]): PlanRow[] {
  return rows.map((row) => ({line: undefined, row, of}));
}

/** What the checks show without any change, and the keys that decide about what is red. */
function baselineRows(
  {model, state}: Pick<ScreenView, 'model' | 'state'>,
  run: Run,
  columns: number,
): Line[] {
  const [head, ...lines] = baselineLines(baselineReport(state, run));
  if (head === undefined) return [];
  const isOpen = redOnBase(run).some(({result}) => choiceOf(run, result.check) === undefined);
  const key = (
    does: 'baseline-mend' | 'baseline-ignore' | 'baseline-no-new' | 'baseline-count',
  ): string => keyFor(model, does, 'plan');
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

/** Said at the top: whoever approves has to decide about it first, and the checks may stand far below. */
function redLine(model: Model, run: Run): Line[] {
  const names = redOnBase(run)
    .filter(({result}) => choiceOf(run, result.check) === undefined)
    .map(({result}) => safeLine(result.check.name));
  if (names.length === 0) return [];
  const key = (
    does: 'baseline-mend' | 'baseline-ignore' | 'baseline-no-new' | 'baseline-count',
  ): string => keyFor(model, does, 'plan');
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
    rows: [blank, [span(`  ${noPlanWords(model, run)}`)]],
    foot: [],
    hasCursor: false,
  };
}

function noPlanWords(model: Model, run: Run | undefined): string {
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

/** With what was said about its lines: what the daemon has, and what the person can still change. */
export function planRows(
  {plan, comments}: Proposal,
  columns: number,
  unsent: readonly LineComment[],
): PlanRow[] {
  return formatPlanLines(plan).flatMap((one) => [
    ...(one.isTitle && one.number > 1 ? [{line: undefined, row: blank}] : []),
    ...rowsOf(one, columns),
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
      span(
        `${index === 0 ? '' : ' '.repeat(hanging)}${row}`,
        isTitle ? 'title' : isTask ? 'strong' : 'plain',
      ),
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
  const checks = checksOf(run);
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
      paragraph(`${text}${tooth === undefined ? '' : ` [${toothText(tooth)}]`}`, columns - 1, {
        first: `  ${number} `,
      }),
    ),
  ];
}
