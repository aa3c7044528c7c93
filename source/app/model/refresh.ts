import {
  isTaskId,
  type RunId,
  selectAttempt,
  selectRun,
  selectTask,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import type {UiEffect} from '../app-contract.ts';
import {noChange, type Result, withEffects} from './action.ts';
import {askCard} from './accepted-run.ts';
import type {Model, ScreenName} from './model.ts';
import {askDaemon, askDiff, askTimeline, mayHaveCode} from './open-screen.ts';
import {selectPaneGrid} from './pane-grid.ts';
import {toReviewKey} from '../review/select-review.ts';

/** How often usage is requested again, and the data of a screen after events. */
const usageMs = 10_000;
const answerMs = 2000;
/**
 * No event tells when a one-time code expires or is replaced, so codes in view are requested again.
 */
const codesMs = 5000;

/** Requests the data in view that may be outdated; nothing while the terminal is not focused. */
export function refresh(model: Model, state: State, now: number): Result {
  if (!isVisible(model)) return noChange(model);
  const sessions = isDue(model.usageAt, usageMs, now) ? liveInView(model, state) : [];
  const answer = isAnswerDue(model, now) ? questionFor(model, state) : undefined;
  if (sessions.length === 0 && answer === undefined) return noChange(model);
  const next: Model = {
    ...model,
    ...(sessions.length === 0 ? {} : {usageAt: now}),
    ...(answer === undefined ? {} : {askedAt: now, isStale: false}),
  };
  return withEffects(
    next,
    ...(sessions.length === 0 ? [] : [askDaemon('usage', {about: 'usage', sessions})]),
    ...(answer === undefined ? [] : [answer]),
  );
}

/** Milliseconds until the next request is due. */
export function nextRefresh(model: Model, state: State, now: number): number | undefined {
  if (!isVisible(model)) return undefined;
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

/** An event happened: the data of the screen may be outdated. */
export function markStale(model: Model): Model {
  return model.isStale || !screensWithData.has(model.screen) ? model : {...model, isStale: true};
}

const screensWithData: ReadonlySet<ScreenName> = new Set<ScreenName>([
  'brief',
  'timeline',
  'services',
  'audit',
  'accepted',
  'review',
]);

function questionFor(model: Model, state: State): UiEffect | undefined {
  const {screen, run, answers} = model;
  switch (screen) {
    case 'brief':
      // For the same period as before: a refresh does not count as another visit.
      return answers.brief === undefined
        ? undefined
        : askDaemon('brief', {about: 'brief', since: answers.brief.since});
    case 'timeline':
      return askTimeline(model);
    case 'services':
      return askDaemon('facts', {about: 'facts'});
    case 'audit':
      return askDaemon('audit', {about: 'audit', ...(run === undefined ? {} : {run})});
    case 'accepted':
      // The summary of the run is written a moment later.
      return answers.accepted === undefined ? undefined : askCard(answers.accepted.run);
    case 'review':
      return model.subject !== undefined && isOutdated(model, state)
        ? askDiff(model.subject, model.against)
        : undefined;
    case 'needs':
      return showsCodes(model) ? askDaemon('codes', {about: 'codes'}) : undefined;
    default:
      return undefined;
  }
}

/** Whether the reviewed head of the run, or the tree or commit of the task, has changed. */
function isOutdated(model: Model, state: State): boolean {
  const {
    subject,
    answers: {diff},
  } = model;
  if (subject === undefined || diff?.of !== toReviewKey(model)) return false;
  const now = reviewedNow(state, subject);
  return now !== undefined && (!('value' in diff) || diff.value.to !== now);
}

function reviewedNow(state: State, subject: RunId | TaskId): string | undefined {
  if (!isTaskId(subject)) return selectRun(state, subject)?.head;
  const task = selectTask(state, subject);
  const step = task === undefined ? undefined : selectAttempt(task)?.step;
  if (step?.at === 'passed') return step.commit;
  return step !== undefined && 'change' in step ? step.change.tree : undefined;
}

function isVisible({connection, isAway}: Model): boolean {
  return connection.at === 'live' && !isAway;
}

function isDue(at: number, ms: number, now: number): boolean {
  // A clock that was set back must not stop it.
  return now - at >= ms || now < at;
}

function liveInView(model: Model, state: State): `s${number}`[] {
  return selectPaneGrid(model, state)
    .panes.filter(({isLive}) => isLive)
    .map(({session}) => session);
}
