export type JsonToken = {
  /** The token's text; empty at the end of the text, undefined where no token can begin. */
  readonly found: string | undefined;
  readonly offset: number;
};

/** The words of JSON, one after the other, until the text ends or something stands there that is no JSON. */
export function* jsonTokens(text: string): Generator<JsonToken, void> {
  const whitespace = /[ \t\n\r]*/y;
  const word =
    /[{}[\]:,]|"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[Ee][-+]?\d+)?|true|false|null|$/y;
  for (;;) {
    whitespace.lastIndex = word.lastIndex;
    whitespace.test(text);
    const offset = whitespace.lastIndex;
    word.lastIndex = offset;
    const found = word.exec(text)?.[0];
    yield {found, offset};
    if (found === undefined || found === '') return;
  }
}
