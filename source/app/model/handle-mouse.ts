import {isInside} from '../render/frame.ts';
import {type Piece, renderBody, renderChrome} from '../screens/render-chrome.ts';
import {rowAt} from '../screens/body.ts';
import {sidebarKeyAt} from '../screens/sidebar-lines.ts';
import {paletteIndexAt} from '../screens/overlay-lines.ts';
import {fileAt} from '../screens/review-body.ts';
import type {State} from '../../domain/index.ts';
import type {UiEvent} from '../app-contract.ts';
import {inCommandMode, noChange, type Result, withEffects} from './action.ts';
import {selectBindings, selectContexts} from '../keymap/resolve.ts';
import {handleAction} from './handle-action.ts';
import {sidebarRows} from './sidebar-rows.ts';
import {keymap} from '../keymap/bindings.ts';
import {pressAt, type Pressed} from './line.ts';
import type {Model} from './model.ts';
import {focusRow, move} from './move.ts';
import {withPlace} from './places.ts';
import {computeLayout, selectBodyRect} from './compute-layout.ts';

type MouseUsedEvent = Extract<UiEvent, {type: 'mouse-used'}>;

/**
 * Handles clicks and the wheel. Clicking a key hint equals pressing its key; other clicks select
 * what is under the pointer.
 */
export function handleMouse(
  model: Model,
  event: MouseUsedEvent,
  state: State,
  now: number,
): Result {
  const {mouse} = event;
  if (mouse.action === 'wheel-up' || mouse.action === 'wheel-down')
    return turnWheel(model, event, mouse.action === 'wheel-up' ? 'up' : 'down', state, now);
  if (mouse.action !== 'press' || mouse.button !== 'left') return noChange(model);
  const piece = renderChrome({model, state, size: model.size, now}).findLast(
    ({rect, isOver}) => isInside(rect, mouse) && (isOver || event.pane === undefined),
  );
  const press =
    piece === undefined
      ? undefined
      : pressAt(piece.lines[mouse.row - piece.rect.row] ?? [], mouse.column - piece.rect.column);
  if (press !== undefined) return pressAction(model, press, state, now);
  if (model.confirmation !== undefined || model.rebinding !== undefined) return noChange(model);
  if (model.field?.for.what === 'palette') return clickPalette(model, piece, mouse.row, state, now);
  if (piece?.name === 'list') return clickList(model, piece, mouse.row, state);
  const title = computeLayout(model.size, model, state).panes.find(({frame}) =>
    isInside(frame, mouse),
  );
  if (title !== undefined && (event.pane !== undefined || mouse.row === title.frame.row))
    return clickPane(model, title.key, title.session, state);
  return piece?.name === 'main' ? clickBody(model, mouse, state, now) : noChange(model);
}

/**
 * Equals pressing the key: the action must be available, and a guarded one is blocked after a
 * change of the screen.
 */
function pressAction(model: Model, {action, chord}: Pressed, state: State, now: number): Result {
  const binding = selectBindings(model, state).find((one) => one.action === action);
  return binding === undefined
    ? noChange(model)
    : handleAction(
        model,
        {type: 'action', action, chord, isGuarded: binding.isGuarded === true},
        state,
        now,
      );
}

/** The default action of Enter, even if the person has bound another key. */
function pressEnter(model: Model, state: State, now: number): Result {
  const usual = selectContexts(model, state)
    .flatMap((context) => keymap.filter((binding) => binding.in === context))
    .find(({keys}) => keys.includes('enter'));
  return usual === undefined
    ? noChange(model)
    : pressAction(model, {action: usual.action, chord: ''}, state, now);
}

const wheelLines = 3;

function turnWheel(
  model: Model,
  {mouse, pane}: MouseUsedEvent,
  direction: 'up' | 'down',
  state: State,
  now: number,
): Result {
  if (model.confirmation !== undefined || model.rebinding !== undefined) return noChange(model);
  if (pane !== undefined && model.field?.for.what !== 'palette')
    return withEffects(model, {
      type: 'scroll',
      session: pane.session,
      by: {to: direction, times: wheelLines},
    });
  const {list} = computeLayout(model.size, model, state);
  const isOneByOne =
    model.field?.for.what === 'palette' ||
    (list !== undefined && isInside(list, mouse)) ||
    (model.screen === 'review' && model.reviewFocus === 'files');
  if (model.mode !== 'command' || (model.screen === 'workers' && !isOneByOne))
    return noChange(model);
  let result = noChange(model);
  for (let turn = 0; turn < (isOneByOne ? 1 : wheelLines); turn++)
    result = move(result.model, direction, state, now);
  return result;
}

/** A click on a line runs it, a click beside the palette closes it. */
function clickPalette(
  model: Model,
  piece: Piece | undefined,
  row: number,
  state: State,
  now: number,
): Result {
  if (piece?.isOver !== true) return noChange({...model, field: undefined});
  const index = paletteIndexAt(model, state, row - piece.rect.row);
  return index === undefined
    ? noChange(model)
    : pressAction(
        withPlace(model, 'palette', {...model.places.palette, cursor: index}),
        {action: 'submit', chord: ''},
        state,
        now,
      );
}

function clickList(model: Model, {rect}: Piece, row: number, state: State): Result {
  const key = sidebarKeyAt(sidebarRows(state, state.at), model.selected, rect, row - rect.row);
  return key === undefined ? noChange(model) : focusRow(inCommandMode(model), key, state);
}

/** A click on another pane leaves typing and focuses that pane. */
function clickPane(model: Model, key: string, session: string, state: State): Result {
  if (model.screen !== 'workers' || model.typingSession === session) return noChange(model);
  return focusRow(inCommandMode(model), key, state);
}

/** Moves the cursor to the row. On the row under the cursor, a click equals Enter. */
function clickBody(
  model: Model,
  mouse: MouseUsedEvent['mouse'],
  state: State,
  now: number,
): Result {
  if (model.field !== undefined) return noChange(model);
  const rect = selectBodyRect(computeLayout(model.size, model, state), model.screen);
  const body = renderBody({model, state, size: rect, now});
  if (body === undefined || !isInside(rect, mouse)) return noChange(model);
  const at = {row: mouse.row - rect.row, column: mouse.column - rect.column};
  const file =
    model.screen === 'review' && body.beside !== undefined && at.column < body.beside.columns
      ? fileAt(model, body, rect, at.row)
      : undefined;
  if (file !== undefined)
    return noChange({
      ...model,
      reviewFocus: 'files',
      places: {
        ...model.places,
        files: {...model.places.files, cursor: file},
        diff: {cursor: 0, top: 0},
      },
    });
  const index = rowAt(body, model.places[body.list], rect, at);
  if (index === undefined) return noChange(model);
  // The cursor may lie beyond the rows: it marks the end of a growing list.
  const isThere =
    Math.min(body.rows.length - 1, model.places[body.list].cursor) === index &&
    (body.list !== 'diff' || model.reviewFocus === 'diff');
  if (isThere) return pressEnter(model, state, now);
  return noChange(
    withPlace(body.list === 'diff' ? {...model, reviewFocus: 'diff'} : model, body.list, {
      cursor: index,
      top: index - (at.row - body.head.length),
    }),
  );
}
