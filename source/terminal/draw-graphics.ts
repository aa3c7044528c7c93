/** The text as the line drawing character set shows it; sequences in it stay as they are. */
export function drawGraphics(text: string): string {
  return text.replaceAll(/\u001B\[[^@-~]*[@-~]|\u001B[ -/]*[0-~]|[_-~]/g, (part) =>
    part.length > 1 ? part : glyphs.charAt(part.charCodeAt(0) - 0x5f),
  );
}

/** For `_` to `~`. */
const glyphs = ' ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·';
