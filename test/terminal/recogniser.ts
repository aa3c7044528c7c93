import assert from 'node:assert/strict';

/**
 * Recognises exactly what may reach a person's terminal. Written on its own, from the list in
 * docs/decisions/0006-screens.md and not from the filter, so that one of the two catches the
 * other's mistake.
 */
const number = String.raw`\d{0,4}`;
const allowed = [
  // A flag that is written in tags.
  String.raw`\uD83C\uDFF4(?:\uDB40[\uDC61-\uDC7A]){5}\uDB40\uDC7F`,
  // Text, without C0 but BS TAB LF CR SO SI, without DEL, C1, surrogates that stand alone, and what
  // reorders text or cannot be seen.
  String.raw`(?!\u034F|\u17B4|\u17B5|[\u180B-\u180F]|[\uFE00-\uFE0D]|[\u00AD\u115F\u1160\u200B\u2028\u2029\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB])[\b\t\n\r\x0E\x0F\x20-\x7E\u00A0-\u061B\u061D-\u200D\u2010-\u2029\u202F-\u2065\u206A-\uD7FF\uE000-\uFFFF]`,
  String.raw`(?!\uDB40|\uD82F[\uDCA0-\uDCA3]|\uD834[\uDD73-\uDD7A])[\uD800-\uDBFF][\uDC00-\uDFFF]`,
  // Save and restore the cursor, keypad, index, next line, tab stop, reverse index, line drawing.
  String.raw`\x1B[78=>DEHM]`,
  String.raw`\x1B[()][0B]`,
  // Colours and styles.
  String.raw`\x1B\[[\d:;]{0,256}m`,
  // Movement, and the scroll region.
  String.raw`\x1B\[${number}(?:;${number}){0,128}[A-Hadefr${'`'}]`,
  // Insert, delete, scroll, tabs, erase, repeat.
  String.raw`\x1B\[${number}[@ILMPSTXZb]`,
  String.raw`\x1B\[\??[0-2]?[JK]`,
  String.raw`\x1B\[[03]?g`,
  String.raw`\x1B\[[su]`,
  // Cursor shape, soft reset, insert mode, and the private modes.
  String.raw`\x1B\[[0-6]? q`,
  String.raw`\x1B\[!p`,
  String.raw`\x1B\[4[hl]`,
  String.raw`\x1B\[\?(?:(?:1|6|7|12|25|47|100[0234567]|1015|104[789]|2004|2026)(?:;(?=\d))?)+[hl]`,
];

const everything = new RegExp(`^(?:${allowed.join('|')})*$`);
const maxPartLength = 400;

/** Fails on the first thing that is not allowed, and shows it. */
export function assertOnlyAllowed(bytes: Uint8Array, what: string): void {
  const text = new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
  // Piece by piece at line ends, because a regular expression runs out of stack on a long text.
  for (const line of text.split(/(?<=\n)/)) {
    for (let from = 0; from < line.length;) {
      const part = line.slice(from, from + maxPartLength);
      const end = from + maxPartLength >= line.length ? part.length : lastBoundary(part);
      assert.match(
        part.slice(0, end),
        everything,
        `${what}: not allowed: ${JSON.stringify(part.slice(0, end))}`,
      );
      from += end;
    }
  }
}

/**
 * Before the last escape sequence, or before the last characters, but not between two surrogates; a
 * part is longer than any sequence.
 */
function lastBoundary(part: string): number {
  const escape = part.lastIndexOf('\u001B');
  if (escape > 0) return escape;
  return /[\uD800-\uDBFF].$/.test(part) ? part.length - 2 : part.length - 1;
}
