import {Box} from 'ink';
import {memo, type ReactElement, useMemo} from 'react';
import {useTheme} from '../hooks/use-view.ts';
import type {Fill} from '../theme/fills.ts';

/**
 * A part of a line that is filled with one sign, as wide as its share of the line. A screen reader
 * skips it: the numbers stand beside it.
 */
export const FillLine = memo(function FillLine({
  fill: {sign, tone},
  share,
  minWidth = 0,
}: {
  readonly fill: Fill;
  /** Its weight among the parts of the line. */
  readonly share: number;
  /** What must be seen however little it is has 1. @default 0 */
  readonly minWidth?: number;
}): ReactElement {
  const {color} = useTheme().styles[tone];
  const borderStyle = useMemo(() => ({...lines, top: sign}), [sign]);
  return (
    <Box
      aria-hidden
      height={1}
      flexGrow={Math.max(0, share)}
      flexShrink={1}
      flexBasis={0}
      minWidth={minWidth}
      borderStyle={borderStyle}
      borderBottom={false}
      borderLeft={false}
      borderRight={false}
      {...(color !== undefined && {borderColor: color})}
    />
  );
});

/** A part of a line that stays empty. */
export function Gap({share}: {readonly share: number}): ReactElement {
  return <Box flexGrow={Math.max(0, share)} flexShrink={1} flexBasis={0} />;
}

/** Only the upper line of the border is drawn. */
const lines = {
  topLeft: '',
  topRight: '',
  bottomLeft: '',
  bottomRight: '',
  bottom: '',
  left: '',
  right: '',
};
