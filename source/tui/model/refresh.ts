import {
  attemptOf,
  isTaskId,
  runOf,
  taskOf,
  type RunId,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import type {UiEffect} from '../seam.ts';
import {doing, only, type Result} from './action.ts';
import type {Model, ScreenName} from './model.ts';
import {ask, askTimeline, mayHaveCode} from './open-screen.ts';
import {plotOf} from './plot-of.ts';

/** What panes use of the machine is asked for again so often, and what a screen was told when something has happened since. */
const usageMs = 10_000;
const answerMs = 2000;
/** Nothing happens when a code is asked for anew, or is too old: it is asked for while it is looked at. */
const codesMs = 5000;

/** Asks for what is in view and may be otherwise by now. Nobody looks: nothing is asked. */
export function refresh(model: Model, state: State, now: number): Result {
  if (!isLookedAt(model)) return only(model);
  const sessions = isDue(model.usageAt, usageMs, now) ? liveInView(model, state) : [];
  const answer = isAnswerDue(model, now) ? questionFor(model, state) : undefined;
  if (sessions.length === 0 && answer === undefined) return only(model);
  const next: Model = {
    ...model,
    ...(sessions.length === 0 ? {} : {usageAt: now}),
    ...(answer === undefined ? {} : {askedAt: now, isStale: false}),
  };
  return doing(
    next,
    ...(sessions.length === 0 ? [] : [ask('usage', {about: 'usage', sessions})]),
    ...(answer === undefined ? [] : [answer]),
  );
}

/** In how many ms there is something to ask for. */
export function nextRefresh(model: Model, state: State, now: number): number | undefined {
  if (!isLookedAt(model)) return undefined;
  const waits = [
    ...(liveInView(model, state).length === 0 ? [] : [model.usageAt + usageMs - now]),
    ...(model.isStale && questionFor(model, state) !== undefined
      ? [model.askedAt + answerMs - now]
      : []),
    ...(showsCodes(model) ? [model.askedAt + codesMs - now] : []),
  ];
  return waits.length === 0 ? undefined : Math.max(1, Math.min(...waits));
}

function isAnswerDue(model: Model, now: number): boolean {
  return (
    (model.isStale && isDue(model.askedAt, answerMs, now)) ||
    (showsCodes(model) && isDue(model.askedAt, codesMs, now))
  );
}

function showsCodes({screen, need}: Model): boolean {
  return screen === 'needs' && mayHaveCode(need);
}

/** Something happened: what was told before may be wrong now. */
export function grownStale(model: Model): Model {
  return model.isStale || !aging.has(model.screen) ? model : {...model, isStale: true};
}

const aging: ReadonlySet<ScreenName> = new Set<ScreenName>([
  'brief',
  'timeline',
  'services',
  'audit',
  'review',
]);

function questionFor(model: Model, state: State): UiEffect | undefined {
  const {screen, run, answers} = model;
  switch (screen) {
    case 'brief':
      // Since the same moment as before: having looked is not looking again.
      return answers.brief === undefined
        ? undefined
        : ask('brief', {about: 'brief', since: answers.brief.since});
    case 'timeline':
      return askTimeline(model);
    case 'services':
      return ask('facts', {about: 'facts'});
    case 'audit':
      return ask('audit', {about: 'audit', ...(run === undefined ? {} : {run})});
    case 'review':
      return isOutdated(model, state)
        ? ask(`diff/${model.subject ?? ''}`, {about: 'diff', of: model.subject ?? ''})
        : undefined;
    case 'needs':
      return showsCodes(model) ? ask('codes', {about: 'codes'}) : undefined;
    default:
      return undefined;
  }
}

/** What is compared has moved on: the run's head, or what its task was captured or committed as. */
function isOutdated({subject, answers: {diff}}: Model, state: State): boolean {
  if (subject === undefined || diff?.of !== subject) return false;
  const now = reviewedNow(state, subject);
  return now !== undefined && (!('value' in diff) || diff.value.to !== now);
}

function reviewedNow(state: State, subject: RunId | TaskId): string | undefined {
  if (!isTaskId(subject)) return runOf(state, subject)?.head;
  const task = taskOf(state, subject);
  const step = task === undefined ? undefined : attemptOf(task)?.step;
  if (step?.at === 'passed') return step.commit;
  return step !== undefined && 'change' in step ? step.change.tree : undefined;
}

function isLookedAt({connection, isAway}: Model): boolean {
  return connection.at === 'live' && !isAway;
}

function isDue(at: number, ms: number, now: number): boolean {
  // A clock that was set back must not stop it.
  return now - at >= ms || now < at;
}

function liveInView(model: Model, state: State): `s${number}`[] {
  return plotOf(model.size, model, state)
    .panes.filter(({isLive}) => isLive)
    .map(({session}) => session);
}
