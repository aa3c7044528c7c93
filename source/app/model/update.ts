import {isTaskId, runIdIn, selectNeeds, selectRun, type State} from '../../domain/index.ts';
import type {UiEvent} from '../app-contract.ts';
import {
  type Action,
  noChange,
  type Result,
  selectDecisionSubject,
  withFieldText,
  withNotice,
} from './action.ts';
import {formatChord} from '../keymap/chord.ts';
import {keyFor} from '../keymap/key-for.ts';
import {finishRebinding} from '../keymap/rebind.ts';
import {isBeforeFirstFrame} from '../keymap/resolve.ts';
import {retainDiffComments, retainPlanComments} from './comments.ts';
import {withFirstHint} from './first-hints.ts';
import {handleAction} from './handle-action.ts';
import {firstRow, selectSlots} from './pane-grid.ts';
import {handleEvent} from './handle-event.ts';
import {runInView, sidebarRows} from './sidebar-rows.ts';
import type {Model, ScreenName} from './model.ts';
import {retainDiffCursor} from './move-in-review.ts';
import {selectTerminals} from './select-terminals.ts';
import {unmoved} from '../select/palette.ts';
import {applyKey} from './text-field.ts';
import {leaveEndedSession, startTypingIntoOpened} from './typing.ts';
import {isOpenNeed, selectNextNeed} from './needs-queue.ts';
import {goBack, showNeed} from './open-screen.ts';

/**
 * The reducer: handles an action or an event and returns the next model, commands for the daemon,
 * and effects.
 */
export function update(model: Model, given: Action | UiEvent, state: State, now: number): Result {
  // Before the first state, pastes and clicks do nothing, like keys.
  const action: Action | UiEvent =
    isBeforeFirstFrame(model) &&
    (given.type === 'pasted' || (given.type === 'mouse-used' && given.mouse.action === 'press'))
      ? {type: 'early'}
      : given;
  const isKey =
    action.type === 'action' ||
    action.type === 'typed' ||
    action.type === 'pressed' ||
    action.type === 'unbound' ||
    action.type === 'early';
  const isOwn = isKey || action.type === 'mouse-used' || action.type === 'pasted';
  const result = isKey
    ? applyAction(model, action, state, now)
    : handleEvent(model, action, state, now);
  const next = goOn(isOwn ? markDecided(model, result) : result, state);
  const settled = withFirstHint(
    retainDiffCursor(model, settle(next.model, state, now, isOwn)),
    state,
    action.type === 'action' ? action.action : undefined,
  );
  // The key that asks is the key that confirms: holding it down must not do both.
  const isAsked = model.confirmation === undefined && settled.confirmation !== undefined;
  return {...next, model: isAsked ? {...settled, changedAt: now} : settled};
}

function applyAction(model: Model, action: Action, state: State, now: number): Result {
  // A key dismisses the notice.
  const quiet: Model = {...model, notice: undefined};
  if (action.type === 'action') return handleAction(quiet, action, state, now);
  if (action.type === 'unbound')
    return noChange(withNotice(quiet, formatUnbound(quiet, action), now));
  if (action.type === 'early') return noChange(withNotice(quiet, tooEarlyMessage, now));
  if (action.type === 'pressed') return noChange(finishRebinding(quiet, action.chord, now));
  const {field} = quiet;
  const text = field === undefined ? undefined : applyKey(field, action.key);
  if (field === undefined || text === undefined) return noChange(quiet);
  const written = withFieldText(quiet, text);
  return noChange(
    field.for.what === 'palette'
      ? {...written, places: {...written.places, palette: unmoved}}
      : written,
  );
}

/** `a does nothing here · ? shows what works`, or that the capital letter does. */
function formatUnbound(model: Model, {chord, capital}: Extract<Action, {type: 'unbound'}>): string {
  return capital === undefined
    ? `${formatChord(chord)} does nothing here · ${keyFor(model, 'help', 'command')} shows what works`
    : `${formatChord(chord.toUpperCase())} (capital): ${capital}`;
}

