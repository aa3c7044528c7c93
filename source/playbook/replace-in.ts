export type Replaced = {
  readonly text: string;
  readonly count: number;
  /** The replacement stands there already. */
  readonly isThere: boolean;
};

/**
 * Replaces every place. Where the replacement has the searched text in it (`new` → `newer`), what was replaced before is
 * left alone, so that doing it twice is doing it once.
 */
export function replaceIn(text: string, find: string, replacement: string): Replaced {
  const isThere = replacement !== '' && text.includes(replacement);
  const pieces = replacement.includes(find) ? text.split(replacement) : [text];
  const count = pieces.reduce((sum, piece) => sum + piece.split(find).length - 1, 0);
  return {
    text: pieces.map((piece) => piece.split(find).join(replacement)).join(replacement),
    count,
    isThere,
  };
}
