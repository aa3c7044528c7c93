import type {Context} from './keymap.ts';

/** Open by itself: whoever writes, is asked, scrolls or types into a pane has no other keys. */
const alone = [
  'typing',
  'confirm',
  'pressing',
  'field',
  'prompt',
  'palette',
  'scroll',
] as const satisfies readonly Context[];
const screens = [
  'start',
  'workers',
  'brief',
  'plan',
  'review',
  'services',
  'timeline',
  'audit',
  'knowledge',
  'settings',
  'keys',
] as const satisfies readonly Context[];
const needs = [
  'need-plan',
  'need-question',
  'need-secret',
  'need-stopped',
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

export type Alone = (typeof alone)[number];
export type OfScreen = (typeof screens)[number];
export type OfNeed = (typeof needs)[number];

/** The contexts that are open together, the most special first. */
export type Stack = readonly Context[];

/** Where a screen has no keys of its own. */
export const everywhere: Stack = ['list', 'command'];

export function stackOfScreen(screen: OfScreen): Stack {
  return [screen, ...everywhere];
}

export function stackOfNeed(need: OfNeed): Stack {
  return [need, 'need', ...everywhere];
}

export function stackAlone(context: Alone): Stack {
  return [context];
}

/** Everything that can be open at once: where two keys could be in each other's way. */
export const contextStacks: readonly Stack[] = [
  ...alone.map(stackAlone),
  everywhere,
  ...screens.map(stackOfScreen),
  ...needs.map(stackOfNeed),
];
