import {isTaskId, needsOf, type State} from '../../domain/index.ts';
import type {UiEvent} from '../seam.ts';
import {only, saying, type Action, type Result} from './action.ts';
import {chooseKey} from './choose-key.ts';
import {isTooEarly} from './contexts-of.ts';
import {withDiffCommentsKept} from './diff-comments.ts';
import {doDeed} from './do-deed.ts';
import {withText} from './fields.ts';
import {firstRow} from './focus.ts';
import {hear} from './hear.ts';
import {houseRows, runInView} from './house-rows.ts';
import type {Model, ScreenName} from './model.ts';
import {withPlanKept} from './plan-comments.ts';
import {shownOf} from './shown-of.ts';
import {terminalsOf} from './terminals-of.ts';
import {typeInto} from './text-field.ts';
import {leaveTheEnded, typeIntoOpened} from './type-into.ts';

/** What follows from something that the person did, or that happened: the next model, wishes for the daemon, and effects. Pure. */
export function update(model: Model, given: Action | UiEvent, state: State, now: number): Result {
  // What is pasted or clicked before anything is known means as little as a key does then.
  const action: Action | UiEvent =
    isTooEarly(model) &&
    (given.type === 'pasted' || (given.type === 'mouse-used' && given.mouse.action === 'press'))
      ? {type: 'early'}
      : given;
  const isKey =
    action.type === 'deed' ||
    action.type === 'typed' ||
    action.type === 'pressed' ||
    action.type === 'early';
  const isOwn = isKey || action.type === 'mouse-used' || action.type === 'pasted';
  const result = isKey ? act(model, action, state, now) : hear(model, action, state, now);
  return {...result, model: settle(result.model, state, now, isOwn)};
}

function act(model: Model, action: Action, state: State, now: number): Result {
  // Whatever was said before is read by now.
  const quiet: Model = {...model, notice: undefined};
  if (action.type === 'deed') return doDeed(quiet, action, state, now);
  if (action.type === 'early') return only(saying(quiet, tooEarly, now));
  if (action.type === 'pressed') return only(chooseKey(quiet, action.chord, now));
  const {field} = quiet;
  const text = field === undefined ? undefined : typeInto(field, action.key);
  if (field === undefined || text === undefined) return only(quiet);
  const written = withText(quiet, text);
  return only(
    field.for.what === 'palette'
      ? {...written, places: {...written.places, palette: {cursor: 0, top: 0}}}
      : written,
  );
}

const tooEarly =
  'What you typed did nothing: the daemon was still being looked for. Type it when it is there.';

/** What has to be true after anything: the focus is on something that is there, typing goes to whom it was meant for, a new sight is noticed. */
function settle(given: Model, state: State, now: number, isOwn: boolean): Model {
  let model = withOwnTerminal(
    refocus(typeIntoOpened(leaveTheEnded(given, state, now), state), state),
    state,
  );
  // A screen that was opened before there was any run is about the first one that comes.
  const run = model.run ?? (aboutRuns.has(model.screen) ? runInView(state, undefined) : undefined);
  if (run !== undefined && run !== model.run) model = {...model, run};
  model = withDiffCommentsKept(withPlanKept(model, state, now), state, now);
  const need =
    needsOf(state).find(({id}) => id === model.need?.id) ??
    model.need ??
    (model.screen === 'needs' ? needsOf(state)[0] : undefined);
  if (need !== model.need) model = {...model, need};
  const shown = shownOf(model, state);
  // Whoever was typing goes on for a moment: what decides waits for it.
  if (given.mode === 'typing' && model.mode === 'command' && !isOwn)
    return {...model, shown, changedAt: now};
  if (shown === model.shown) return model;
  return isOwn ? {...model, shown} : {...model, shown, changedAt: now};
}

const aboutRuns: ReadonlySet<ScreenName> = new Set<ScreenName>([
  'plan',
  'review',
  'timeline',
  'audit',
]);

/** A terminal that was asked for is one of the chosen task's own. */
function withOwnTerminal(model: Model, state: State): Model {
  if (model.terminal === undefined) return model;
  const isOwn =
    isTaskId(model.selected) &&
    terminalsOf(state, model.selected).some(({id}) => id === model.terminal);
  return isOwn ? model : {...model, terminal: undefined};
}

function refocus(model: Model, state: State): Model {
  const rows = houseRows(state, state.at);
  // What was just asked for comes; the daemon may answer before its events are here.
  if (
    rows.some(({key}) => key === model.selected) ||
    model.remembered !== undefined ||
    model.opening?.session === model.selected
  )
    return model;
  // Another task of the same run is nearer than anything else.
  const run = model.selected.split('.', 1)[0] ?? '';
  const selected = rows.find(({key}) => key === run)?.key ?? firstRow(state);
  // The zoom was for what is gone.
  return selected === model.selected ? model : {...model, selected, isZoomed: false};
}
