import type {State} from '../../domain/index.ts';
import type {Key} from '../input/key.ts';
import type {Action} from './action.ts';
import {chordOf} from './chord.ts';
import {bindingsOf, isTooEarly} from './contexts-of.ts';
import type {Model} from './model.ts';

/** What a key means here and now. */
export function actionOf(model: Model, key: Key, state: State): Action | undefined {
  const chord = chordOf(key);
  // In a field letters are letters; only keys that write nothing can be commands.
  const isWriting =
    model.field !== undefined &&
    model.asking === undefined &&
    key.text !== '' &&
    !key.ctrl &&
    !key.alt &&
    key.name !== 'enter' &&
    key.name !== 'tab' &&
    key.name !== 'escape';
  const binding = isWriting
    ? undefined
    : bindingsOf(model, state).find(({keys}) => keys.includes(chord));
  if (model.pressing !== undefined && model.asking === undefined && binding === undefined)
    return {type: 'pressed', chord};
  if (binding !== undefined)
    return {
      type: 'deed',
      does: binding.does,
      chord,
      isGraced: binding.isGraced === true,
      ...(key.isHurried === true ? {isHurried: true} : {}),
    };
  if (isTooEarly(model)) return {type: 'early'};
  return model.field === undefined || model.asking !== undefined ? undefined : {type: 'typed', key};
}
