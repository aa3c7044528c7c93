import {
  isTaskId,
  type Run,
  type RunId,
  runIdIn,
  selectAttempt,
  selectRun,
  type State,
  type TaskId,
  type UserCommand,
} from '../../domain/index.ts';
import type {PlanEntry} from '../select/plan-entries.ts';
import {selectPlanScreen} from '../select/plan-screen.ts';
import {noChange, openField, type Result, withCommands, withNotice} from './action.ts';
import {toLineNumber} from '../review/diff-lines.ts';
import {selectDiffComments, selectFileInView} from '../review/select-review.ts';
import {selectPlanComments} from './comments.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {DiffComment, FieldPurpose, Model, OpenField, PlanComment} from './model.ts';
import {emptyField, toField} from './text-field.ts';

/**
 * Opens a field for a comment on the line under the cursor. An unsent comment there is opened for
 * editing.
 */
export function commentLine(model: Model, state: State, now: number): Result {
  if (model.screen === 'plan') {
    const run = reviewedRun(model, state);
    if (run === undefined)
      return noChange(withNotice(model, 'Only a plan that waits for you takes comments.', now));
    const entry = planEntryAt(model, state);
    if (entry?.item === undefined) return noChange(withNotice(model, explainNoLine(entry), now));
    const before = planCommentAt(model, run, state);
    const {line, source} = before ?? entry.item;
    return noChange(
      openCommentField(
        model,
        {what: 'comment-plan', run: run.id, plan: run.stage.proposal.hash, line, source},
        entry.name,
        before,
      ),
    );
  }

  const {diff} = model.answers;
  if (model.subject === undefined || diff === undefined || !('value' in diff))
    return noChange(model);
  if (model.reviewFocus === 'files') return noChange({...model, reviewFocus: 'diff'});
  const at = diffLineAt(model);
  if (at === undefined)
    return noChange(withNotice(model, 'Choose a line of code to comment on.', now));
  return noChange(
    openCommentField(
      model,
      {what: 'comment-diff', of: model.subject, path: at.path, line: at.line, text: at.source},
      `line ${at.line}`,
      diffCommentAt(model),
    ),
  );
}

function openCommentField(
  model: Model,
  purpose: FieldPurpose,
  place: string,
  before: {readonly text: string} | undefined,
): Model {
  return before === undefined
    ? openField(model, purpose, `On ${place}`, emptyField)
    : openField(model, purpose, `Edit, on ${place}`, toField(before.text));
}

/** Removes the unsent comment under the cursor. */
export function dropComment(model: Model, state: State, now: number): Result {
  const run = model.screen === 'plan' ? reviewedRun(model, state) : undefined;
  const [ofPlan, ofDiff] = [
    run === undefined ? undefined : planCommentAt(model, run, state),
    model.screen === 'review' ? diffCommentAt(model) : undefined,
  ];
  if (ofPlan === undefined && ofDiff === undefined)
    return noChange(
      withNotice(model, 'There is no comment of yours on this line that could be taken back.', now),
    );
  return noChange(
    withNotice(
      {
        ...model,
        planComments: model.planComments.filter((one) => one !== ofPlan),
        comments: model.comments.filter((one) => one !== ofDiff),
      },
      takenBackMessage,
      now,
    ),
  );
}

/**
 * Saves a comment with its line; an empty text removes the comment. The plan may have changed
 * meanwhile.
 */
export function saveComment(model: Model, field: OpenField, state: State, now: number): Result {
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
      return noChange({...closed, comments: [...others, {of, path, line, source, text}]});
    return noChange(
      others.length === model.comments.length
        ? closed
        : withNotice({...closed, comments: others}, takenBackMessage, now),
    );
  }

  if (purpose.what !== 'comment-plan') return noChange(model);
  const {run: id, plan, line, source} = purpose;
  const run = reviewedRun({run: id}, state);
  if (run?.stage.proposal.hash !== plan)
    return noChange(
      withNotice(
        model,
        'The plan has changed, so your comment was not saved. Escape discards it.',
        now,
        'bad',
      ),
    );
  const round = run.rounds.length;
  const before = selectPlanComments(model, run).find((one) => one.line === line);
  const others = model.planComments.filter((one) => one !== before);
  if (text !== '')
    return noChange(
      withNotice(
        {...closed, planComments: [...others, {run: id, round, plan, line, source, text}]},
        'Saved. It goes to the planner when you send the plan back.',
        now,
      ),
    );
  return noChange(
    before === undefined
      ? closed
      : withNotice({...closed, planComments: others}, takenBackMessage, now),
  );
}

const takenBackMessage = 'The comment is taken back.';

/** The unsent comment under the cursor. */
export function commentUnderCursor(
  model: Model,
  state: State,
): {readonly text: string} | undefined {
  if (model.screen === 'review')
    return model.reviewFocus === 'diff' ? diffCommentAt(model) : undefined;
  const run = model.screen === 'plan' ? reviewedRun(model, state) : undefined;
  return run === undefined ? undefined : planCommentAt(model, run, state);
}

type ReviewedRun = Run & {readonly stage: Extract<Run['stage'], {at: 'reviewing'}>};

function reviewedRun({run: id}: Pick<Model, 'run'>, state: State): ReviewedRun | undefined {
  const run = id === undefined ? undefined : selectRun(state, id);
  return run?.stage.at === 'reviewing' ? {...run, stage: run.stage} : undefined;
}

