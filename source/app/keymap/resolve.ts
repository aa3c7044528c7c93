import {type Need, selectNeeds, selectRun, type State} from '../../domain/index.ts';
import {
  type ContextStack,
  everywhere,
  type IsolatedContext,
  isolatedStack,
  type NeedContext,
  needStack,
  screenStack,
} from './context-stacks.ts';
import {selectDiffComments} from '../review/select-review.ts';
import {canWriteObjective} from '../model/agent-choice.ts';
import {isExplained} from '../model/first-ways.ts';
import {focusedPane} from '../model/pane-grid.ts';
import {isOpenNeed} from '../model/needs-queue.ts';
import type {Binding} from './binding.ts';
import {selectMissingDependencies} from '../model/answers.ts';
import type {ConfirmedAction, Model, OpenField} from '../model/model.ts';
import {hasOtherPart} from '../model/timeline-layout.ts';
import {explainTypingRejected} from '../model/typing.ts';
import type {Key} from '../input/key.ts';
import type {Action} from '../model/action.ts';
import {toChord} from './chord.ts';
import type {ActionName} from './action-name.ts';

/** The active contexts, the most specific first. */
export function selectContexts(model: Model, state: State): ContextStack {
  if (model.mode === 'typing' || model.opening !== undefined) return isolatedStack('typing');
  if (model.confirmation !== undefined) return isolatedStack('confirm');
  if (model.rebinding !== undefined) return isolatedStack('pressing');
  if (model.field !== undefined) return isolatedStack(toFieldContext(model.field));
  if (model.mode === 'scroll') return isolatedStack('scroll');
  if (model.help?.at === 'place') return screenStack('help');
  switch (model.screen) {
    case 'needs':
      return needStack(toNeedContext(model.need, state));
    case 'plan':
      // Only a plan in review has something to decide.
      return isReviewed(model, state) ? screenStack('plan') : everywhere;
    case 'start':
      return screenStack(
        canWriteObjective(model, state) || model.repository.trouble !== undefined
          ? 'start'
          : 'ways',
      );
    default:
      return screenStack(model.screen);
  }
}

function toFieldContext({for: {what}}: OpenField): IsolatedContext {
  if (what === 'objective') return 'prompt';
  return what === 'palette' ? 'palette' : 'field';
}

/**
 * Whether the daemon has not answered yet: a key that is typed ahead of the first screen must not
 * decide anything. Without a repository there is no daemon to wait for.
 */
export function isBeforeFirstFrame({remembered, repository}: Model): boolean {
  return remembered !== undefined && repository.trouble !== 'no-git';
}

/**
 * The keys before the first screen: only those with Ctrl, because a letter may be the beginning of
 * text that is typed ahead.
 */
function earlyBindings({keymap}: Model): Binding[] {
  const own = keymap.bindings
    .filter((binding) => binding.in === 'command' && earlyActions.has(binding.action))
    .map((binding) => ({...binding, keys: binding.keys.filter((key) => key.startsWith('ctrl-'))}));
  return own.map((binding) =>
    binding.action === 'quit' && binding.keys.length === 0
      ? {...binding, keys: ['ctrl-c']}
      : binding,
  );
}

const earlyActions: ReadonlySet<Binding['action']> = new Set<Binding['action']>([
  'quit',
  'suspend',
  'redraw',
]);

function isReviewed({run}: Model, state: State): boolean {
  return run !== undefined && selectRun(state, run)?.stage.at === 'reviewing';
}

