import type {State} from '../../domain/index.ts';
import type {Stride} from '../panes/pane-view.ts';
import {bodyOf} from '../screens/body-of.ts';
import {heightOf} from '../screens/body.ts';
import {doing, only, type Result} from './action.ts';
import {focusedPane} from './focus.ts';
import {houseRows} from './house-rows.ts';
import type {Model} from './model.ts';
import {ask} from './open-screen.ts';
import {paletteOf} from './palette.ts';
import {movePage, movePlace, withPlace, type Movement} from './places.ts';
import {bodyRectOf, plotOf} from './plot-of.ts';
import {reviewFiles} from './review-files.ts';

/** Up, down, by pages, to the ends: in the pane that is scrolled, in the palette, in the task list, or in the screen's own list. */
export function move(model: Model, movement: Movement, state: State, now: number): Result {
  if (model.mode === 'scroll' && model.into !== undefined)
    return doing(model, {type: 'copy-move', session: model.into, by: {to: strides[movement]}});
  if (model.field?.for.what === 'palette')
    return only(
      withPlace(
        model,
        'palette',
        movePlace(model.places.palette, movement, paletteOf(model, state).length, 12),
      ),
    );
  if (model.screen === 'workers') return moveSelection(model, movement, state);
  const plot = plotOf(model.size, model, state);
  const size = bodyRectOf(plot, model.screen);
  const body = bodyOf({model, state, size, now});
  if (body === undefined) return only(model);
  const height = heightOf(body, size);
  const place = model.places[body.list];
  // In the column of files beside a diff it is the file that is moved.
  if (model.screen === 'review' && model.side === 'files') return only(stepFile(model, movement));
  return only(
    withPlace(
      model,
      body.list,
      body.hasCursor
        ? movePlace(place, movement, body.rows.length, height, body.choices)
        : movePage(place, movement, body.rows.length, height),
    ),
  );
}

const strides: Readonly<Record<Movement, Stride['to']>> = {
  up: 'up',
  down: 'down',
  'page-up': 'page-up',
  'page-down': 'page-down',
  first: 'top',
  last: 'bottom',
};

function moveSelection(model: Model, movement: Movement, state: State): Result {
  const keys = houseRows(state, state.at).map(({key}) => key);
  const {cursor} = movePlace(
    {cursor: Math.max(0, keys.indexOf(model.selected)), top: 0},
    movement,
    keys.length,
    model.size.rows - 2,
  );
  return select(model, keys[cursor] ?? model.selected, state);
}

/** Gives the focus to a row; what its session uses of the machine is asked for. */
export function select(model: Model, key: string, state: State): Result {
  const next: Model = {
    ...model,
    selected: key,
    terminal: key === model.selected ? model.terminal : undefined,
  };
  const pane = focusedPane(next, state);
  return pane === undefined || key === model.selected
    ? only(next)
    : doing(next, ask('usage', {about: 'usage', sessions: [pane.session]}));
}

export function stepFile(model: Model, movement: Movement): Model {
  const files = movePlace(model.places.files, movement, reviewFiles(model).length, 1000);
  return {
    ...model,
    places: {
      ...model.places,
      files,
      diff: files.cursor === model.places.files.cursor ? model.places.diff : {cursor: 0, top: 0},
    },
  };
}

/** The pane next to the focused one in a direction, by where they are on the screen. */
export function paneBeside(
  model: Model,
  direction: 'left' | 'right' | 'up' | 'down',
  state: State,
): string | undefined {
  const {panes} = plotOf(model.size, model, state);
  const from = panes.find(({isFocused}) => isFocused)?.frame;
  if (from === undefined) return undefined;
  const [dx, dy] = {left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1]}[direction] as [
    number,
    number,
  ];
  const middle = ({column, columns, row, rows}: typeof from): [number, number] => [
    column + columns / 2,
    row + rows / 2,
  ];
  const [x, y] = middle(from);
  const candidates = panes.flatMap((pane) => {
    const [px, py] = middle(pane.frame);
    const along = (px - x) * dx + (py - y) * dy;
    const across = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
    return along > 0.5 ? [{key: pane.key, distance: along + across * 4}] : [];
  });
  return candidates.toSorted((a, b) => a.distance - b.distance)[0]?.key;
}
