import {selectNeeds, type State} from '../../domain/index.ts';
import type {UiEvent} from '../app-contract.ts';
import type {Target} from '../ink/region.ts';
import {keymap} from '../keymap/bindings.ts';
import {selectBindings, selectContexts} from '../keymap/resolve.ts';
import type {ActionName} from '../keymap/action-name.ts';
import {inCommandMode, noChange, type Result, withEffects} from './action.ts';
import {handleAction} from './handle-action.ts';
import type {Model} from './model.ts';
import {focusRow, move} from './move.ts';
import {showNeed} from './open-screen.ts';
import {openFile, toggleFold} from './move-in-review.ts';
import {withPlace} from './places.ts';

type MouseUsedEvent = Extract<UiEvent, {type: 'mouse-used'}>;

/**
 * Handles clicks and the wheel. Clicking a key hint equals pressing its key; other clicks select
 * what is under the pointer. The loop has found the target in the last frame.
 */
export function handleMouse(
  model: Model,
  event: MouseUsedEvent,
  state: State,
  now: number,
): Result {
  const {mouse, target} = event;
  if (mouse.action === 'wheel-up' || mouse.action === 'wheel-down')
    return turnWheel(model, event, mouse.action === 'wheel-up' ? 'up' : 'down', state);
  if (mouse.action !== 'press' || mouse.button !== 'left') return noChange(model);
  const isPalette = model.field?.for.what === 'palette';
  if (target?.type === 'action')
    return pressAction(model, target.action, target.chord ?? '', state, now);
  if (model.confirmation !== undefined || model.rebinding !== undefined) return noChange(model);
  if (model.help?.at === 'place')
    return noChange(target?.type === 'outside' ? {...model, help: undefined} : model);
  if (isPalette && !(target?.type === 'item' && target.list === 'palette'))
    return target?.type === 'outside' ? noChange({...model, field: undefined}) : noChange(model);
  return target === undefined ? noChange(model) : clickTarget(model, target, state, now);
}

function clickTarget(model: Model, target: Target, state: State, now: number): Result {
  switch (target.type) {
    case 'item':
      return clickItem(model, target, state, now);
    case 'need':
      return model.field === undefined
        ? showNeed(
            inCommandMode(model),
            selectNeeds(state).find(({id}) => id === target.id) ?? model.need,
          )
        : noChange(model);
    case 'row':
      return model.field === undefined
        ? focusRow(inCommandMode(model), target.key, state)
        : noChange(model);
    // A click on another pane leaves typing and focuses that pane.
    case 'pane':
      return model.screen !== 'workers' || model.typingSession === target.session
        ? noChange(model)
        : focusRow(inCommandMode(model), target.key, state);
    case 'file':
      return model.field === undefined
        ? noChange(openFile({...model, reviewFocus: 'files'}, target.index))
        : noChange(model);
    default:
      return noChange(model);
  }
}

/** Moves the cursor to the item. On the item under the cursor, a click equals Enter. */
function clickItem(
  model: Model,
  {list, index}: Extract<Target, {type: 'item'}>,
  state: State,
  now: number,
): Result {
  if (list === 'palette') {
    const chosen = withPlace(model, list, {...model.places[list], cursor: index});
    return pressAction(chosen, 'submit', '', state, now);
  }

  if (model.field !== undefined) return noChange(model);
  const isThere =
    model.places[list].cursor === index && (list !== 'diff' || model.reviewFocus === 'diff');
  if (isThere) return pressEnter(model, state, now);
  const focused: Model = list === 'diff' ? {...model, reviewFocus: 'diff'} : model;
  const there = withPlace(focused, list, {...model.places[list], cursor: index});
  // Folded lines open at once.
  return noChange((list === 'diff' ? toggleFold(there) : undefined) ?? there);
}

/**
 * Equals pressing the key: the action must be available, and a guarded one is blocked after a
 * change of the screen.
 */
function pressAction(
  model: Model,
  action: ActionName,
  chord: string,
  state: State,
  now: number,
): Result {
  const binding = selectBindings(model, state).find((one) => one.action === action);
  return binding === undefined
    ? noChange(model)
    : handleAction(
        model,
        {type: 'action', action, chord, isGuarded: binding.isGuarded === true},
        state,
        now,
      );
}

/** The default action of Enter, even if the person has bound another key. */
function pressEnter(model: Model, state: State, now: number): Result {
  const usual = selectContexts(model, state)
    .flatMap((context) => keymap.filter((binding) => binding.in === context))
    .find(({keys}) => keys.includes('enter'));
  return usual === undefined ? noChange(model) : pressAction(model, usual.action, '', state, now);
}

const wheelLines = 3;

function turnWheel(
  model: Model,
  {pane, target}: MouseUsedEvent,
  direction: 'up' | 'down',
  state: State,
): Result {
  if (model.confirmation !== undefined || model.rebinding !== undefined) return noChange(model);
  if (pane !== undefined && model.field?.for.what !== 'palette')
    return withEffects(model, {
      type: 'scroll',
      session: pane.session,
      by: {to: direction, times: wheelLines},
    });
  const isOneByOne =
    model.field?.for.what === 'palette' || target?.type === 'row' || target?.type === 'file';
  // In Work, only the list turns, and help that lies over it.
  const isFixed = model.screen === 'workers' && model.help === undefined && !isOneByOne;
  if (model.mode !== 'command' || isFixed) return noChange(model);
  let result = noChange(model);
  for (let turn = 0; turn < (isOneByOne ? 1 : wheelLines); turn++)
    result = move(result.model, direction, state);
  return result;
}