function toNeedContext(need: Need | undefined, state: State): NeedContext {
  if (need === undefined) return 'need-last';
  if (!isOpenNeed(need, state))
    return selectNeeds(state).length === 0 ? 'need-last' : 'need-settled';
  switch (need.kind) {
    case 'plan':
      return 'need-plan';
    case 'question':
      return need.secret ? 'need-secret' : 'need-question';
    case 'uncertain-input':
    case 'draft':
    case 'planner-waits':
      return 'need-question';
    case 'stopped':
      return 'need-stopped';
    case 'turn':
      return 'need-turn';
    case 'pick':
      return 'need-pick';
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

/**
 * The bindings that work now, each key once, the most specific first. Bindings without a key are
 * included for the palette.
 */
export function selectBindings(model: Model, state: State): Binding[] {
  if (isBeforeFirstFrame(model)) return earlyBindings(model);
  const taken = new Set<string>();
  return selectContexts(model, state)
    .flatMap((context) => model.keymap.bindings.filter((binding) => binding.in === context))
    .map((binding) => withAskingKeys(model, binding, state))
    .flatMap((binding) => {
      const keys = binding.keys.filter((key) => !taken.has(key));
      for (const key of keys) taken.add(key);
      const isShadowed = keys.length === 0 && binding.keys.length > 0;
      if (isShadowed || !isAvailable(model, binding)) return [];
      const isRejected = binding.action === 'type' && isTypingRejected(model, state);
      return [
        {
          ...binding,
          keys,
          ...(isRejected && {text: noTypingLabel, short: noTypingLabel, isQuiet: true as const}),
        },
      ];
    });
}

/** The key that asked is the key that confirms; Enter and `y`, which come too easily, do not. */
function withAskingKeys(model: Model, binding: Binding, state: State): Binding {
  const {confirmation, keymap} = model;
  if (binding.action !== 'confirm' || confirmation === undefined) return binding;
  const action = askingActions[confirmation.yes.action];
  const asking =
    selectBindings({...model, confirmation: undefined}, state).find(
      (one) => one.action === action,
    ) ?? keymap.bindings.find((one) => one.action === action);
  const others = keymap.bindings
    .filter((one) => one.in === 'confirm' && one.action !== 'confirm')
    .flatMap(({keys}) => keys);
  const keys = (asking?.keys ?? []).filter(
    (key) => key !== 'enter' && key !== 'y' && !others.includes(key),
  );
  const hasOwn = binding.own !== undefined || keys.length === 0;
  return {...binding, keys: hasOwn ? [...keys, ...binding.keys] : keys};
}

const askingActions: Readonly<Record<ConfirmedAction['action'], ActionName>> = {
  discard: 'discard',
  prepare: 'prepare-repository',
  'write-rules': 'prepare-repository',
  stop: 'stop',
  pick: 'pick',
  accept: 'accept',
  propose: 'propose',
  'refresh-environment': 'environment',
  reset: 'reset',
};

const noTypingLabel = 'why nothing can be typed here';

/**
 * Whether the program in the focused pane reads no input. The key then only explains that, and what
 * works instead.
 */
function isTypingRejected(model: Model, state: State): boolean {
  const session = focusedPane(
    model.isScreenReader ? {...model, isZoomed: true} : model,
    state,
  )?.session;
  return session !== undefined && explainTypingRejected(model, session, state) !== undefined;
}

/** Whether a binding has an effect now. */
function isAvailable(model: Model, {action, in: context}: Binding): boolean {
  const {repository, screen, planComments, run} = model;
  if (action === 'other-side' && context === 'timeline') return hasOtherPart(model);
  if (action === 'next-way') return model.confirmation?.yes.action === 'accept';
  // A session needs the daemon, and the daemon a repository.
  if (action === 'start-command') return repository.trouble === undefined;
  if (action === 'help') return screen !== 'help';
  if (action === 'prepare-repository')
    return repository.trouble !== undefined || repository.starter !== undefined;
  if (action === 'copy-way') return isExplained(model.way);
  if (action === 'share-dependencies') return selectMissingDependencies(model).length > 0;
  if (action === 'write-objective') return repository.trouble === undefined;
  if (action === 'drop-comment' && context === 'plan')
    return planComments.some((one) => one.run === run);
  if (action === 'send-comments' || action === 'drop-comment')
    return selectDiffComments(model).length > 0;
  return action !== `screen-${screen}`;
}

/** The action of a key in the current state. */
export function resolveAction(model: Model, key: Key, state: State): Action | undefined {
  const chord = toChord(key);
  // In a text field, only keys that type no text can be commands.
  const isWriting =
    model.field !== undefined &&
    model.confirmation === undefined &&
    key.text !== '' &&
    !key.ctrl &&
    !key.alt &&
    key.name !== 'enter' &&
    key.name !== 'tab' &&
    key.name !== 'escape';
  const binding = isWriting
    ? undefined
    : selectBindings(model, state).find(({keys}) => keys.includes(chord));
  if (model.rebinding !== undefined && model.confirmation === undefined && binding === undefined)
    return {type: 'pressed', chord};
  if (binding !== undefined)
    return {
      type: 'action',
      action: binding.action,
      chord,
      isGuarded: binding.isGuarded === true,
      ...(key.isBurst === true ? {isBurst: true} : {}),
    };
  if (isBeforeFirstFrame(model)) return {type: 'early'};
  if (model.field !== undefined && model.confirmation === undefined) return {type: 'typed', key};
  return toUnbound(model, chord, state);
}

/** Only a plain key that was pressed by itself is answered: it says that it does nothing here. */
function toUnbound(model: Model, chord: string, state: State): Action | undefined {
  if (model.confirmation !== undefined || Array.from(chord).length !== 1) return undefined;
  const capital = selectBindings(model, state).find(
    ({keys, isGuarded}) => isGuarded === true && keys.includes(chord.toUpperCase()),
  );
  return {
    type: 'unbound',
    chord,
    ...(capital === undefined || chord === chord.toUpperCase()
      ? {}
      : {capital: capital.short ?? capital.text}),
  };
}
