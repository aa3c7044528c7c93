/** How well a text matches, and which of its characters do. */
export type TextMatch = {readonly score: number; readonly positions: readonly number[]};

/**
 * Matches words by subsequence: the letters of each must occur in the text in their order. Letters
 * side by side and at the beginning of a word count more. Undefined if a word does not match.
 */
export function matchText(query: string, text: string): TextMatch | undefined {
  return matchEach(query, text, matchWord);
}

/** The same, with one wrong, missing, doubled or swapped letter in each word of four and more. */
export function matchWithTypos(query: string, text: string): TextMatch | undefined {
  return matchEach(query, text, (word, lower) => {
    const found = matchWord(word, lower);
    if (found !== undefined || word.length < minTypoLetters) return found;
    return toVariants(word)
      .map((variant) => matchWord(variant, lower))
      .reduce(better, undefined);
  });
}

const minTypoLetters = 4;

function matchEach(
  query: string,
  text: string,
  match: (word: string, text: string) => TextMatch | undefined,
): TextMatch | undefined {
  // Lower case may be longer than the text ("İ"), and its positions would be wrong.
  const lower = Array.from(text, (character) => character.toLowerCase()[0] ?? '').join('');
  let score = 0;
  const positions = new Set<number>();
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const found = match(word, lower);
    if (found === undefined) return undefined;
    score += found.score;
    for (const position of found.positions) positions.add(position);
  }

  return {score, positions: [...positions].toSorted((one, other) => one - other)};
}

function better(one: TextMatch | undefined, other: TextMatch | undefined): TextMatch | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.score > one.score ? other : one;
}

/** The best way to place the letters of a word in a text. */
function matchWord(word: string, text: string): TextMatch | undefined {
  const letters = Array.from(word);
  // For each letter and place: the best score up to there, and the place of the letter before.
  let before: readonly (Step | undefined)[] = [];
  const table: (readonly (Step | undefined)[])[] = [];
  for (const [index, letter] of letters.entries()) {
    let best: {readonly at: number; readonly score: number} | undefined;
    const row = Array.from({length: text.length}, (_, at): Step | undefined => {
      const previous = at === 0 ? undefined : before[at - 1];
      if (previous !== undefined && (best === undefined || previous.score > best.score))
        best = {at: at - 1, score: previous.score};
      if (text[at] !== letter) return undefined;
      const own = 1 + startBonus(text, at);
      if (index === 0) return {score: own, from: -1};
      if (best === undefined) return undefined;
      const beside = previous === undefined ? -1 : previous.score + besideBonus;
      return beside >= best.score
        ? {score: own + beside, from: at - 1}
        : {score: own + best.score, from: best.at};
    });
    table.push(row);
    before = row;
  }

  const last = before.reduce<number>(
    (found, step, at) =>
      step !== undefined && step.score > (before[found]?.score ?? -1) ? at : found,
    -1,
  );
  if (last === -1) return undefined;
  const positions: number[] = [];
  for (let index = letters.length - 1, at = last; index >= 0; index--) {
    positions.unshift(at);
    at = table[index]?.[at]?.from ?? -1;
  }

  return {score: before[last]?.score ?? 0, positions};
}

type Step = {readonly score: number; readonly from: number};

const besideBonus = 4;

/** The beginning of the text counts most, then that of a word. */
function startBonus(text: string, at: number): number {
  if (at === 0) return 5;
  return /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '') ? 3 : 0;
}

/** The word without one letter, and with two neighbours swapped. */
function toVariants(word: string): string[] {
  const letters = Array.from(word);
  return letters.flatMap((letter, index) => [
    letters.filter((_, at) => at !== index).join(''),
    ...(index === 0
      ? []
      : [
          [
            ...letters.slice(0, index - 1),
            letter,
            letters[index - 1] ?? '',
            ...letters.slice(index + 1),
          ].join(''),
        ]),
  ]);
}
