/** How much of what a conversation is given it has been given before. */
export type Repetition = {
  readonly lines: number;
  readonly repeated: number;
  /** 0 to 1. */
  readonly share: number;
};

/**
 * The prompts of one conversation, in order. Nonces and ages differ in every prompt and say
 * nothing, so they are not compared.
 */
export function repeatedShare(prompts: readonly string[]): Repetition {
  const seen = new Set<string>();
  let [lines, repeated] = [0, 0];
  for (const [index, prompt] of prompts.entries()) {
    const own = prompt
      .split('\n')
      .map(normalize)
      .filter((line) => line !== '');
    if (index > 0) {
      lines += own.length;
      repeated += own.filter((line) => seen.has(line)).length;
    }

    for (const line of own) seen.add(line);
  }

  return {lines, repeated, share: lines === 0 ? 0 : repeated / lines};
}

function normalize(line: string): string {
  return line
    .replaceAll(/data [\w-]{8,64}(?= |>)/g, 'data')
    .replaceAll(/\d+ (?:ms|s|min|h) ago/g, 'ago')
    .trim();
}
