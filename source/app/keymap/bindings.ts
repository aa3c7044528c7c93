import type {Binding, Context} from './binding.ts';
import {everywhereBindings} from './bindings/everywhere.ts';
import {fieldBindings} from './bindings/fields.ts';
import {needsBindings} from './bindings/needs.ts';
import {paneBindings} from './bindings/panes.ts';
import {planBindings} from './bindings/plan.ts';
import {reviewBindings} from './bindings/review.ts';
import {workersBindings} from './bindings/workers.ts';

/**
 * The default keymap. Each action is bound once per context, and both names are public: the setting
 * `workers.zoom` changes the binding of `zoom` in `workers`. Help, status line, palette and
 * docs/keys.md are generated from this table. Capital letters decide something, small ones do not.
 * The order matters: `keyFor` takes the first binding of an action.
 */
export const keymap: readonly Binding[] = [
  ...workersBindings,
  ...planBindings,
  ...needsBindings,
  ...reviewBindings,
  ...everywhereBindings,
  ...paneBindings,
  ...fieldBindings,
];

/** The contexts in the order of a list of all keys: those that are always active first. */
export const contextOrder: readonly Context[] = [
  'command',
  'list',
  ...new Set(
    keymap
      .map(({in: context}) => context)
      .filter((context) => context !== 'command' && context !== 'list'),
  ),
];
