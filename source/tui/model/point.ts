import {isInside} from '../render/rect.ts';
import {bodyOf} from '../screens/body-of.ts';
import {rowAt} from '../screens/body.ts';
import {chromeOf, type Piece} from '../screens/chrome-of.ts';
import {listKeyAt} from '../screens/list-lines.ts';
import {paletteIndexAt} from '../screens/overlay-lines.ts';
import {fileAt} from '../screens/review-body.ts';
import type {State} from '../../domain/index.ts';
import type {UiEvent} from '../seam.ts';
import {doing, only, type Result} from './action.ts';
import {bindingsOf, contextsOf} from './contexts-of.ts';
import {doDeed} from './do-deed.ts';
import {houseRows} from './house-rows.ts';
import {keymap} from './keymap.ts';
import {pressAt, type Pressed} from './line.ts';
import type {Model} from './model.ts';
import {move, select} from './move.ts';
import {withPlace} from './places.ts';
import {bodyRectOf, plotOf} from './plot-of.ts';

type Pointed = Extract<UiEvent, {type: 'mouse-used'}>;

/** What a click or the wheel does: everywhere what the key would do that stands there, else it chooses what is under it. */
export function point(model: Model, event: Pointed, state: State, now: number): Result {
  const {mouse} = event;
  if (mouse.action === 'wheel-up' || mouse.action === 'wheel-down')
    return turnWheel(model, event, mouse.action === 'wheel-up' ? 'up' : 'down', state, now);
  if (mouse.action !== 'press' || mouse.button !== 'left') return only(model);
  const piece = chromeOf({model, state, size: model.size, now}).findLast(
    ({rect, isOver}) => isInside(rect, mouse) && (isOver || event.pane === undefined),
  );
  const press =
    piece === undefined
      ? undefined
      : pressAt(piece.lines[mouse.row - piece.rect.row] ?? [], mouse.column - piece.rect.column);
  if (press !== undefined) return pressDeed(model, press, state, now);
  if (model.asking !== undefined || model.pressing !== undefined) return only(model);
  if (model.field?.for.what === 'palette') return clickPalette(model, piece, mouse.row, state, now);
  if (piece?.name === 'list') return clickList(model, piece, mouse.row, state);
  const title = plotOf(model.size, model, state).panes.find(({frame}) => isInside(frame, mouse));
  if (title !== undefined && (event.pane !== undefined || mouse.row === title.frame.row))
    return clickPane(model, title.key, title.session, state);
  return piece?.name === 'main' ? clickBody(model, mouse, state, now) : only(model);
}

/** As if its key had been typed, with all that holds for it: it works here at all, and what decides waits when the screen has just changed. */
function pressDeed(model: Model, {does, chord}: Pressed, state: State, now: number): Result {
  const binding = bindingsOf(model, state).find((one) => one.does === does);
  return binding === undefined
    ? only(model)
    : doDeed(model, {type: 'deed', does, chord, isGraced: binding.isGraced === true}, state, now);
}

/** What Enter does here for whoever has changed no key. */
function pressEnter(model: Model, state: State, now: number): Result {
  const usual = contextsOf(model, state)
    .flatMap((context) => keymap.filter((binding) => binding.in === context))
    .find(({keys}) => keys.includes('enter'));
  return usual === undefined
    ? only(model)
    : pressDeed(model, {does: usual.does, chord: ''}, state, now);
}

const linesOfWheel = 3;

function turnWheel(
  model: Model,
  {mouse, pane}: Pointed,
  direction: 'up' | 'down',
  state: State,
  now: number,
): Result {
  if (model.asking !== undefined || model.pressing !== undefined) return only(model);
  if (pane !== undefined && model.field?.for.what !== 'palette')
    return doing(model, {
      type: 'scroll',
      session: pane.session,
      by: {to: direction, times: linesOfWheel},
    });
  const {list} = plotOf(model.size, model, state);
  const isOneByOne =
    model.field?.for.what === 'palette' ||
    (list !== undefined && isInside(list, mouse)) ||
    (model.screen === 'review' && model.side === 'files');
  if (model.mode !== 'command' || (model.screen === 'workers' && !isOneByOne)) return only(model);
  let result = only(model);
  for (let turn = 0; turn < (isOneByOne ? 1 : linesOfWheel); turn++)
    result = move(result.model, direction, state, now);
  return result;
}

/** A click on a line does it, one beside the palette closes it. */
function clickPalette(
  model: Model,
  piece: Piece | undefined,
  row: number,
  state: State,
  now: number,
): Result {
  if (piece?.isOver !== true) return only({...model, field: undefined});
  const index = paletteIndexAt(model, state, row - piece.rect.row);
  return index === undefined
    ? only(model)
    : pressDeed(
        withPlace(model, 'palette', {...model.places.palette, cursor: index}),
        {does: 'submit', chord: ''},
        state,
        now,
      );
}

function clickList(model: Model, {rect}: Piece, row: number, state: State): Result {
  const key = listKeyAt(houseRows(state, state.at), model.selected, rect, row - rect.row);
  return key === undefined ? only(model) : select(atRest(model), key, state);
}

/** Another pane than the one that is typed into: typing is over, as the click says. */
function clickPane(model: Model, key: string, session: string, state: State): Result {
  if (model.screen !== 'workers' || model.into === session) return only(model);
  return select(atRest(model), key, state);
}

function atRest(model: Model): Model {
  return model.mode === 'command' ? model : {...model, mode: 'command', into: undefined};
}

/** The cursor goes to the row; where it stands already, the click is Enter. */
function clickBody(model: Model, mouse: Pointed['mouse'], state: State, now: number): Result {
  if (model.field !== undefined) return only(model);
  const rect = bodyRectOf(plotOf(model.size, model, state), model.screen);
  const body = bodyOf({model, state, size: rect, now});
  if (body === undefined || !isInside(rect, mouse)) return only(model);
  const at = {row: mouse.row - rect.row, column: mouse.column - rect.column};
  const file =
    model.screen === 'review' && body.beside !== undefined && at.column < body.beside.columns
      ? fileAt(model, body, rect, at.row)
      : undefined;
  if (file !== undefined)
    return only({
      ...model,
      side: 'files',
      places: {
        ...model.places,
        files: {...model.places.files, cursor: file},
        diff: {cursor: 0, top: 0},
      },
    });
  const index = rowAt(body, model.places[body.list], rect, at);
  if (index === undefined) return only(model);
  // A place may say more than there is: the end of a list that grows.
  const isThere =
    Math.min(body.rows.length - 1, model.places[body.list].cursor) === index &&
    (body.list !== 'diff' || model.side === 'diff');
  if (isThere) return pressEnter(model, state, now);
  return only(
    withPlace(body.list === 'diff' ? {...model, side: 'diff'} : model, body.list, {
      cursor: index,
      top: index - (at.row - body.head.length),
    }),
  );
}
