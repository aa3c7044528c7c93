import type {State} from '../../domain/index.ts';
import type {Stride} from '../panes/viewport-state.ts';
import {noChange, type Result, withEffects} from './action.ts';
import {focusedPane, selectPaneGrid} from './pane-grid.ts';
import {sidebarRows} from './sidebar-rows.ts';
import type {Model} from './model.ts';
import {askDaemon} from './open-screen.ts';
import {selectPalette} from '../select/palette.ts';
import {type Movement, movePlace, withPlace} from './places.ts';
import {firstWays, isWithoutAgent} from './first-ways.ts';
import {moveInReview} from './move-in-review.ts';
import {moveInScreen, screenLists} from './screen-lists.ts';

/** Moves in the scrolled pane, the palette, the sidebar, or the list of the screen. */
export function move(model: Model, movement: Movement, state: State): Result {
  if (model.mode === 'scroll' && model.typingSession !== undefined)
    return withEffects(model, {
      type: 'copy-move',
      session: model.typingSession,
      by: {to: strides[movement]},
    });
  if (model.field?.for.what === 'palette') return noChange(movePalette(model, movement, state));
  if (model.help === undefined && model.screen === 'start' && isWithoutAgent(model, state))
    return noChange(
      withPlace(model, 'ways', movePlace(model.places.ways, movement, firstWays.length, 4)),
    );
  const screenList = screenLists[model.help === undefined ? model.screen : 'help'];
  if (model.help === undefined && model.screen === 'workers')
    return moveSelection(model, movement, state);
  if (model.help === undefined && model.screen === 'review')
    return noChange(moveInReview(model, movement));
  if (screenList === undefined) return noChange(model);
  const {list, place} = moveInScreen(model, screenList, movement, state);
  return noChange(withPlace(model, list, place));
}

function movePalette(model: Model, movement: Movement, state: State): Model {
  const {matches, cursor = -1} = selectPalette(model, state);
  const page = model.viewports['palette']?.items ?? 12;
  return withPlace(model, 'palette', movePlace({cursor, top: 0}, movement, matches.length, page));
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

/** The pane beside the focused one in a direction. */
export function paneBeside(
  model: Model,
  direction: 'left' | 'right' | 'up' | 'down',
  state: State,
): string | undefined {
  const {panes} = selectPaneGrid(model, state);
  const from = panes.find(({isFocused}) => isFocused);
  if (from === undefined) return undefined;
  const isAcross = direction === 'left' || direction === 'right';
  const step = direction === 'left' || direction === 'up' ? -1 : 1;
  const line = from.line + (isAcross ? 0 : step);
  const column = from.column + (isAcross ? step : 0);
  const inLine = panes.filter((pane) => pane.line === line);
  // The last line may have fewer panes.
  return (inLine.find((pane) => pane.column === column) ?? (isAcross ? undefined : inLine.at(-1)))
    ?.key;
}
