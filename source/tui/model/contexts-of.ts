import {needsOf, runOf, type Need, type State} from '../../domain/index.ts';
import {everywhere, stackAlone, stackOfNeed, stackOfScreen, type OfNeed, type Stack} from './context-stacks.ts';
import {diffComments} from './diff-comments.ts';
import type {Binding} from './keymap.ts';
import type {Model} from './model.ts';

/** The contexts that are open, the most special first. */
export function contextsOf(model: Model, state: State): Stack {
  if (model.mode === 'typing') return stackAlone('typing');
  if (model.asking !== undefined) return stackAlone('confirm');
  if (model.pressing !== undefined) return stackAlone('pressing');
  if (model.field !== undefined) return stackAlone(model.field.for.what === 'objective' ? 'prompt' : model.field.for.what === 'palette' ? 'palette' : 'field');
  if (model.mode === 'scroll') return stackAlone('scroll');
  switch (model.screen) {
    case 'needs':
      return stackOfNeed(contextOfNeed(model.need, state));
    case 'help':
      return everywhere;
    case 'plan':
      // What is approved, or not there yet, has nothing left to decide.
      return isReviewed(model, state) ? stackOfScreen('plan') : everywhere;
    default:
      return stackOfScreen(model.screen);
  }
}

function isReviewed({run}: Model, state: State): boolean {
  return run !== undefined && runOf(state, run)?.stage.at === 'reviewing';
}

function contextOfNeed(need: Need | undefined, state: State): OfNeed {
  if (need === undefined) return 'need-last';
  if (!isOpen(need, state)) return needsOf(state).length === 0 ? 'need-last' : 'need-settled';
  switch (need.kind) {
    case 'plan':
      return 'need-plan';
    case 'question':
      return need.secret ? 'need-secret' : 'need-question';
    case 'uncertain-input':
      return 'need-question';
    case 'stopped':
      return 'need-stopped';
    case 'accept':
      return 'need-accept';
    case 'branch':
      return 'need-branch';
    case 'unstoppable':
      return 'need-unstoppable';
    case 'planless':
      return 'need-planless';
    case 'nothing-left':
      return 'need-empty';
    case 'trouble':
    case 'parked':
      return 'need-halted';
    case 'budget':
      return 'need-budget';
    case 'service':
      return 'need-service';
    case 'service-missing':
      return 'need-missing';
    case 'intrusion':
      return 'need-intrusion';
  }
}

export function isOpen(need: Need, state: State): boolean {
  return needsOf(state).some(({id}) => id === need.id);
}

/** What can be done now, each key once, the most special first. What the person has given no key is there without one, for the palette. */
export function bindingsOf(model: Model, state: State): Binding[] {
  const taken = new Set<string>();
  return contextsOf(model, state).flatMap((context) => model.keymap.bindings.filter((binding) => binding.in === context)).flatMap((binding) => {
    const keys = binding.keys.filter((key) => !taken.has(key));
    for (const key of keys) taken.add(key);
    const isShadowed = keys.length === 0 && binding.keys.length > 0;
    return isShadowed || !isPossibleIn(model, binding) ? [] : [{...binding, keys}];
  });
}

/** A key that would lead where one is, or to nothing, is no key. */
function isPossibleIn(model: Model, {does, in: context}: Binding): boolean {
  const {repository, screen, planComments, run} = model;
  if (does === 'next-way') return model.asking?.yes.does === 'accept';
  if (does === 'prepare-repository') return repository.trouble !== undefined;
  if (does === 'write-objective') return repository.trouble === undefined;
  if (does === 'drop-comment' && context === 'plan') return planComments.some((one) => one.run === run);
  if (does === 'send-comments' || does === 'drop-comment') return diffComments(model).length > 0;
  return does !== `screen-${screen}`;
}