/** What the cursor of the plan screen is on. */
function planEntryAt(model: Model, state: State): PlanEntry | undefined {
  const plan = selectPlanScreen(model, state);
  return plan?.entries[plan.cursor];
}

function explainNoLine(entry: PlanEntry | undefined): string {
  switch (entry?.kind) {
    case 'rule':
      return 'A rule is no line of the plan, so it takes no comment. Rules are changed in .rulesfile.md.';
    case 'check':
      return 'A check of the rules is no line of the plan, so it takes no comment. It is changed in .rulesfile.md.';
    case 'note':
      return 'A note about the repository is no line of the plan, so it takes no comment.';
    default:
      return 'There is no line of the plan here.';
  }
}

/** The unsent comment on the entry under the cursor, also one that stands at the end of it. */
function planCommentAt(model: Model, run: ReviewedRun, state: State): PlanComment | undefined {
  const own = selectPlanComments(model, run);
  if (own.length === 0) return undefined;
  const plan = selectPlanScreen(model, state);
  const entry = plan?.entries[plan.cursor];
  if (plan === undefined || entry?.item === undefined) return undefined;
  const {item} = entry;
  return own.find(({line}) => line === item.line || plan.entryOfLine.get(line) === entry);
}

/** The line under the cursor, or that of the comment there. */
function diffLineAt(
  model: Model,
): {readonly path: string; readonly line: number; readonly source: string} | undefined {
  const inView = selectFileInView(model);
  const item = inView?.items.items[inView.cursor];
  if (inView === undefined || item === undefined) return undefined;
  const {path} = inView.file;
  switch (item.kind) {
    case 'context':
    case 'added':
    case 'removed':
      return {path, line: toLineNumber(item), source: item.source};
    case 'comment':
      return {path, line: item.comment.line, source: item.comment.source};
    case 'field':
      return model.field?.for.what === 'comment-diff'
        ? {path, line: item.line, source: model.field.for.text}
        : undefined;
    default:
      return undefined;
  }
}

function diffCommentAt(model: Model): DiffComment | undefined {
  const own = selectDiffComments(model);
  if (own.length === 0) return undefined;
  const at = diffLineAt(model);
  return own.find(
    ({path, line, source}) => path === at?.path && line === at.line && source === at.source,
  );
}

/**
 * Sends all comments on the diff in view, one batch for each task: as the hint of a new attempt
 * where one can be granted, else as a note.
 */
export function sendComments(model: Model, state: State, now: number): Result {
  const {subject} = model;
  const own = selectDiffComments(model);
  const run = subject === undefined ? undefined : selectRun(state, runIdIn(subject));
  if (subject === undefined || run === undefined || own.length === 0)
    return noChange(
      withNotice(
        model,
        `There is no comment yet. ${keyFor(model, 'comment-line', 'review')} writes one on the line under the cursor.`,
        now,
      ),
    );
  const targets = new Map<RunId | TaskId, DiffComment[]>();
  for (const comment of own) {
    const target = isTaskId(subject) ? subject : (findTaskThatChanged(run, comment.path) ?? run.id);
    targets.set(target, [...(targets.get(target) ?? []), comment]);
  }

  const batches = [...targets].map(([target, comments]) => ({
    comments,
    target,
    text: formatBatch(comments),
  }));
  const commands = batches.map(({target, text}) => toBatchCommand(run, target, text));
  // They stay in the model until the daemon has them, so that a lost connection loses none.
  const comments = model.comments.map((one) => {
    const sentAs = batches.find((batch) => batch.comments.includes(one))?.text;
    return sentAs === undefined ? one : {...one, sentAs};
  });
  return withCommands(
    withNotice({...model, comments}, formatSent(commands), now, 'good'),
    ...commands,
  );
}

function formatSent(commands: readonly UserCommand[]): string {
  const grants = commands.filter(({type}) => type === 'grant-attempt').length;
  if (grants === commands.length) return 'Sent: a new attempt takes up your comments.';
  return grants === 0
    ? 'Kept as notes: the next worker reads them.'
    : 'Sent; some are kept as notes for the next worker.';
}

/** The last merged task that changed the file. */
function findTaskThatChanged({tasks}: Run, path: string): TaskId | undefined {
  return tasks.findLast((task) => {
    const step = selectAttempt(task)?.step;
    return (
      task.stage.at === 'merged' &&
      step?.at === 'passed' &&
      step.change.files.some((file) => file.path === path)
    );
  })?.id;
}

function toBatchCommand(run: Run, target: RunId | TaskId, text: string): UserCommand {
  const stage = run.tasks.find(({id}) => id === target)?.stage.at;
  return isTaskId(target) && (stage === 'stopped' || stage === 'merged')
    ? {type: 'grant-attempt', task: target, hint: text}
    : {type: 'add-note', on: target, text};
}

/** Location, source line and comment, so that an agent finds the place even if lines have moved. */
function formatBatch(comments: readonly DiffComment[]): string {
  return [
    'Comments on your change:',
    ...comments.map(
      ({path, line, source, text}) =>
        `- ${path}:${line} \`${source.trim().slice(0, 120)}\`: ${text}`,
    ),
  ].join('\n');
}
