import {Box, type BoxProps, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement, ReactNode} from 'react';
import {SurfaceContext, useSize, useTheme} from '../hooks/use-view.ts';
import {opaque} from '../ink/box-parts.ts';
import {Clickable, Veil} from '../ink/regions.tsx';
import {toColourUnit} from '../theme/to-sgr.ts';

/** What lies over the screen, on `raised`. Everything else is dimmed until it is closed. */
export function OverlayBox({
  width,
  align = 'center',
  children,
  ...box
}: {
  readonly width: number;
  /** Where it is, from top to bottom. @default center */
  readonly align?: 'center' | 'flex-start';
  readonly children: ReactNode;
} & Pick<BoxProps, 'height'>): ReactElement {
  const theme = useTheme();
  const size = useSize();
  // A screen reader would read what is left of the rows beside it.
  const isReader = useIsScreenReaderEnabled();
  const drop = align === 'center' ? 0 : Math.max(0, Math.min(4, Math.floor(size.rows / 8)));
  return (
    <>
      <Veil colour={toColourUnit(theme.styles.faint.color)} />
      <Clickable
        target={{type: 'outside'}}
        position="absolute"
        top={0}
        left={0}
        width={size.columns}
        height={size.rows}
        alignItems="center"
        justifyContent={align}
        flexDirection="column"
        {...(isReader && {backgroundColor: opaque})}
      >
        <FixedRows count={Math.max(2, drop)} />
        <Clickable
          target={{type: 'inside'}}
          width={Math.min(width, size.columns - 2)}
          maxHeight={size.rows}
          flexShrink={1}
          flexDirection="column"
          {...box}
          backgroundColor={theme.fill('raised').backgroundColor ?? opaque}
        >
          <Box flexDirection="column" flexGrow={1} flexShrink={1} overflow="hidden">
            <SurfaceContext value={theme.fill('raised').backgroundColor}>{children}</SurfaceContext>
          </Box>
        </Clickable>
        <FixedRows count={1} />
      </Clickable>
    </>
  );
}

/** Where there is room, the fixed rows stay visible: who needs you, and the keys. */
function FixedRows({count}: {readonly count: number}): ReactElement {
  return <Box height={count} flexShrink={1_000_000} />;
}
