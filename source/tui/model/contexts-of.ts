import {needsOf, runOf, type Need, type State} from '../../domain/index.ts';
import {keymap, type Binding, type Context} from './keymap.ts';
import type {Model} from './model.ts';

/** The contexts that are open, the most special first. */
export function contextsOf(model: Model, state: State): Context[] {
  if (model.mode === 'typing') return ['typing'];
  if (model.asking !== undefined) return ['confirm'];
  if (model.field !== undefined) return [model.field.for.what === 'objective' ? 'prompt' : model.field.for.what === 'palette' ? 'palette' : 'field'];
  if (model.mode === 'scroll') return ['scroll'];
  switch (model.screen) {
    case 'needs':
      return [...contextsOfNeed(model.need, state), 'need', 'list', 'command'];
    case 'help':
      return ['list', 'command'];
    case 'plan':
      // What is approved, or not there yet, has nothing left to decide.
      return isReviewed(model, state) ? ['plan', 'list', 'command'] : ['list', 'command'];
    default:
      return [model.screen, 'list', 'command'];
  }
}

function isReviewed({run}: Model, state: State): boolean {
  return run !== undefined && runOf(state, run)?.stage.at === 'reviewing';
}

function contextsOfNeed(need: Need | undefined, state: State): Context[] {
  if (need === undefined) return ['need-last'];
  if (!isOpen(need, state)) return [needsOf(state).length === 0 ? 'need-last' : 'need-settled'];
  switch (need.kind) {
    case 'plan':
      return ['need-plan'];
    case 'question':
      return [need.secret ? 'need-secret' : 'need-question'];
    case 'uncertain-input':
      return ['need-question'];
    case 'stopped':
      return ['need-stopped'];
    case 'accept':
      return ['need-accept'];
    case 'planless':
      return ['need-planless'];
    case 'nothing-left':
      return ['need-empty'];
    case 'trouble':
    case 'parked':
      return ['need-halted'];
    case 'budget':
      return ['need-budget'];
    case 'service':
      return ['need-service'];
    case 'service-missing':
      return ['need-missing'];
    case 'intrusion':
      return ['need-intrusion'];
  }
}

export function isOpen(need: Need, state: State): boolean {
  return needsOf(state).some(({id}) => id === need.id);
}

/** The keys that work now, each once, the most special first. */
export function bindingsOf(model: Model, state: State): Binding[] {
  const taken = new Set<string>();
  return contextsOf(model, state).flatMap((context) => keymap.filter((binding) => binding.in === context)).flatMap((binding) => {
    const keys = binding.keys.filter((key) => !taken.has(key));
    for (const key of keys) taken.add(key);
    const isPossible = isPossibleIn(model, binding);
    return keys.length === 0 || !isPossible ? [] : [{...binding, keys: binding.does === 'stop-typing' ? [model.settings.leave] : keys}];
  });
}

/** A key that would lead where one is, or to nothing, is no key. */
function isPossibleIn({repository, screen, comments, subject}: Model, {does}: Binding): boolean {
  if (does === 'prepare-repository') return repository.trouble !== undefined;
  if (does === 'write-objective') return repository.trouble === undefined;
  if (does === 'send-comments' || does === 'drop-comment') return comments.some(({of}) => of === subject);
  return does !== `screen-${screen}`;
}
