import type {State} from '../../domain/index.ts';
import type {Result} from './action.ts';
import type {Model} from './model.ts';
import {isOpenNeed, selectNextNeed} from './needs-queue.ts';
import {goBack, showNeed} from './open-screen.ts';

/**
 * Remembers that the person decided the need in view. A need that somebody else settles stays on
 * the screen; one that the person decided does not.
 */
export function markDecided(before: Model, result: Result): Result {
  const {model} = result;
  const need = before.screen === 'needs' && model.screen === 'needs' ? model.need : undefined;
  if (need === undefined || need.id !== before.need?.id) return result;
  const isDecided =
    result.commands.some(({type}) => type !== 'add-note') ||
    result.effects.some(({type}) => type === 'type-text') ||
    (before.mode === 'command' && model.mode === 'typing');
  return isDecided ? {...result, model: {...model, decided: need.id}} : result;
}

/** After the person's own decision: to the next need, or back to where they were. */
export function goOn(result: Result, state: State): Result {
  const {model} = result;
  const {need, mode, field, confirmation} = model;
  const isFree = mode === 'command' && field === undefined && confirmation === undefined;
  if (
    model.screen !== 'needs' ||
    need === undefined ||
    model.decided !== need.id ||
    !isFree ||
    isOpenNeed(need, state)
  )
    return result;
  const next = selectNextNeed(state, need, 1);
  const {
    model: moved,
    commands,
    effects,
  } = next === undefined
    ? goBack({...model, need: undefined, decided: undefined}, state)
    : showNeed(model, next);
  return {
    model: moved,
    commands: [...result.commands, ...commands],
    effects: [...result.effects, ...effects],
  };
}
