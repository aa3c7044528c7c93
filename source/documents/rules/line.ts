/** One line: where it stands, how far its text is indented (in columns), and the text. */
export type Line = {
  readonly number: number;
  readonly indent: number;
  readonly content: string;
};

export function lineAt(text: string, number: number): Line {
  const content = text.trim();
  let indent = 0;
  for (const character of text) {
    if (character !== ' ' && character !== '\t') break;
    indent = columnAfter(indent, character);
  }

  return {number, indent, content};
}

/** A tab goes to the next multiple of four. */
export function columnAfter(column: number, character: string): number {
  return character === '\t' ? column + 4 - (column % 4) : column + 1;
}

/** The text without the run of `mark` at its end. A regular expression `#+$` would be quadratic. */
export function withoutTrailing(text: string, mark: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === mark) end -= 1;
  return text.slice(0, end).trimEnd();
}
