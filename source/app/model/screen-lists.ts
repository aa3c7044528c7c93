import {selectListedServices, type State} from '../../domain/index.ts';
import {isReadingNote, selectNotes} from '../select/notes.ts';
import {countPlanEntries} from '../select/plan-screen.ts';
import {settingRows} from './settings.ts';
import type {ListName, Model, ListPosition, ScreenName} from './model.ts';
import {type Movement, movePage, movePlace} from './places.ts';
import {selectBriefRows} from '../select/brief-rows.ts';
import {selectTimelineRows} from '../select/timeline-view.ts';
import {selectTimelineLayout} from './timeline-layout.ts';

/** What moves on a screen: a list with a cursor, or a text that only scrolls. */
export type ScreenList = {
  readonly list: (model: Model) => ListName;
  /** How many items the cursor can be on. Undefined: the text scrolls by rows. */
  readonly count?: (model: Model, state: State) => number | undefined;
};

/** One line for each screen that is a component. */
export const screenLists: Readonly<Partial<Record<ScreenName, ScreenList>>> = {
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
export function moveInScreen(
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
