import {
  isTaskId,
  openRunsOf,
  runIdIn,
  runOf,
  type RunId,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import type {UiEffect} from '../seam.ts';
import {doing, only, type Result} from './action.ts';
import {runInView} from './house-rows.ts';
import type {Model, ScreenName} from './model.ts';
import {neighbourOf} from './needs-queue.ts';
import {atTheEnd} from './places.ts';

/** Goes to a screen, with the way back; what it shows is asked for at once. */
export function openScreen(model: Model, screen: ScreenName, state: State): Result {
  const trail =
    model.screen === screen
      ? model.trail
      : [...model.trail.filter((one) => one !== screen), model.screen].slice(-8);
  // The latest is last, and what one comes for.
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
      into: undefined,
      field: undefined,
      asking: undefined,
      pressing: undefined,
    },
    state,
  );
}

/** To the brief, after having been away: by asking for it the person has come. */
export function comeBack(model: Model, state: State): Result {
  return doing(
    enterScreen({...model, screen: 'brief'}, state).model,
    ask('brief', {about: 'brief'}),
  );
}

/** Back to where one came from; from nowhere to the workers. */
export function goBack(model: Model, state: State): Result {
  if (model.screen === 'knowledge' && model.side === 'diff') return only({...model, side: 'files'});
  if (model.screen === 'workers' && model.isZoomed) return only({...model, isZoomed: false});
  const screen = model.trail.at(-1) ?? 'workers';
  return enterScreen(
    {...model, screen, trail: model.trail.slice(0, -1), field: undefined, asking: undefined},
    state,
  );
}

export function enterScreen(model: Model, state: State): Result {
  const run = runFor(model, state);
  const on: Model = {...model, isStale: false, ...(run === undefined ? {} : {run})};
  switch (model.screen) {
    case 'start':
      // Where there is no repository there is nobody to ask.
      return model.repository.trouble === undefined
        ? doing(
            on,
            ask('skills', {about: 'skills'}),
            askSharing,
            ask('repository', {
              about: 'repository',
              ...(model.repository.checkout === undefined
                ? {}
                : {checkout: model.repository.checkout}),
            }),
          )
        : only(on);
    case 'plan':
      return doing(on, askSharing);
    case 'brief':
      return doing(on, ask('brief', {about: 'brief', stay: true}));
    case 'review':
      return review({...on, side: 'diff'}, subjectFor(on, state));
    case 'timeline':
      return doing(on, askTimeline(on));
    case 'audit':
      return doing(on, ask('audit', {about: 'audit', ...(run === undefined ? {} : {run})}));
    case 'services':
      return doing(on, ask('facts', {about: 'facts'}));
    case 'knowledge':
      return only({...on, side: 'files'});
    case 'needs':
      return showNeed(on, on.need ?? neighbourOf(state, undefined, 1));
    default:
      return only(on);
  }
}

/** The run that a screen is about. For a plan it is rather one that has a plan, best one that waits, than one that has none. */
export function runFor(model: Model, state: State): RunId | undefined {
  const run = runInView(state, aboutOf(model));
  const stage = run === undefined ? undefined : runOf(state, run)?.stage;
  if (model.screen !== 'plan' || stage === undefined || 'proposal' in stage) return run;
  return openRunsOf(state).find((one) => one.stage.at === 'reviewing')?.id ?? run;
}

export function ask(
  name: string,
  question: Extract<UiEffect, {type: 'ask'}>['question'],
): UiEffect {
  return {type: 'ask', name, question};
}

/** What of the checkout the tasks would not have. */
export const askSharing: UiEffect = ask('sharing', {about: 'dependencies'});

export function askTimeline({run, showsAllEvents}: Model): UiEffect {
  return ask('timeline', {
    about: 'timeline',
    limit: 500,
    ...(run === undefined ? {} : {run}),
    ...(showsAllEvents ? {all: true} : {}),
  });
}

/** What the person was looking at when they asked for another screen. */
function aboutOf({screen, trail, need, selected, subject, run}: Model): string | undefined {
  const before = trail.at(-1);
  if ((screen === 'needs' || before === 'needs') && need !== undefined)
    return 'run' in need
      ? need.run
      : 'task' in need
        ? need.task
        : 'owner' in need
          ? need.owner
          : selected;
  if (before === 'review') return subject;
  return before === 'workers' || run === undefined ? selected : run;
}

function subjectFor(model: Model, state: State): RunId | TaskId | undefined {
  const about = aboutOf(model);
  if (
    about !== undefined &&
    isTaskId(about) &&
    (runOf(state, runIdIn(about))?.tasks.find(({id}) => id === about)?.attempts.length ?? 0) > 0
  )
    return about;
  const run = model.run === undefined ? undefined : runOf(state, model.run);
  return run === undefined || run.tasks.length === 0 ? undefined : run.id;
}

/** Shows what the subject changed; the cursor begins at the top unless it is the same again. */
export function review(model: Model, subject: RunId | TaskId | undefined): Result {
  if (subject === undefined) return only({...model, subject: undefined});
  const start = {cursor: 0, top: 0};
  const places =
    model.subject === subject ? model.places : {...model.places, files: start, diff: start};
  return doing({...model, subject, places}, ask(`diff/${subject}`, {about: 'diff', of: subject}));
}

/** Puts a need on the screen, and asks for what there is to know about it. */
export function showNeed(model: Model, need: Model['need']): Result {
  const next: Model = {
    ...model,
    need,
    screen: 'needs',
    places: {...model.places, need: {cursor: 0, top: 0}},
  };
  if (mayHaveCode(need)) return doing(next, ask('codes', {about: 'codes'}));
  const of = explainedBy(need);
  return of === undefined
    ? only(next)
    : doing(next, ask(`explanation/${of}`, {about: 'explanation', of}));
}

/** Somebody asked who is no known session: it may be the person, elsewhere. */
export function mayHaveCode(need: Model['need']): boolean {
  return need?.kind === 'intrusion' && need.session === 's0';
}

/** What the daemon can explain about it, if the need itself does not say everything. */
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
