import {formatPlanLines} from '../../plan/index.ts';
import {
  isRunId,
  isTaskId,
  type Run,
  runIdIn,
  selectRun,
  type State,
  type UserCommand,
} from '../../domain/index.ts';
import {withNotice} from './action.ts';
import type {DiffComment, Model, PlanComment} from './model.ts';

/** Unsent comments on this plan, in the order of its lines. */
export function selectPlanComments(
  {planComments: comments}: Pick<Model, 'planComments'>,
  {id, rounds}: Run,
): readonly PlanComment[] {
  return comments
    .filter(({run, round, isSent}) => run === id && round === rounds.length && isSent !== true)
    .toSorted((a, b) => a.line - b.line);
}

/**
 * Comments are sent with the decision of the person. Each stays in the model until the daemon has
 * it, so that a lost connection loses none.
 */
export function sendPlanComments(
  model: Model,
  run: Run,
): {readonly model: Model; readonly commands: readonly UserCommand[]} {
  const own = selectPlanComments(model, run);
  const sent = model.planComments.map((one) =>
    own.includes(one) ? {...one, isSent: true as const} : one,
  );
  return {
    model: {...model, planComments: sent},
    commands: own.map(({line, text}) => ({type: 'comment-plan', run: run.id, line, text})),
  };
}

/** After sending a comment: remove it if the daemon took it, else mark it as unsent. */
export function settlePlanComment(
  model: Model,
  {run, line, text}: Extract<UserCommand, {type: 'comment-plan'}>,
  isTaken: boolean,
): Model {
  const isIt = (one: PlanComment): boolean =>
    one.isSent === true && one.run === run && one.line === line && one.text === text;
  return {
    ...model,
    planComments: isTaken
      ? model.planComments.filter((one) => !isIt(one))
      : model.planComments.map((one) => (isIt(one) ? unsentPlanComment(one) : one)),
  };
}

/**
 * Keeps comments in step with their plans. A new plan starts at its top, without the comments on
 * the one before. An edited plan keeps the cursor, and its comments move with their lines.
 */
export function retainPlanComments(model: Model, state: State, now: number): Model {
  const current = resetPlanPlace(model, state);
  // Before the daemon has answered, it is unknown which plans exist.
  if (
    current.planComments.length === 0 ||
    current.connection.at !== 'live' ||
    current.remembered !== undefined
  )
    return current;
  const comments = current.planComments.flatMap((one) =>
    moveToLine(selectRun(state, one.run), one),
  );
  const lost = current.planComments.filter(
    (one) =>
      one.isSent !== true &&
      !comments.some(({run, round}) => run === one.run && round === one.round),
  );
  const next =
    comments.length === current.planComments.length &&
    comments.every((one, index) => one === current.planComments[index])
      ? current
      : {...current, planComments: comments};
  return lost.length === 0
    ? next
    : withNotice(
        next,
        `${lost.length === 1 ? 'Your comment was' : `Your ${lost.length} comments were`} ` +
          `not sent: the plan of ${lost[0]?.run ?? ''} does not wait any more.`,
        now,
        'bad',
      );
}

function resetPlanPlace(model: Model, state: State): Model {
  const run = model.run === undefined ? undefined : selectRun(state, model.run);
  if (run === undefined || !('proposal' in run.stage)) return model;
  const planned = `${run.id}/${run.rounds.length}`;
  if (planned === model.planned) return model;
  return {
    ...model,
    planned,
    draft: undefined,
    places: {...model.places, plan: {cursor: 0, top: 0}},
  };
}

function moveToLine(run: Run | undefined, comment: PlanComment): readonly PlanComment[] {
  if (run?.stage.at !== 'reviewing' || run.rounds.length !== comment.round) return [];
  const {plan, hash} = run.stage.proposal;
  if (hash === comment.plan) return [comment];
  const lines = formatPlanLines(plan);
  const same = lines
    .filter(({text}) => text === comment.source)
    .toSorted((a, b) => Math.abs(a.number - comment.line) - Math.abs(b.number - comment.line))[0];
  const line = same ?? lines[Math.min(lines.length, comment.line) - 1];
  return line === undefined ? [] : [{...comment, plan: hash, line: line.number, source: line.text}];
}

