/** The words of a text, in the order in which they stand. */
export function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+/gu)?.slice(0, mostWords) ?? [];
}

/** What a word is found by: itself, and the parts of a name like `refreshToken` or `refresh_token`. */
export function termsOf(word: string): string[] {
  if (word.length > longestWord) return [];
  const parts = word.split(/_|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u).filter((part) => part !== '');
  return [...new Set([word, ...(parts.length > 1 ? parts : [])].map((term) => term.toLowerCase()))];
}

const mostWords = 10_000;
/** Longer ones are hashes and base64; a search for similar ones would take long and find nothing. */
const longestWord = 64;
