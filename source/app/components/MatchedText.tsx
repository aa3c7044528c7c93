import type {ReactElement} from 'react';
import {SafeText} from './SafeText.tsx';

/** A text with the characters marked that match what was written. */
export function MatchedText({
  text,
  positions,
  bold = false,
}: {
  readonly text: string;
  /** Indices of the characters, in their order. */
  readonly positions: readonly number[];
  readonly bold?: boolean;
}): ReactElement {
  const parts: {text: string; isMatch: boolean}[] = [];
  const marked = new Set(positions);
  for (const [index, character] of Array.from(text).entries()) {
    const isMatch = marked.has(index);
    const last = parts.at(-1);
    if (last?.isMatch === isMatch) last.text += character;
    else parts.push({text: character, isMatch});
  }

  return (
    <SafeText bold={bold} label={text}>
      {parts.map(({text: part, isMatch}, index) =>
        isMatch ? (
          <SafeText key={index} tone="warn" bold>
            {part}
          </SafeText>
        ) : (
          part
        ),
      )}
    </SafeText>
  );
}
