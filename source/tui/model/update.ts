import {isTaskId, needsOf, type State} from '../../domain/index.ts';
import type {UiEvent} from '../seam.ts';
import {only, saying, type Action, type Result} from './action.ts';
import {chooseKey} from './choose-key.ts';
import {withDiffCommentsKept} from './diff-comments.ts';
import {doDeed} from './do-deed.ts';
import {withText} from './fields.ts';
import {firstRow, focusedPane, isLiveSession, selectedRow} from './focus.ts';
import {hear} from './hear.ts';
import {houseRows, runInView} from './house-rows.ts';
import type {Model, ScreenName} from './model.ts';
import {withPlanKept} from './plan-comments.ts';
import {shownOf} from './shown-of.ts';
import {terminalsOf} from './terminals-of.ts';
import {typeInto} from './text-field.ts';

/** What follows from something that the person did, or that happened: the next model, wishes for the daemon, and effects. Pure. */
export function update(model: Model, action: Action | UiEvent, state: State, now: number): Result {
  const isKey = action.type === 'deed' || action.type === 'typed' || action.type === 'pressed';
  const isOwn = isKey || action.type === 'mouse-used' || action.type === 'pasted';
  const result = isKey ? act(model, action, state, now) : hear(model, action, state, now);
  return {...result, model: settle(result.model, state, now, isOwn)};
}

function act(model: Model, action: Action, state: State, now: number): Result {
  // Whatever was said before is read by now.
  const quiet: Model = {...model, notice: undefined};
  if (action.type === 'deed') return doDeed(quiet, action, state, now);
  if (action.type === 'pressed') return only(chooseKey(quiet, action.chord, now));
  const {field} = quiet;
  const text = field === undefined ? undefined : typeInto(field, action.key);
  if (field === undefined || text === undefined) return only(quiet);
  const written = withText(quiet, text);
  return only(field.for.what === 'palette' ? {...written, places: {...written.places, palette: {cursor: 0, top: 0}}} : written);
}

/** What has to be true after anything: the focus is on something that is there, typing goes to whom it was meant for, a new sight is noticed. */
function settle(given: Model, state: State, now: number, isOwn: boolean): Model {
  let model = withPlaceKept(withOwnTerminal(refocus(leaveTheEnded(given, state, now), state), state), state);
  // A screen that was opened before there was any run is about the first one that comes.
  const run = model.run ?? (aboutRuns.has(model.screen) ? runInView(state, undefined) : undefined);
  if (run !== undefined && run !== model.run) model = {...model, run};
  model = withDiffCommentsKept(withPlanKept(model, state, now), state, now);
  const need = needsOf(state).find(({id}) => id === model.need?.id) ?? model.need ?? (model.screen === 'needs' ? needsOf(state)[0] : undefined);
  if (need !== model.need) model = {...model, need};
  const shown = shownOf(model, state);
  if (shown === model.shown) return model;
  return isOwn ? {...model, shown} : {...model, shown, changedAt: now};
}

const aboutRuns: ReadonlySet<ScreenName> = new Set<ScreenName>(['plan', 'review', 'timeline', 'audit']);

/** A key that was meant for one program never reaches the next one in its place. */
function leaveTheEnded(model: Model, state: State, now: number): Model {
  if (model.mode === 'command' || model.into === undefined) return model;
  const isInView = focusedPane(model, state)?.session === model.into;
  if (isInView && (model.mode === 'scroll' || isLiveSession(state, model.into))) return model;
  return saying({...model, mode: 'command', into: undefined}, 'The program has ended; keys are commands again.', now);
}

/** A terminal that was asked for is one of the chosen task's own. */
function withOwnTerminal(model: Model, state: State): Model {
  if (model.terminal === undefined) return model;
  const isOwn = isTaskId(model.selected) && terminalsOf(state, model.selected).some(({id}) => id === model.terminal);
  return isOwn ? model : {...model, terminal: undefined};
}

/** Who looks at a pane goes on looking at it when it ends, beside the others as before. */
function withPlaceKept(model: Model, state: State): Model {
  const isKept = model.placed === model.selected || selectedRow(model, state)?.isPane === true;
  const placed = isKept ? model.selected : '';
  return placed === model.placed ? model : {...model, placed};
}

function refocus(model: Model, state: State): Model {
  const rows = houseRows(state, state.at);
  if (rows.some(({key}) => key === model.selected) || model.remembered !== undefined) return model;
  // Another task of the same run is nearer than anything else.
  const run = model.selected.split('.', 1)[0] ?? '';
  const selected = rows.find(({key}) => key === run)?.key ?? firstRow(state);
  // The zoom was for what is gone.
  return selected === model.selected ? model : {...model, selected, isZoomed: false};
}
