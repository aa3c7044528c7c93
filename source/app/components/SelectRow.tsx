import {Box, type BoxProps, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement, ReactNode} from 'react';
import {useSigns, useTheme} from '../hooks/use-view.ts';
import {Inverse} from '../ink/regions.tsx';
import {SafeText} from './SafeText.tsx';

/**
 * A row that can be chosen. The chosen one has a mark in its first column and the colour `select`,
 * or is inverse without colours; a screen reader says so.
 */
export function SelectRow({
  isSelected,
  rows = 1,
  children,
  ...box
}: {
  readonly isSelected: boolean;
  /** How many rows the mark is high. @default 1 */
  readonly rows?: number;
  readonly children?: ReactNode;
} & BoxProps): ReactElement {
  const theme = useTheme();
  const {sign} = useSigns();
  const isReader = useIsScreenReaderEnabled();
  const {backgroundColor} = theme.fill('select');
  return (
    <Inverse
      isOn={isSelected && backgroundColor === undefined && !isReader}
      flexShrink={0}
      {...(isSelected && backgroundColor !== undefined && {backgroundColor})}
      {...box}
    >
      <Box width={isReader ? 'auto' : 1} flexShrink={0} flexDirection="column">
        {isSelected ? <SelectMark sign={sign.cursor} rows={rows} isReader={isReader} /> : null}
      </Box>
      {children}
    </Inverse>
  );
}

function SelectMark({
  sign,
  rows,
  isReader,
}: {
  readonly sign: string;
  readonly rows: number;
  readonly isReader: boolean;
}): ReactElement {
  if (isReader) return <SafeText>chosen: </SafeText>;
  return (
    <>
      {Array.from({length: rows}, (_, row) => (
        <SafeText key={row} tone="accent">
          {sign}
        </SafeText>
      ))}
    </>
  );
}
