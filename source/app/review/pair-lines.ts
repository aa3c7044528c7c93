/**
 * For each removed line of a change block, the index of the added line that replaces it: a line
 * that is alike by more than half. Pairs never cross.
 *
 * `quick` compares only lines of the same position, by their common start and end. It is for blocks
 * whose lines are too many to compare each with each.
 */
export function pairLines(
  removed: readonly string[],
  added: readonly string[],
  how: 'each' | 'quick',
): readonly (number | undefined)[] {
  if (how === 'quick')
    return removed.map((text, index) => {
      const other = added[index];
      return other !== undefined && isAlikeAtEnds(text.trim(), other.trim()) ? index : undefined;
    });
  const [one, ...others] = removed.map(toCompared);
  const [other, ...rest] = added.map(toCompared);
  if (one === undefined || other === undefined) return removed.map(() => undefined);
  // Nearly all blocks of a diff are of one line each.
  if (others.length === 0 && rest.length === 0)
    return [computeLikeness(one, other) > minLikeness ? 0 : undefined];
  return bestPairs([one, ...others], [other, ...rest]);
}

/** Alike by more than half. */
const minLikeness = 0.5;

type Compared = {
  readonly text: string;
  readonly length: number;
  /** How often each word occurs; made when it is first needed. */
  tokens?: ReadonlyMap<string, number>;
};

function toCompared(text: string): Compared {
  const trimmed = text.trim();
  return {text: trimmed, length: trimmed.length};
}

/** The pairs that have the largest sum of likeness, in order: dynamic programming from the end. */
function bestPairs(
  removed: readonly Compared[],
  added: readonly Compared[],
): (number | undefined)[] {
  const columns = added.length + 1;
  const likeness = new Float64Array(removed.length * columns);
  const best = new Float64Array((removed.length + 1) * columns);
  for (let row = removed.length - 1; row >= 0; row--)
    for (let column = added.length - 1; column >= 0; column--) {
      const [one, other] = [removed[row], added[column]];
      const alike = one === undefined || other === undefined ? 0 : computeLikeness(one, other);
      likeness[row * columns + column] = alike;
      best[row * columns + column] = Math.max(
        best[(row + 1) * columns + column] ?? 0,
        best[row * columns + column + 1] ?? 0,
        alike > minLikeness ? alike + (best[(row + 1) * columns + column + 1] ?? 0) : 0,
      );
    }

  const pairs: (number | undefined)[] = removed.map(() => undefined);
  let [row, column] = [0, 0];
  while (row < removed.length && column < added.length) {
    const here = best[row * columns + column] ?? 0;
    const alike = likeness[row * columns + column] ?? 0;
    if (alike > minLikeness && here === alike + (best[(row + 1) * columns + column + 1] ?? 0))
      pairs[row++] = column++;
    else if (here === best[(row + 1) * columns + column]) row += 1;
    else column += 1;
  }

  return pairs;
}

/** From 0 to 1: the share of characters in words that both lines have. Indents do not count. */
function computeLikeness(one: Compared, other: Compared): number {
  const sum = one.length + other.length;
  // Most pairs are settled by their length, or by their start and end.
  if (4 * Math.min(one.length, other.length) <= sum) return 0;
  if (one.text === other.text) return 1;
  const ends = 2 * countCommonEnds(one.text, other.text);
  if (2 * ends > sum) return ends / sum;
  if (sum > maxCharacters) return 0;
  one.tokens ??= countEachToken(one.text);
  other.tokens ??= countEachToken(other.text);
  let common = 0;
  let all = 0;
  for (const [word, count] of one.tokens) {
    all += word.length * count;
    common += word.length * Math.min(count, other.tokens.get(word) ?? 0);
  }

  for (const [word, count] of other.tokens) all += word.length * count;
  return all === 0 ? 0 : (2 * common) / all;
}

/** Of two lines. Longer ones are compared only by their start and end. */
const maxCharacters = 1000;

function isAlikeAtEnds(one: string, other: string): boolean {
  return one !== '' && 4 * countCommonEnds(one, other) > one.length + other.length;
}

/** Characters of the common start and the common end. */
function countCommonEnds(one: string, other: string): number {
  const max = Math.min(one.length, other.length);
  let start = 0;
  while (start < max && one.charCodeAt(start) === other.charCodeAt(start)) start += 1;
  let end = 0;
  while (
    end < max - start &&
    one.charCodeAt(one.length - 1 - end) === other.charCodeAt(other.length - 1 - end)
  )
    end += 1;
  return start + end;
}

function countEachToken(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const token of text.match(comparedToken) ?? [])
    counts.set(token, (counts.get(token) ?? 0) + 1);
  return counts;
}

/**
 * Coarser than `splitTokens`, and far faster: words of Latin letters, and all else by character.
 */
const comparedToken = /[\w\u00C0-\u024F]+|[^\s]/g;
