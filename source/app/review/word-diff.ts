import {diffArrays} from 'diff';

/** A part of a text, in UTF-16 units: from inclusive, to exclusive. */
export type TextRange = {readonly from: number; readonly to: number};

export type ChangedRanges = {
  readonly removed: readonly TextRange[];
  readonly added: readonly TextRange[];
};

/**
 * The words that differ between two versions of a line. Where the lines are long and have little in
 * common, everything between their common start and end counts as changed.
 */
export function findChangedRanges(removed: string, added: string): ChangedRanges {
  const [old, fresh] = [splitTokens(removed), splitTokens(added)];
  const start = countCommon(old, fresh, (tokens, index) => tokens[index]);
  const rest = [old.slice(start), fresh.slice(start)] as const;
  const end = countCommon(...rest, (tokens, index) => tokens[tokens.length - 1 - index]);
  const [oldMiddle, newMiddle] = [
    rest[0].slice(0, rest[0].length - end),
    rest[1].slice(0, rest[1].length - end),
  ];
  const offset = lengthOf(old.slice(0, start));
  const parts =
    oldMiddle.length + newMiddle.length <= maxTokens
      ? diffArrays(oldMiddle, newMiddle, {maxEditLength})
      : undefined;
  if (parts === undefined)
    return {
      removed: joinRanges(removed, [{from: offset, to: offset + lengthOf(oldMiddle)}]),
      added: joinRanges(added, [{from: offset, to: offset + lengthOf(newMiddle)}]),
    };
  const ranges: {removed: TextRange[]; added: TextRange[]} = {removed: [], added: []};
  let [oldAt, newAt] = [offset, offset];
  for (const part of parts) {
    const length = lengthOf(part.value);
    if (part.removed) ranges.removed.push({from: oldAt, to: oldAt + length});
    if (part.added) ranges.added.push({from: newAt, to: newAt + length});
    if (!part.added) oldAt += length;
    if (!part.removed) newAt += length;
  }

  return {removed: joinRanges(removed, ranges.removed), added: joinRanges(added, ranges.added)};
}

/** Together they bound the time for a pair of lines to about 5 ms. */
const maxTokens = 2000;
const maxEditLength = 120;

/**
 * Words, runs of spaces, and single other characters. Scripts that write no spaces between words
 * are split by character, and an emoji of several code points stays whole.
 */
export function splitTokens(text: string): readonly string[] {
  return text.match(isAscii.test(text) ? asciiWord : unicodeWord()) ?? [];
}

const isAscii = /^[\u0000-\u007F]*$/;
const asciiWord = /\w+|\s+|[^\w\s]/g;
/** Made at its first use and cached by V8: it holds a table of all emoji, 15 ms. */
const unicodeWord = (): RegExp =>
  /\p{RGI_Emoji}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|[[\p{L}\p{N}\p{M}_]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+|\s+|[^\s]\p{M}*/gv;

function countCommon(
  one: readonly string[],
  other: readonly string[],
  at: (tokens: readonly string[], index: number) => string | undefined,
): number {
  const max = Math.min(one.length, other.length);
  let count = 0;
  while (count < max && at(one, count) === at(other, count)) count += 1;
  return count;
}

function lengthOf(tokens: readonly string[]): number {
  return tokens.reduce((sum, {length}) => sum + length, 0);
}

/** Two changed words with only spaces between them are one range. */
function joinRanges(text: string, ranges: readonly TextRange[]): TextRange[] {
  const joined: TextRange[] = [];
  for (const range of ranges) {
    if (range.from === range.to) continue;
    const last = joined.at(-1);
    if (last !== undefined && text.slice(last.to, range.from).trim() === '')
      joined[joined.length - 1] = {from: last.from, to: range.to};
    else joined.push(range);
  }

  return joined;
}
