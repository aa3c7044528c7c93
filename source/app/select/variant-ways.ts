import {isUndecided, runIdIn, selectRun, type State} from '../../domain/index.ts';
import type {ActionName} from '../keymap/action-name.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {Model} from '../model/model.ts';
import type {NeedWay, NeedWays} from './need-ways.ts';
import {listComparable, selectMarkedVariant} from './variants-view.ts';

/** The decision bar of the screen: what can be done with the marked variant. */
export function selectVariantWays(
  model: Pick<Model, 'compared' | 'places' | 'keymap'>,
  state: State,
): NeedWays {
  const task = selectMarkedVariant(model, state);
  const run = task === undefined ? undefined : selectRun(state, runIdIn(task.id));
  if (task === undefined || run === undefined) return {ways: [], follows: ''};
  const isOpen = isUndecided(run, task);
  const way = (action: ActionName, text: string): NeedWay => ({
    action,
    keys: keyFor(model, action, 'variants'),
    text,
  });
  return {
    ways: [
      ...(isOpen && task.stage.at === 'validated' ? [way('pick', 'pick it')] : []),
      ...(task.attempts.length === 0 ? [] : [way('see-diff', 'what it changed')]),
      ...(listComparable(task.id, state).length === 0 ? [] : [way('compare', 'against another')]),
      ...(isOpen ? [way('discard', 'discard it')] : []),
    ],
    follows: isOpen
      ? 'None is merged before you pick. The others are kept in refs.'
      : 'What was not picked is kept in refs.',
  };
}
