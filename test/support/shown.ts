import assert from 'node:assert/strict';

/** Nothing in the text acts on a terminal or hides from a person. */
export function assertShown(text: string): void {
  assert.doesNotMatch(
    text,
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]|\p{Surrogate}/u,
  );
}
