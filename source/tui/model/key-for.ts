import {chordInWords} from './chord.ts';
import type {Deed} from './deed.ts';
import type {Context} from './keymap.ts';
import type {Model} from './model.ts';

/** The key for something, as this person has it, for a sentence that names it. What has none is found among the commands. */
export function keyFor(model: Pick<Model, 'keymap'>, does: Deed, context?: Context): string {
  const chord = firstKey(model, does, context) ?? firstKey(model, 'palette', 'command');
  return chord === undefined ? '' : chordInWords(chord);
}

function firstKey(
  {keymap}: Pick<Model, 'keymap'>,
  does: Deed,
  context: Context | undefined,
): string | undefined {
  return keymap.bindings.find(
    (binding) => binding.does === does && (context === undefined || binding.in === context),
  )?.keys[0];
}
