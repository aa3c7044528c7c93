import {formatPlanLines} from '../../documents/index.ts';
import {isRunId, runOf, type Run, type State, type Wish} from '../../domain/index.ts';
import {saying} from './action.ts';
import {isCount} from './is-count.ts';
import type {Model, PlanComment} from './model.ts';

/** What the person wrote on the lines of this plan and has not sent yet, in the order of its lines. */
export function planComments(
  {planComments: comments}: Pick<Model, 'planComments'>,
  {id, rounds}: Run,
): readonly PlanComment[] {
  return comments
    .filter(({run, round, isSent}) => run === id && round === rounds.length && isSent !== true)
    .toSorted((a, b) => a.line - b.line);
}

/** They go to the daemon with the person's decision; until each is taken it stays in the model, so that none is lost with the connection. */
export function sendingComments(
  model: Model,
  run: Run,
): {readonly model: Model; readonly wishes: readonly Wish[]} {
  const own = planComments(model, run);
  const sent = model.planComments.map((one) =>
    own.includes(one) ? {...one, isSent: true as const} : one,
  );
  return {
    model: {...model, planComments: sent},
    wishes: own.map(({line, text}) => ({type: 'comment-plan', run: run.id, line, text})),
  };
}

/** What came of sending one: it is the daemon's, or the person's again. */
export function afterSending(
  model: Model,
  {run, line, text}: Extract<Wish, {type: 'comment-plan'}>,
  isTaken: boolean,
): Model {
  const isIt = (one: PlanComment): boolean =>
    one.isSent === true && one.run === run && one.line === line && one.text === text;
  return {
    ...model,
    planComments: isTaken
      ? model.planComments.filter((one) => !isIt(one))
      : model.planComments.map((one) => (isIt(one) ? unsent(one) : one)),
  };
}

/**
 * A new plan begins at its top, and nothing that was written about the one before is left of it. One that was only edited keeps
 * the place, and its comments go with their lines.
 */
export function withPlanKept(model: Model, state: State, now: number): Model {
  const kept = withPlaceOfPlan(model, state);
  // What was remembered waits for the daemon: before that nobody knows which plans there are.
  if (
    kept.planComments.length === 0 ||
    kept.connection.at !== 'live' ||
    kept.remembered !== undefined
  )
    return kept;
  const comments = kept.planComments.flatMap((one) => stillOn(runOf(state, one.run), one));
  const lost = kept.planComments.filter(
    (one) =>
      one.isSent !== true &&
      !comments.some(({run, round}) => run === one.run && round === one.round),
  );
  const next =
    comments.length === kept.planComments.length &&
    comments.every((one, index) => one === kept.planComments[index])
      ? kept
      : {...kept, planComments: comments};
  return lost.length === 0
    ? next
    : saying(
        next,
        `${lost.length === 1 ? 'Your comment was' : `Your ${lost.length} comments were`} not sent: the plan of ${lost[0]?.run ?? ''} does not wait any more.`,
        now,
        'bad',
      );
}

function withPlaceOfPlan(model: Model, state: State): Model {
  const run = model.run === undefined ? undefined : runOf(state, model.run);
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

function stillOn(run: Run | undefined, comment: PlanComment): readonly PlanComment[] {
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

/** Whatever was remembered: only what could have been written here. */
export function readPlanComments(value: unknown): readonly PlanComment[] {
  return (Array.isArray(value) ? value : [])
    .slice(0, mostRemembered)
    .flatMap((one: Partial<PlanComment> | null) => {
      const {run, round, plan, line, source, text} = one ?? {};
      const isWhole =
        typeof run === 'string' &&
        isRunId(run) &&
        isCount(round) &&
        typeof plan === 'string' &&
        isCount(line) &&
        typeof source === 'string' &&
        typeof text === 'string' &&
        text.trim() !== '';
      return isWhole ? [{run, round, plan, line, source, text}] : [];
    });
}

/** As they are remembered: those that are under way are the daemon's, or come back. */
export function rememberedComments(comments: readonly PlanComment[]): readonly PlanComment[] {
  return comments.filter(({isSent}) => isSent !== true).slice(-mostRemembered);
}

const mostRemembered = 200;

function unsent({run, round, plan, line, source, text}: PlanComment): PlanComment {
  return {run, round, plan, line, source, text};
}
