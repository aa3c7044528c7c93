import type {Binding} from './keymap.ts';
import {keymap} from './keymap.ts';

/** The name of one binding in the settings: `workers.zoom`. */
export function keyNameOf({in: context, does}: Pick<Binding, 'in' | 'does'>): string {
  return `${context}.${does}`;
}

/** The bindings that are changed by a name: those of a deed wherever it has a key, or the one of a context. Nothing for a name that is none. */
export function boundBy(name: string): readonly Binding[] {
  return changeable.filter((binding) => binding.does === name || keyNameOf(binding) === name);
}

/** Every name that a setting can have. They are promises: none may vanish. */
export function keyNames(): readonly string[] {
  return [...new Set(changeable.flatMap((binding) => [binding.does, keyNameOf(binding)]))];
}

/** The key that leaves typing has a setting of its own, for `attach` has it too. */
const changeable = keymap.filter(({isFixed, does}) => isFixed !== true && does !== 'stop-typing');
