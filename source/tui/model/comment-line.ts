import {formatPlanLines, type PlanLine} from '../../documents/index.ts';
import {runOf, type Run, type State} from '../../domain/index.ts';
import {planScreenRows, type PlanRow} from '../screens/plan-body.ts';
import {diffRowsInView, fileInView} from '../screens/review-body.ts';
import {only, saying, type Result} from './action.ts';
import {diffComments} from './diff-comments.ts';
import {openField} from './fields.ts';
import type {DiffComment, FieldPurpose, Model, OpenField, PlanComment} from './model.ts';
import {planComments} from './plan-comments.ts';
import {bodyRectOf, plotOf} from './plot-of.ts';
import {reviewFiles} from './review-files.ts';
import {emptyField, fieldOf} from './text-field.ts';

/** Opens a line for a comment on what is under the cursor; one that is there already, and was not sent, is opened with its text. */
export function commentLine(model: Model, state: State, now: number): Result {
  if (model.screen === 'plan') {
    const run = reviewedRun(model, state);
    if (run === undefined)
      return only(saying(model, 'Only a plan that waits for you takes comments.', now));
    const line = planLineAt(model, run, state);
    if (line === undefined) return only(saying(model, noLine(planRowAt(model, run, state)), now));
    const {number, text: source} = line;
    return only(
      opened(
        model,
        {what: 'comment-plan', run: run.id, plan: run.stage.proposal.hash, line: number, source},
        number,
        planCommentAt(model, run, state),
      ),
    );
  }

  const {diff} = model.answers;
  if (model.subject === undefined || diff === undefined || !('value' in diff)) return only(model);
  if (model.side === 'files') return only({...model, side: 'diff'});
  const at = diffLineAt(model, state);
  if (at === undefined) return only(saying(model, 'Choose a line of code to comment on.', now));
  return only(
    opened(
      model,
      {what: 'comment-diff', of: model.subject, path: at.path, line: at.line, text: at.source},
      at.line,
      diffCommentAt(model, state),
    ),
  );
}

function opened(
  model: Model,
  purpose: FieldPurpose,
  line: number,
  before: {readonly text: string} | undefined,
): Model {
  return before === undefined
    ? openField(model, purpose, `On line ${line}`, emptyField)
    : openField(model, purpose, `Edit, on line ${line}`, fieldOf(before.text));
}

/** Takes back the comment under the cursor, without opening it. */
export function dropComment(model: Model, state: State, now: number): Result {
  const run = model.screen === 'plan' ? reviewedRun(model, state) : undefined;
  const [ofPlan, ofDiff] = [
    run === undefined ? undefined : planCommentAt(model, run, state),
    model.screen === 'review' ? diffCommentAt(model, state) : undefined,
  ];
  if (ofPlan === undefined && ofDiff === undefined)
    return only(
      saying(model, 'There is no comment of yours on this line that could be taken back.', now),
    );
  return only(
    saying(
      {
        ...model,
        planComments: model.planComments.filter((one) => one !== ofPlan),
        comments: model.comments.filter((one) => one !== ofDiff),
      },
      takenBack,
      now,
    ),
  );
}

