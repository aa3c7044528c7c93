import type {State} from '../../domain/index.ts';
import type {ActionName} from '../keymap/action-name.ts';
import {noChange, openField, type Result} from './action.ts';
import type {Model} from './model.ts';
import {move} from './move.ts';
import {openScreen} from './open-screen.ts';
import {type Movement, withPlace} from './places.ts';

/** Help of this place, over the screen. */
export function openHelp(model: Model): Model {
  return model.screen === 'help'
    ? model
    : withPlace({...model, help: {at: 'place'}}, 'help', {cursor: 0, top: 0});
}

/** While help is open: once more shows all keys; another command closes it and is done. */
export function handleHelpAction(
  model: Model,
  action: ActionName,
  state: State,
  onOther: () => Result,
): Result {
  switch (action) {
    case 'back':
      return noChange({...model, help: undefined});
    case 'help':
      return openAllKeys(model, state);
    case 'search': {
      const opened = openAllKeys(model, state);
      return {...opened, model: findKey(opened.model)};
    }

    case 'up':
    case 'down':
    case 'page-up':
    case 'page-down':
    case 'first':
    case 'last':
      return move(model, action satisfies Movement, state);
    default:
      return onOther();
  }
}

function openAllKeys(model: Model, state: State): Result {
  const opened = openScreen(model, 'help', state);
  return {
    ...opened,
    model: withPlace({...opened.model, help: {at: 'all', filter: ''}}, 'help', {cursor: 0, top: 0}),
  };
}

/** Filters the list of all keys while the person writes. */
export function findKey(model: Model): Model {
  return openField({...model, help: {at: 'all', filter: ''}}, {what: 'find-key'}, 'Find a key');
}
