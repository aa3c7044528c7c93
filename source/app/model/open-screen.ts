import {
  isTaskId,
  type RunId,
  runIdIn,
  selectOpenRuns,
  selectRun,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import type {UiEffect} from '../app-contract.ts';
import {inCommandMode, noChange, type Result, withEffects} from './action.ts';
import {runInView, sidebarRows} from './sidebar-rows.ts';
import type {Model, ScreenName} from './model.ts';
import {selectNextNeed} from './needs-queue.ts';
import {atTheEnd, withPlace} from './places.ts';
import {reviewContext} from '../review/diff-items.ts';
import {toReviewKey} from '../review/select-review.ts';
import {listVariants, selectCompared, selectMarkedVariant} from '../select/variants-view.ts';

/** Opens a screen, remembers the way back, and requests the data that it shows. */
export function openScreen(model: Model, screen: ScreenName, state: State): Result {
  const trail =
    model.screen === screen
      ? model.trail
      : [...model.trail, model.screen]
          .filter((one) => one !== screen && !(screen === 'workers' && momentScreens.has(one)))
          .slice(-8);
  // The timeline opens at its latest entry.
  const places =
    screen === 'timeline' && model.screen !== 'timeline'
      ? {...model.places, timeline: atTheEnd}
      : model.places;
  return enterScreen(
    {
      ...model,
      places,
      trail,
      screen,
      mode: 'command',
      typingSession: undefined,
      field: undefined,
      confirmation: undefined,
      rebinding: undefined,
      help: undefined,
    },
    state,
  );
}

/** Screens that greet or report. From Work no way leads back to them. */
const momentScreens: ReadonlySet<ScreenName> = new Set<ScreenName>(['brief', 'accepted']);

/** Home is Work, or the start screen before the first run. */
function homeScreen(state: State): 'workers' | 'start' {
  return sidebarRows(state, state.at).length === 0 ? 'start' : 'workers';
}

export function isHome({screen, isZoomed, repository}: Model, state: State): boolean {
  if (repository.trouble !== undefined) return screen === 'start';
  return screen === homeScreen(state) && !isZoomed;
}

export function goHome(model: Model, state: State): Result {
  const home = model.repository.trouble === undefined ? homeScreen(state) : 'start';
  return enterScreen(
    {...inCommandMode(model), screen: home, trail: [], isZoomed: false, field: undefined},
    state,
  );
}

/** Goes back to the previous screen, or to the workers. */
export function goBack(model: Model, state: State): Result {
  if (model.screen === 'knowledge' && model.reviewFocus === 'diff')
    return noChange({...model, reviewFocus: 'files'});
  if (model.screen === 'workers' && model.isZoomed) return noChange({...model, isZoomed: false});
  const screen = model.trail.at(-1) ?? 'workers';
  return enterScreen(
    {
      ...model,
      screen,
      trail: model.trail.slice(0, -1),
      field: undefined,
      confirmation: undefined,
      help: undefined,
    },
    state,
  );
}

export function enterScreen(model: Model, state: State): Result {
  const run = selectRunForScreen(model, state);
  const on: Model = {
    ...model,
    isStale: false,
    isArriving: model.isArriving && model.screen === 'brief',
    ...(run === undefined ? {} : {run}),
  };
  switch (model.screen) {
    case 'start':
      // Without a repository there is no daemon to ask.
      return model.repository.trouble === undefined
        ? withEffects(
            on,
            askDaemon('skills', {about: 'skills'}),
            askSharing,
            askDaemon('repository', {
              about: 'repository',
              ...(model.repository.checkout === undefined
                ? {}
                : {checkout: model.repository.checkout}),
            }),
          )
        : noChange(on);
    case 'plan':
      return withEffects(on, askSharing);
    case 'brief':
      return withEffects(on, askDaemon('brief', {about: 'brief', stay: true}));
    case 'review':
      return openReview({...on, reviewFocus: 'diff'}, subjectFor(on, state));
    case 'variants':
      return noChange(showVariants(on, state));
    case 'timeline':
      return withEffects(on, askTimeline(on));
    case 'audit':
      return withEffects(
        on,
        askDaemon('audit', {about: 'audit', ...(run === undefined ? {} : {run})}),
      );
    case 'services':
      return withEffects(on, askDaemon('facts', {about: 'facts'}));
    case 'knowledge':
      return noChange({...on, reviewFocus: 'files'});
    case 'needs':
      return showNeed(on, on.need ?? selectNextNeed(state, undefined, 1));
    default:
      return noChange(on);
  }
}

/**
 * The run that a screen shows. The plan screen prefers a run whose plan waits to one without a
 * plan.
 */
export function selectRunForScreen(model: Model, state: State): RunId | undefined {
  const run = runInView(state, selectSubjectKey(model, state));
  const stage = run === undefined ? undefined : selectRun(state, run)?.stage;
  if (model.screen !== 'plan' || stage === undefined || 'proposal' in stage) return run;
  return selectOpenRuns(state).find((one) => one.stage.at === 'reviewing')?.id ?? run;
}

export function askDaemon(
  name: string,
  question: Extract<UiEffect, {type: 'ask'}>['question'],
): UiEffect {
  return {type: 'ask', name, question};
}

/** Requests which dependencies of the checkout tasks would not get. */
export const askSharing: UiEffect = askDaemon('sharing', {about: 'dependencies'});

export function askTimeline({run, showsAllEvents}: Model): UiEffect {
  return askDaemon('timeline', {
    about: 'timeline',
    limit: 500,
    ...(run === undefined ? {} : {run}),
    ...(showsAllEvents ? {all: true} : {}),
  });
}

/**
 * Requests what a run or task changed, or how it differs from another task, with the unchanged
 * lines that folds open.
 */
export function askDiff(of: RunId | TaskId, against?: TaskId): UiEffect {
  return askDaemon(`diff/${toReviewKey({subject: of, against})}`, {
    about: 'diff',
    of,
    context: reviewContext,
    ...(against === undefined ? {} : {against}),
  });
}

/** What the person looked at before they opened the screen. */
function selectSubjectKey(model: Model, state: State): string | undefined {
  const {screen, trail, need, selected, subject, run} = model;
  const before = trail.at(-1);
  if (screen === 'accepted') return run;
  if ((screen === 'needs' || before === 'needs') && need !== undefined) {
    if ('run' in need) return need.run;
    if ('task' in need) return need.task;
    return 'owner' in need ? need.owner : selected;
  }

  if (before === 'review') return subject;
  if (before === 'variants') return selectMarkedVariant(model, state)?.id ?? run;
  return before === 'workers' || run === undefined ? selected : run;
}

function subjectFor(model: Model, state: State): RunId | TaskId | undefined {
  const about = selectSubjectKey(model, state);
  if (
    about !== undefined &&
    isTaskId(about) &&
    (selectRun(state, runIdIn(about))?.tasks.find(({id}) => id === about)?.attempts.length ?? 0) > 0
  )
    return about;
  const run = model.run === undefined ? undefined : selectRun(state, model.run);
  return run === undefined || run.tasks.length === 0 ? undefined : run.id;
}

/**
 * Shows the diff of a run or task, or how it differs from another variant. For another subject the
 * cursor starts at the top.
 */
export function openReview(
  model: Model,
  subject: RunId | TaskId | undefined,
  against?: TaskId,
): Result {
  if (subject === undefined) return noChange({...model, subject: undefined, against: undefined});
  const start = {cursor: 0, top: 0};
  const next: Model =
    model.subject === subject && model.against === against
      ? model
      : {
          ...model,
          subject,
          against,
          openFolds: new Map(),
          places: {...model.places, files: start, diff: start},
        };
  return withEffects(next, askDiff(subject, against));
}

/** Shows the variants of what the person looked at. For other variants the cursor starts at the top. */
function showVariants(model: Model, state: State): Model {
  const run = model.run === undefined ? undefined : selectRun(state, model.run);
  const about = selectSubjectKey(model, state);
  const compared = selectCompared(about, run, state);
  if (compared === model.compared) return model;
  const cursor = listVariants(compared, state).findIndex(({id}) => id === about);
  return withPlace({...model, compared}, 'variants', {cursor: Math.max(0, cursor), top: 0});
}

/** Shows a need and requests details about it. */
export function showNeed(model: Model, need: Model['need']): Result {
  const next: Model = {
    ...model,
    need,
    decided: undefined,
    screen: 'needs',
    places: {...model.places, need: {cursor: 0, top: 0}},
  };
  if (mayHaveCode(need)) return withEffects(next, askDaemon('codes', {about: 'codes'}));
  const of = explainedBy(need);
  return of === undefined
    ? noChange(next)
    : withEffects(
        next,
        askDaemon(`explanation/${of}`, {about: 'explanation', of}),
        ...(need?.kind === 'stopped' ? [askDaemon(`change/${of}`, {about: 'diff', of})] : []),
      );
}

/**
 * Whether an unknown process sent the command: it may be the person in another terminal, who then
 * needs a one-time code.
 */
export function mayHaveCode(need: Model['need']): boolean {
  return need?.kind === 'intrusion' && need.session === 's0';
}

/** The run or task whose explanation belongs to the need. */
function explainedBy(need: Model['need']): string | undefined {
  switch (need?.kind) {
    case 'stopped':
      return need.task;
    case 'trouble':
      return need.owner;
    case 'parked':
    case 'planless':
      return need.run;
    default:
      return undefined;
  }
}
