/**
 * Makes hostile text safe and honest to print on one or more lines: terminal controls become visible
 * escapes, and so do the characters that hide or reorder what a person reads (bidi, zero-width, tags).
 * Newline and tab stay.
 */
export function sanitizeText(text: string): string {
  return text.replaceAll(
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}\p{Surrogate}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
