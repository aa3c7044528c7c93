/** How many cells a terminal gives to a text that is safe to print: wide scripts and emoji take two, marks take none. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** As many whole characters from the beginning as fit. */
export function headOf(text: string, width: number): string {
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += widthOf(character);
    if (used > width) break;
    end += character.length;
  }

  return text.slice(0, end);
}

/** As much of a line as fits, with a mark where it was cut. */
export function cutLine(line: string, width: number): string {
  if (width <= 0) return '';
  return displayWidth(line) <= width ? line : `${headOf(line, width - 1)}…`;
}

function widthOf(character: string): number {
  return nothing.test(character) ? 0 : wide.test(character) ? 2 : 1;
}

const plain = /^[\u0020-\u007E]*$/;
const nothing = /^\p{M}$/u;
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}])$/u;
