/** Text in one spelling (NFC), whatever the machine that typed it prefers. */
export function toNfc(text: string): string {
  // ICU puts combining marks in order in quadratic time: 128 kB of them take seconds. No language stacks 31
  // (Unicode's stream-safe limit is 30), so such a pile is left as it is.
  return /\p{M}{31}/u.test(text) ? text : text.normalize('NFC');
}
