import type {Context} from './binding.ts';

/**
 * Active alone: while the person writes, confirms, scrolls or types into a pane, no other keys
 * work.
 */
const isolatedContexts = [
  'typing',
  'confirm',
  'pressing',
  'field',
  'prompt',
  'palette',
  'scroll',
] as const satisfies readonly Context[];
const screenContexts = [
  'start',
  'ways',
  'workers',
  'brief',
  'plan',
  'review',
  'variants',
  'services',
  'timeline',
  'audit',
  'accepted',
  'knowledge',
  'settings',
  'keys',
  'help',
] as const satisfies readonly Context[];
const needContexts = [
  'need-plan',
  'need-question',
  'need-secret',
  'need-stopped',
  'need-turn',
  'need-pick',
  'need-accept',
  'need-branch',
  'need-unstoppable',
  'need-loop',
  'need-planless',
  'need-empty',
  'need-halted',
  'need-budget',
  'need-service',
  'need-missing',
  'need-intrusion',
  'need-settled',
  'need-last',
] as const satisfies readonly Context[];

export type IsolatedContext = (typeof isolatedContexts)[number];
export type ScreenContext = (typeof screenContexts)[number];
export type NeedContext = (typeof needContexts)[number];

/** Contexts that are active together, the most specific first. */
export type ContextStack = readonly Context[];

/** For screens without keys of their own. */
export const everywhere: ContextStack = ['list', 'command'];

export function screenStack(screen: ScreenContext): ContextStack {
  return [screen, ...everywhere];
}

export function needStack(need: NeedContext): ContextStack {
  return [need, 'need', ...everywhere];
}

export function isolatedStack(context: IsolatedContext): ContextStack {
  return [context];
}

/** All combinations of active contexts. Two bindings conflict only within one of them. */
export const contextStacks: readonly ContextStack[] = [
  ...isolatedContexts.map(isolatedStack),
  everywhere,
  ...screenContexts.map(screenStack),
  ...needContexts.map(needStack),
];
