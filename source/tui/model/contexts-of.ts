import {needsOf, runOf, type Need, type State} from '../../domain/index.ts';
import {
  everywhere,
  stackAlone,
  stackOfNeed,
  stackOfScreen,
  type OfNeed,
  type Stack,
} from './context-stacks.ts';
import {diffComments} from './diff-comments.ts';
import {focusedPane} from './focus.ts';
import {isOpen} from './is-open.ts';
import type {Binding} from './keymap.ts';
import {missingDependencies} from './missing-dependencies.ts';
import type {Model} from './model.ts';
import {typingRefused} from './typing-refused.ts';

/** The contexts that are open, the most special first. */
export function contextsOf(model: Model, state: State): Stack {
  if (model.mode === 'typing' || model.opening !== undefined) return stackAlone('typing');
  if (model.asking !== undefined) return stackAlone('confirm');
  if (model.pressing !== undefined) return stackAlone('pressing');
  if (model.field !== undefined)
    return stackAlone(
      model.field.for.what === 'objective'
        ? 'prompt'
        : model.field.for.what === 'palette'
          ? 'palette'
          : 'field',
    );
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

/**
 * Nothing is known yet: a key that was typed meanwhile, ahead of what could be seen, must not decide anything. Where there is no
 * repository there is no daemon to wait for.
 */
export function isTooEarly({remembered, repository}: Model): boolean {
  return remembered !== undefined && repository.trouble !== 'no-git';
}

/** A letter may be the beginning of a sentence that somebody types ahead; what they hold Ctrl for is meant. */
function earlyBindings({keymap}: Model): Binding[] {
  const own = keymap.bindings
    .filter((binding) => binding.in === 'command' && early.has(binding.does))
    .map((binding) => ({...binding, keys: binding.keys.filter((key) => key.startsWith('ctrl-'))}));
  return own.map((binding) =>
    binding.does === 'quit' && binding.keys.length === 0 ? {...binding, keys: ['ctrl-c']} : binding,
  );
}

const early: ReadonlySet<Binding['does']> = new Set<Binding['does']>(['quit', 'suspend', 'redraw']);

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
    case 'loop':
      return 'need-loop';
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

/** What can be done now, each key once, the most special first. What the person has given no key is there without one, for the palette. */
export function bindingsOf(model: Model, state: State): Binding[] {
  if (isTooEarly(model)) return earlyBindings(model);
  const taken = new Set<string>();
  return contextsOf(model, state)
    .flatMap((context) => model.keymap.bindings.filter((binding) => binding.in === context))
    .flatMap((binding) => {
      const keys = binding.keys.filter((key) => !taken.has(key));
      for (const key of keys) taken.add(key);
      const isShadowed = keys.length === 0 && binding.keys.length > 0;
      return isShadowed || !isPossibleIn(model, binding)
        ? []
        : [
            binding.does === 'type' && isUnread(model, state)
              ? {...binding, keys, words: whyNoTyping, short: whyNoTyping, isQuiet: true as const}
              : {...binding, keys},
          ];
    });
}

const whyNoTyping = 'why nothing can be typed here';

/** The pane in view shows somebody who does not read what is typed. The key then only says so, and what works instead. */
function isUnread(model: Model, state: State): boolean {
  const session = focusedPane(model.isReader ? {...model, isZoomed: true} : model, state)?.session;
  return session !== undefined && typingRefused(model, session, state) !== undefined;
}

/** A key that would lead where one is, or to nothing, is no key. */
function isPossibleIn(model: Model, {does, in: context}: Binding): boolean {
  const {repository, screen, planComments, run} = model;
  if (does === 'next-way') return model.asking?.yes.does === 'accept';
  if (does === 'prepare-repository') return repository.trouble !== undefined;
  if (does === 'share-dependencies') return missingDependencies(model).length > 0;
  if (does === 'write-objective') return repository.trouble === undefined;
  if (does === 'drop-comment' && context === 'plan')
    return planComments.some((one) => one.run === run);
  if (does === 'send-comments' || does === 'drop-comment') return diffComments(model).length > 0;
  return does !== `screen-${screen}`;
}
