import {selectListedServices, type State} from '../../domain/index.ts';
import type {Stride} from '../panes/viewport-state.ts';
import {noChange, type Result, withEffects} from './action.ts';
import {focusedPane, selectPaneGrid} from './pane-grid.ts';
import {sidebarRows} from './sidebar-rows.ts';
import type {ListName, ListPosition, Model, ScreenName} from './model.ts';
import {askDaemon} from './open-screen.ts';
import {selectPalette} from '../select/palette.ts';
import {type Movement, movePage, movePlace, withPlace} from './places.ts';
import {firstWays, isWithoutAgent} from './first-ways.ts';
import {moveInReview} from './move-in-review.ts';
import {isReadingNote, selectNotes} from '../select/notes.ts';
import {countPlanEntries} from '../select/plan-screen.ts';
import {settingRows} from './settings.ts';
import {selectBriefRows} from '../select/brief-rows.ts';
import {selectTimelineRows} from '../select/timeline-view.ts';
import {selectTimelineLayout} from './timeline-layout.ts';
import {listVariants} from '../select/variants-view.ts';

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

/** What moves on a screen: a list with a cursor, or a text that only scrolls. */
type ScreenList = {
  readonly list: (model: Model) => ListName;
  /** How many items the cursor can be on. Undefined: the text scrolls by rows. */
  readonly count?: (model: Model, state: State) => number | undefined;
};

/** One line for each screen that is a component. */
const screenLists: Readonly<Partial<Record<ScreenName, ScreenList>>> = {
  needs: {list: () => 'need'},
  help: {list: () => 'help'},
  start: {list: () => 'start'},
  plan: {list: () => 'plan', count: countPlanEntries},
  timeline: {
    list: (model) => (selectTimelineLayout(model) === 'chart' ? 'chart' : 'timeline'),
    count: (model) =>
      selectTimelineLayout(model) === 'chart'
        ? undefined
        : selectTimelineRows(model.answers.timeline).length,
  },
  audit: {list: () => 'audit'},
  accepted: {list: () => 'accepted'},
  brief: {
    list: () => 'brief',
    count: ({answers: {brief}}, state) =>
      brief === undefined ? undefined : selectBriefRows(state, brief, state.at).length,
  },
  variants: {
    list: () => 'variants',
    count: ({compared}, state) => listVariants(compared, state).length,
  },
  services: {list: () => 'services', count: (_, state) => selectListedServices(state).length},
  knowledge: {
    list: (model) => (isReadingNote(model) ? 'reading' : 'knowledge'),
    count: (model) => (isReadingNote(model) ? undefined : selectNotes(model).length),
  },
  // The last row leads to the keys.
  settings: {list: () => 'settings', count: () => settingRows.length + 1},
  keys: {list: () => 'keys', count: ({keymap}) => keymap.bindings.length},
};

/** Moves the cursor by items, or the text by rows, as far as the last frame shows there is. */
function moveInScreen(
  model: Model,
  {list, count}: ScreenList,
  movement: Movement,
  state: State,
): {readonly list: ListName; readonly place: ListPosition} {
  const name = list(model);
  const place = model.places[name];
  const viewport = model.viewports[name];
  const items = count?.(model, state);
  if (items === undefined) {
    const {content = 0, rows = 1} = viewport ?? {};
    return {list: name, place: movePage(place, movement, content, rows)};
  }

  return {
    list: name,
    place: movePlace(place, movement, items, viewport?.items ?? 10),
  };
}