/** Reads saved comments and drops invalid ones. */
export function parsePlanComments(value: unknown): readonly PlanComment[] {
  return (Array.isArray(value) ? value : [])
    .slice(0, maxStoredPlanComments)
    .flatMap((one: Partial<PlanComment> | null) => {
      const {run, round, plan, line, source, text} = one ?? {};
      const isWhole =
        typeof run === 'string' &&
        isRunId(run) &&
        isPositiveInteger(round) &&
        typeof plan === 'string' &&
        isPositiveInteger(line) &&
        typeof source === 'string' &&
        typeof text === 'string' &&
        text.trim() !== '';
      return isWhole ? [{run, round, plan, line, source, text}] : [];
    });
}

/**
 * The comments to save. Those being sent are excluded: the daemon takes them or they become unsent
 * again.
 */
export function toStoredPlanComments(comments: readonly PlanComment[]): readonly PlanComment[] {
  return comments.filter(({isSent}) => isSent !== true).slice(-maxStoredPlanComments);
}

const maxStoredPlanComments = 200;

function unsentPlanComment({run, round, plan, line, source, text}: PlanComment): PlanComment {
  return {run, round, plan, line, source, text};
}

/** After sending a batch: remove its comments if the daemon took it, else mark them as unsent. */
export function settleDiffComments(model: Model, command: UserCommand, isTaken: boolean): Model {
  const text = textOfBatch(command);
  if (text === undefined || !model.comments.some(({sentAs}) => sentAs === text)) return model;
  return {
    ...model,
    comments: isTaken
      ? model.comments.filter(({sentAs}) => sentAs !== text)
      : model.comments.map((one) => (one.sentAs === text ? unsentDiffComment(one) : one)),
  };
}

function textOfBatch(command: UserCommand): string | undefined {
  if (command.type === 'grant-attempt') return command.hint;
  return command.type === 'add-note' ? command.text : undefined;
}

/**
 * Drops comments on runs that are accepted or discarded, and shows a notice if some were unsent.
 */
export function retainDiffComments(model: Model, state: State, now: number): Model {
  // Before the daemon has answered, it is unknown which runs exist.
  if (
    model.comments.length === 0 ||
    model.connection.at !== 'live' ||
    model.remembered !== undefined
  )
    return model;
  const comments = model.comments.filter(({of}) => isOpenSubject(state, of));
  if (comments.length === model.comments.length) return model;
  const lost = model.comments.filter((one) => one.sentAs === undefined && !comments.includes(one));
  const next = {...model, comments};
  return lost.length === 0
    ? next
    : withNotice(
        next,
        `${lost.length === 1 ? 'Your comment' : `Your ${lost.length} comments`} on ` +
          `${lost[0]?.of ?? ''} ${lost.length === 1 ? 'was' : 'were'} not sent: it is over.`,
        now,
        'bad',
      );
}

function isOpenSubject(state: State, of: DiffComment['of']): boolean {
  const run = selectRun(state, runIdIn(of));
  if (run === undefined || run.stage.at === 'accepted' || run.stage.at === 'discarded')
    return false;
  return !isTaskId(of) || run.tasks.some(({id, stage}) => id === of && stage.at !== 'discarded');
}

/** Reads saved comments and drops invalid ones. */
export function parseDiffComments(value: unknown): readonly DiffComment[] {
  return (Array.isArray(value) ? value : [])
    .slice(0, maxStoredDiffComments)
    .flatMap((one: Partial<DiffComment> | null) => {
      const {of, path, line, source, text} = one ?? {};
      const isWhole =
        typeof of === 'string' &&
        (isRunId(of) || isTaskId(of)) &&
        typeof path === 'string' &&
        isPositiveInteger(line) &&
        typeof source === 'string' &&
        typeof text === 'string' &&
        text.trim() !== '';
      return isWhole ? [{of, path, line, source, text}] : [];
    });
}

/**
 * The comments to save. Those being sent are excluded: the daemon takes them or they become unsent
 * again.
 */
export function toStoredDiffComments(comments: readonly DiffComment[]): readonly DiffComment[] {
  return comments.filter(({sentAs}) => sentAs === undefined).slice(-maxStoredDiffComments);
}

const maxStoredDiffComments = 200;

function unsentDiffComment({of, path, line, source, text}: DiffComment): DiffComment {
  return {of, path, line, source, text};
}

/** Line numbers and rounds count from 1. */
export function isPositiveInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
