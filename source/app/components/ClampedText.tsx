import {Box, type DOMElement, measureElement, useIsScreenReaderEnabled} from 'ink';
import {type ReactElement, useLayoutEffect, useRef, useState} from 'react';
import {useView} from '../hooks/use-view.ts';
import {safeLine, wrap} from '../model/line.ts';
import type {Token} from '../theme/tokens.ts';
import {SafeText} from './SafeText.tsx';

/**
 * A text of at most so many rows. What does not fit is cut with an ellipsis at the end of the last
 * row; a screen reader reads all of it. The box that it is in gives its width.
 */
export function ClampedText({
  rows,
  tone = 'text',
  bold = false,
  children,
}: {
  readonly rows: number;
  readonly tone?: Token;
  readonly bold?: boolean;
  readonly children: string;
}): ReactElement {
  const ref = useRef<DOMElement>(null);
  const [columns, setColumns] = useState(0);
  const isReader = useIsScreenReaderEnabled();
  // A box of another width does not render this again by itself.
  useView(({size}) => size.columns);
  useLayoutEffect(() => {
    if (ref.current !== null) setColumns(measureElement(ref.current).width);
  });
  const lines = isReader || columns === 0 ? [] : wrap(safeLine(children), columns);
  const text = {tone, bold};
  return (
    <Box
      ref={ref}
      flexDirection="column"
      flexGrow={1}
      flexShrink={1}
      flexBasis={0}
      {...(!isReader && {maxHeight: rows, overflow: 'hidden'})}
    >
      {lines.length <= rows ? (
        <SafeText {...text} wrap="wrap">
          {children}
        </SafeText>
      ) : (
        <>
          {lines.slice(0, rows - 1).map((line, index) => (
            <SafeText key={index} {...text}>
              {line}
            </SafeText>
          ))}
          <SafeText {...text}>{lines.slice(rows - 1).join(' ')}</SafeText>
        </>
      )}
    </Box>
  );
}