const tooEarlyMessage =
  'What you typed did nothing: the app was still connecting to the daemon. Type it again.';

/**
 * Restores the invariants of the model: the selected row exists, typing goes to a live session, and
 * changes of what is shown are recorded.
 */
function settle(given: Model, state: State, now: number, isOwn: boolean): Model {
  let model = withOwnTerminal(
    refocus(startTypingIntoOpened(leaveEndedSession(given, state, now), state), state),
    state,
  );
  model = withSlots(model, state);
  // A screen that was opened without a run shows the first one that comes.
  const run = model.run ?? (aboutRuns.has(model.screen) ? runInView(state, undefined) : undefined);
  if (run !== undefined && run !== model.run) model = {...model, run};
  model = retainDiffComments(retainPlanComments(model, state, now), state, now);
  const need =
    selectNeeds(state).find(({id}) => id === model.need?.id) ??
    model.need ??
    (model.screen === 'needs' ? selectNeeds(state)[0] : undefined);
  if (need !== model.need) model = {...model, need};
  const shown = selectDecisionSubject(model, state);
  // The person may still be typing into the ended pane: block deciding keys for a moment.
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

/** Panes keep their places from one state to the next. */
function withSlots(model: Model, state: State): Model {
  const slots = selectSlots(model, state);
  return slots === model.slots ? model : {...model, slots};
}

/** Drops a chosen terminal that does not belong to the selected task. */
function withOwnTerminal(model: Model, state: State): Model {
  if (model.terminal === undefined) return model;
  const isOwn =
    isTaskId(model.selected) &&
    selectTerminals(state, model.selected).some(({id}) => id === model.terminal);
  return isOwn ? model : {...model, terminal: undefined};
}

function refocus(model: Model, state: State): Model {
  const rows = sidebarRows(state, state.at);
  // A session that was just started has no row yet: the daemon may answer before its events arrive.
  if (
    rows.some(({key}) => key === model.selected) ||
    model.remembered !== undefined ||
    model.opening?.session === model.selected ||
    isAboutToBegin(model.selected, state)
  )
    return model;
  // Prefer the run of the row that is gone.
  const run = model.selected.split('.', 1)[0] ?? '';
  const selected = rows.find(({key}) => key === run)?.key ?? firstRow(state);
  // The zoom belonged to the row that is gone.
  return selected === model.selected ? model : {...model, selected, isZoomed: false};
}

/** The task of a run that was opened without a plan has no row before its worktree is asked for. */
function isAboutToBegin(key: string, state: State): boolean {
  const run = isTaskId(key) ? selectRun(state, runIdIn(key)) : undefined;
  return run?.request.open !== undefined && run.tasks.length === 0;
}

/**
 * Remembers that the person decided the need in view. A need that somebody else settles stays on
 * the screen; one that the person decided does not.
 */
function markDecided(before: Model, result: Result): Result {
  const {model} = result;
  const need = before.screen === 'needs' && model.screen === 'needs' ? model.need : undefined;
  if (need === undefined || need.id !== before.need?.id) return result;
  const isDecided =
    result.commands.some(({type}) => type !== 'add-note') ||
    result.effects.some(({type}) => type === 'type-text') ||
    (before.mode === 'command' && model.mode === 'typing');
  return isDecided ? {...result, model: {...model, decided: need.id}} : result;
}

/** After the person's own decision: to the next need, or back to where they were. */
function goOn(result: Result, state: State): Result {
  const {model} = result;
  const {need, mode, field, confirmation} = model;
  const isFree = mode === 'command' && field === undefined && confirmation === undefined;
  if (
    model.screen !== 'needs' ||
    need === undefined ||
    model.decided !== need.id ||
    !isFree ||
    isOpenNeed(need, state)
  )
    return result;
  const next = selectNextNeed(state, need, 1);
  const {
    model: moved,
    commands,
    effects,
  } = next === undefined
    ? goBack({...model, need: undefined, decided: undefined}, state)
    : showNeed(model, next);
  return {
    model: moved,
    commands: [...result.commands, ...commands],
    effects: [...result.effects, ...effects],
  };
}
