import type {Need} from '../need.ts';

/** One way to answer a question: `key` chooses it, also as the text of `send-input`. */
export type Choice = {readonly key: string; readonly label: string};

/**
 * The options of a question with the keys that choose them: those that a plain program expects, and
 * otherwise their numbers. Empty if there are none.
 */
export function selectChoices(need: Need): readonly Choice[] {
  if (need.kind !== 'question') return [];
  return (need.options ?? []).map((label, index) => ({
    key: need.keys?.[index] ?? String(index + 1),
    label,
  }));
}
