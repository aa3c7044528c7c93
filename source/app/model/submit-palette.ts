import type {State} from '../../domain/index.ts';
import {selectPalette} from '../select/palette.ts';
import type {PaletteTarget} from '../select/palette-entries.ts';
import {type Action, noChange, type Result, withNotice} from './action.ts';
import type {Model} from './model.ts';
import {focusRow} from './move.ts';
import {openScreen} from './open-screen.ts';
import {withSettings} from './settings.ts';

type NamedAction = Extract<Action, {type: 'action'}>;

type SubmitPaletteOptions = {
  readonly state: State;
  readonly now: number;
  readonly isBurst: true | undefined;
  /** Handles the action of an entry, as its key would. */
  readonly onAction: (model: Model, action: NamedAction) => Result;
};

export const maxRecent = 5;

/** Does what the marked entry of the palette stands for. */
export function submitPalette(
  model: Model,
  {state, now, isBurst, onAction}: SubmitPaletteOptions,
): Result {
  const {matches, cursor} = selectPalette(model, state);
  const entry = cursor === undefined ? undefined : matches[cursor];
  if (entry === undefined)
    return noChange(
      matches.length === 0
        ? {...model, field: undefined}
        : withNotice(model, 'It decides something: choose it with the arrow keys first.', now),
    );
  const closed: Model = {...model, field: undefined};
  if (entry.leadsTo.type !== 'action')
    return goTo(withRecentEntry(closed, entry.id), entry.leadsTo, state);
  const {action, chord, isGuarded} = entry.leadsTo;
  return onAction(withRecentEntry(closed, entry.id), {
    type: 'action',
    action,
    chord,
    isGuarded,
    ...(isBurst === undefined ? {} : {isBurst}),
  });
}

function goTo(
  model: Model,
  target: Exclude<PaletteTarget, {type: 'action'}>,
  state: State,
): Result {
  switch (target.type) {
    case 'row':
      return focusRow(openScreen(model, 'workers', state).model, target.key, state);
    case 'file':
      return noChange({
        ...model,
        reviewFocus: 'diff',
        places: {
          ...model.places,
          files: {...model.places.files, cursor: target.index},
          diff: {cursor: 0, top: 0},
        },
      });
    case 'theme':
      return noChange(withSettings(model, {...model.settings, theme: target.theme}));
    case 'setting':
      return noChange(withSettings(model, {...model.settings, [target.name]: target.value}));
    case 'topic':
      return noChange({...model, help: {at: 'place', topic: target.id}});
  }
}

/** The entries of the palette that were used last, the newest first. */
function withRecentEntry(model: Model, id: string): Model {
  return {...model, recent: [id, ...model.recent.filter((one) => one !== id)].slice(0, maxRecent)};
}
