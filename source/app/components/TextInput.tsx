import {Box} from 'ink';
import type {ReactElement} from 'react';
import {Caret} from '../ink/regions.tsx';
import type {TextField} from '../model/text-field.ts';
import {SafeText} from './SafeText.tsx';

/**
 * A line that is written. The terminal's own cursor is at its place. A text that is too long shows
 * its end before the cursor.
 */
export function TextInput({
  field: {text, cursor},
  isSecret = false,
}: {
  readonly field: TextField;
  readonly isSecret?: boolean;
}): ReactElement {
  const shown = (part: string): string => (isSecret ? '•'.repeat(Array.from(part).length) : part);
  return (
    <Box flexGrow={1} flexShrink={1} flexBasis={0} height={1} overflow="hidden">
      <Box flexShrink={1} height={1}>
        <SafeText wrap="truncate-start">{shown(text.slice(0, cursor))}</SafeText>
      </Box>
      <Caret />
      <Box flexShrink={2} height={1}>
        <SafeText>{shown(text.slice(cursor))}</SafeText>
      </Box>
    </Box>
  );
}
