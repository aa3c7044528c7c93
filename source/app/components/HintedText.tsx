import {Box} from 'ink';
import type {ReactElement, ReactNode} from 'react';

/**
 * A text with a key hint at the end of its row. Where both do not fit beside each other, the hint
 * stands on the right below the text: words never break around it.
 */
export function HintedText({
  children,
  hint,
}: {
  /** A `SafeText` that wraps. */
  readonly children: ReactNode;
  readonly hint: ReactNode;
}): ReactElement {
  return (
    <Box
      flexGrow={1}
      flexShrink={1}
      flexBasis={0}
      flexWrap="wrap"
      columnGap={2}
      justifyContent="flex-end"
    >
      <Box flexGrow={1} flexShrink={0}>
        {children}
      </Box>
      {hint === undefined ? null : <Box flexShrink={0}>{hint}</Box>}
    </Box>
  );
}
