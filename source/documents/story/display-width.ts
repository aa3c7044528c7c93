/** How many cells a terminal gives to a text that is safe to print: wide scripts and emoji take two, marks take none. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += nothing.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}

/** As much of a line as fits, with a mark where it was cut. */
export function fitLine(line: string, width: number): string {
  if (displayWidth(line) <= width) return line;
  let used = 0;
  let end = 0;
  for (const character of line) {
    used += displayWidth(character);
    if (used > width - 1) break;
    end += character.length;
  }

  return `${line.slice(0, end)}…`;
}

const plain = /^[\u0020-\u007E]*$/;
const nothing = /^\p{M}$/u;
const wide = /^(?:\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}])$/u;
