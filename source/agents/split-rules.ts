/**
 * The rules, which every prompt begins with, and where the rest begins: an agent that can be given text on top of its own
 * instructions gets the rules there, where they also outlive a compaction, and the rest as its prompt. Together they are the
 * prompt, wherever it is cut.
 */
export function splitRules(prompt: string): {readonly rules: string; readonly from: number} {
  const next = prompt.startsWith('# Rules\n') ? prompt.indexOf('\n\n# ') : -1;
  // One argument holds 128 KiB; rules that long stay where they are.
  if (next === -1 || next > mostCharacters || prompt.slice(0, next).includes('\0'))
    return {rules: '', from: 0};
  return {rules: prompt.slice(0, next), from: next + 2};
}

const mostCharacters = 30_000;
