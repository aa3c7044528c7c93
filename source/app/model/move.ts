import type {State} from '../../domain/index.ts';
import type {Stride} from '../panes/viewport-state.ts';
import {renderBody} from '../screens/render-chrome.ts';
import {bodyHeight} from '../screens/body.ts';
import {noChange, type Result, withEffects} from './action.ts';
import {computeLayout, focusedPane, selectBodyRect} from './compute-layout.ts';
import {sidebarRows} from './sidebar-rows.ts';
import type {Model} from './model.ts';
import {askDaemon} from './open-screen.ts';
import {buildPalette} from '../keymap/resolve.ts';
import {type Movement, movePage, movePlace, withPlace} from './places.ts';
import {selectReviewFiles} from './comments.ts';

/** Moves in the scrolled pane, the palette, the sidebar, or the list of the screen. */
export function move(model: Model, movement: Movement, state: State, now: number): Result {
  if (model.mode === 'scroll' && model.typingSession !== undefined)
    return withEffects(model, {
      type: 'copy-move',
      session: model.typingSession,
      by: {to: strides[movement]},
    });
  if (model.field?.for.what === 'palette')
    return noChange(
      withPlace(
        model,
        'palette',
        movePlace(model.places.palette, movement, buildPalette(model, state).length, 12),
      ),
    );
  if (model.screen === 'workers') return moveSelection(model, movement, state);
  const layout = computeLayout(model.size, model, state);
  const size = selectBodyRect(layout, model.screen);
  const body = renderBody({model, state, size, now});
  if (body === undefined) return noChange(model);
  const height = bodyHeight(body, size);
  const place = model.places[body.list];
  // With the focus on the files of a review, another file is selected.
  if (model.screen === 'review' && model.reviewFocus === 'files')
    return noChange(stepFile(model, movement));
  return noChange(
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
  const keys = sidebarRows(state, state.at).map(({key}) => key);
  const {cursor} = movePlace(
    {cursor: Math.max(0, keys.indexOf(model.selected)), top: 0},
    movement,
    keys.length,
    model.size.rows - 2,
  );
  return focusRow(model, keys[cursor] ?? model.selected, state);
}

/** Focuses a row and requests the usage of its session. */
export function focusRow(model: Model, key: string, state: State): Result {
  const next: Model = {
    ...model,
    selected: key,
    terminal: key === model.selected ? model.terminal : undefined,
  };
  const pane = focusedPane(next, state);
  return pane === undefined || key === model.selected
    ? noChange(next)
    : withEffects(next, askDaemon('usage', {about: 'usage', sessions: [pane.session]}));
}

export function stepFile(model: Model, movement: Movement): Model {
  const files = movePlace(model.places.files, movement, selectReviewFiles(model).length, 1000);
  return {
    ...model,
    places: {
      ...model.places,
      files,
      diff: files.cursor === model.places.files.cursor ? model.places.diff : {cursor: 0, top: 0},
    },
  };
}

/** The nearest pane in a direction, by the centres of the frames. */
export function paneBeside(
  model: Model,
  direction: 'left' | 'right' | 'up' | 'down',
  state: State,
): string | undefined {
  const {panes} = computeLayout(model.size, model, state);
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
