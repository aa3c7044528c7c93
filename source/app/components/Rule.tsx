import {Box} from 'ink';
import {type ReactElement, use} from 'react';
import {SurfaceContext, useSigns, useTheme} from '../hooks/use-view.ts';
import type {Token} from '../theme/tokens.ts';

/** A horizontal line that takes the room that is left. A screen reader skips it. */
export function Rule({
  tone = 'border',
  isHeavy = false,
  minWidth = 0,
}: {
  readonly tone?: Token;
  readonly isHeavy?: boolean;
  readonly minWidth?: number;
}): ReactElement {
  const {styles} = useTheme();
  const {frames} = useSigns();
  const surface = use(SurfaceContext);
  return (
    <Box
      aria-hidden
      flexGrow={1}
      flexShrink={1}
      minWidth={minWidth}
      height={1}
      borderStyle={isHeavy ? frames.heavy : frames.rounded}
      borderBottom={false}
      borderLeft={false}
      borderRight={false}
      {...(styles[tone].color !== undefined && {borderColor: styles[tone].color})}
      {...(surface !== undefined && {borderBackgroundColor: surface})}
    />
  );
}
