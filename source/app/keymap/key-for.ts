import {formatChord} from './chord.ts';
import type {ActionName} from './action-name.ts';
import type {Context} from './binding.ts';
import type {Model} from '../model/model.ts';

/**
 * The key of an action in the keymap of the person, for messages. For an action without a key, the
 * key of the palette.
 */
export function keyFor(
  model: Pick<Model, 'keymap'>,
  action: ActionName,
  context?: Context,
): string {
  const chord = firstKey(model, action, context) ?? firstKey(model, 'palette', 'command');
  return chord === undefined ? '' : formatChord(chord);
}

function firstKey(
  {keymap}: Pick<Model, 'keymap'>,
  action: ActionName,
  context: Context | undefined,
): string | undefined {
  return keymap.bindings.find(
    (binding) => binding.action === action && (context === undefined || binding.in === context),
  )?.keys[0];
}