/** What was written goes with its line; nothing takes back what was there. The plan may have changed while it was written. */
export function keepComment(model: Model, field: OpenField, state: State, now: number): Result {
  const purpose = field.for;
  const text = field.text.trim();
  const closed: Model = {...model, field: undefined};
  if (purpose.what === 'comment-diff') {
    const {of, path, line, text: source} = purpose;
    const others = model.comments.filter(
      (one) =>
        one.sentAs !== undefined ||
        one.of !== of ||
        one.path !== path ||
        one.line !== line ||
        one.source !== source,
    );
    if (text !== '')
      return only({...closed, comments: [...others, {of, path, line, source, text}]});
    return only(
      others.length === model.comments.length
        ? closed
        : saying({...closed, comments: others}, takenBack, now),
    );
  }

  if (purpose.what !== 'comment-plan') return only(model);
  const {run: id, plan, line, source} = purpose;
  const run = reviewedRun({run: id}, state);
  if (run?.stage.proposal.hash !== plan)
    return only(
      saying(
        model,
        'The plan has changed since, and line numbers with it; your words were not taken. Escape gives them up.',
        now,
        'bad',
      ),
    );
  const round = run.rounds.length;
  const before = planComments(model, run).find((one) => one.line === line);
  const others = model.planComments.filter((one) => one !== before);
  if (text !== '')
    return only(
      saying(
        {...closed, planComments: [...others, {run: id, round, plan, line, source, text}]},
        'The planner gets it with your reason when you reject the plan.',
        now,
      ),
    );
  return only(
    before === undefined ? closed : saying({...closed, planComments: others}, takenBack, now),
  );
}

const takenBack = 'The comment is taken back.';

/** The comment under the cursor that can still be changed. */
export function commentUnderCursor(
  model: Model,
  state: State,
): {readonly text: string} | undefined {
  if (model.screen === 'review')
    return model.side === 'diff' ? diffCommentAt(model, state) : undefined;
  const run = model.screen === 'plan' ? reviewedRun(model, state) : undefined;
  return run === undefined ? undefined : planCommentAt(model, run, state);
}

type Reviewed = Run & {readonly stage: Extract<Run['stage'], {at: 'reviewing'}>};

function reviewedRun({run: id}: Pick<Model, 'run'>, state: State): Reviewed | undefined {
  const run = id === undefined ? undefined : runOf(state, id);
  return run?.stage.at === 'reviewing' ? {...run, stage: run.stage} : undefined;
}

/** The row under the cursor: the very one that is marked on the screen, and no other. */
function planRowAt(model: Model, run: Reviewed, state: State): PlanRow | undefined {
  const rows = planScreenRows(
    {model, state},
    run,
    bodyRectOf(plotOf(model.size, model, state), model.screen),
  );
  return rows[Math.max(0, Math.min(rows.length - 1, model.places.plan.cursor))];
}

function noLine(row: PlanRow | undefined): string {
  switch (row?.of) {
    case 'rule':
      return 'A rule is no line of the plan, so it takes no comment. Rules are changed in .rulesfile.md; comments go on the numbered lines above.';
    case 'check':
      return "This is no line of the plan, so it takes no comment. Checks come from the rules and the plan's own lines; comments go on the numbered lines above.";
    case 'note':
      return 'A note about the repository is no line of the plan, so it takes no comment. Comments go on the numbered lines above.';
    default:
      return 'There is no line of the plan here. Choose one that has a number.';
  }
}

function planLineAt(model: Model, run: Reviewed, state: State): PlanLine | undefined {
  const number = planRowAt(model, run, state)?.line;
  return number === undefined ? undefined : formatPlanLines(run.stage.proposal.plan)[number - 1];
}

function planCommentAt(model: Model, run: Reviewed, state: State): PlanComment | undefined {
  const own = planComments(model, run);
  if (own.length === 0) return undefined;
  const number = planLineAt(model, run, state)?.number;
  return own.find(({line}) => line === number);
}

function diffLineAt(
  model: Model,
  state: State,
): {readonly path: string; readonly line: number; readonly source: string} | undefined {
  const files = reviewFiles(model);
  if (files.length === 0) return undefined;
  const file = fileInView(model, files);
  const at = diffRowsInView(
    {model, size: bodyRectOf(plotOf(model.size, model, state), model.screen)},
    file,
  )[model.places.diff.cursor]?.at;
  return at === undefined ? undefined : {path: file.path, ...at};
}

function diffCommentAt(model: Model, state: State): DiffComment | undefined {
  const own = diffComments(model);
  if (own.length === 0) return undefined;
  const at = diffLineAt(model, state);
  return own.find(
    ({path, line, source}) => path === at?.path && line === at.line && source === at.source,
  );
}
