/**
 * Makes hostile text safe and honest to print on one or more lines: terminal controls become visible
 * escapes, and so do the characters that hide or reorder what a person reads (bidi, zero-width, tags).
 * Newline and tab stay.
 */
export function sanitizeText(text: string): string {
  return text.replaceAll(
    hiddenCharacter,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/**
 * One character that acts on a terminal, cannot be seen, or reorders what is seen. VS15 and VS16 belong to an emoji before them; anywhere
 * else, and two in a row, they hide something.
 */
export const hiddenCharacter =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\uFFF9-\uFFFB\p{Surrogate}]|(?![\uFE0E\uFE0F])\p{Default_Ignorable_Code_Point}|(?<!\p{Emoji})[\uFE0E\uFE0F]/gu;
