import {Box} from 'ink';
import {memo, type ReactElement} from 'react';
import {SafeText} from '../SafeText.tsx';

/** `+3 -1`; what is 0 is left out. */
export const LineCounts = memo(function LineCounts({
  added,
  removed,
}: {
  readonly added: number;
  readonly removed: number;
}): ReactElement {
  return (
    <Box flexShrink={0} columnGap={1}>
      {added > 0 ? <SafeText tone="good">{`+${added}`}</SafeText> : null}
      {removed > 0 ? <SafeText tone="bad">{`-${removed}`}</SafeText> : null}
    </Box>
  );
});
