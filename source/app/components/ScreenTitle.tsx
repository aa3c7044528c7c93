import {Box} from 'ink';
import type {ReactElement, ReactNode} from 'react';
import {SafeText} from './SafeText.tsx';

/** The first row of a screen: its name, what it is about, and a fact on the right. */
export function ScreenTitle({
  title,
  about = '',
  children,
}: {
  readonly title: string;
  readonly about?: string;
  readonly children?: ReactNode;
}): ReactElement {
  return (
    <Box height={1} flexShrink={0} paddingX={1} marginBottom={1} columnGap={2}>
      <Box flexShrink={0}>
        <SafeText bold>{title}</SafeText>
      </Box>
      <Box flexGrow={1} flexShrink={1}>
        <SafeText tone="dim">{about}</SafeText>
      </Box>
      <Box flexShrink={0}>{children}</Box>
    </Box>
  );
}
