import {Box} from 'ink';
import type {ReactElement, ReactNode} from 'react';
import {useSigns, useTheme} from '../../hooks/use-view.ts';
import {Clickable, Inverse} from '../../ink/regions.tsx';
import type {Line} from '../../model/line.ts';
import {type LineItem, toLineNumber} from '../../review/diff-lines.ts';
import type {Token} from '../../theme/tokens.ts';
import {SafeText} from '../SafeText.tsx';
import {CodeText} from './CodeText.tsx';

export type DiffRowProps = {
  readonly line: LineItem;
  /** Its place among the items of the file. */
  readonly index: number;
  readonly isCursor: boolean;
  /** The width of line numbers. */
  readonly digits: number;
  readonly colours: Line | undefined;
  readonly isReader: boolean;
};

/** A line of the diff: both line numbers, its sign, its text. */
export function DiffRow({
  line,
  index,
  isCursor,
  digits,
  colours,
  isReader,
}: DiffRowProps): ReactElement {
  const {kind, oldLine, newLine} = line;
  if (isReader)
    return (
      <SafeText wrap="wrap">
        {`${isCursor ? 'chosen: ' : ''}${readerLabels[kind]} ${toLineNumber(line)}: ${line.text}`}
      </SafeText>
    );
  return (
    <CursorRow isCursor={isCursor}>
      <Clickable
        target={{type: 'item', list: 'diff', index}}
        flexGrow={1}
        flexShrink={1}
        {...useRowFill(kind, isCursor)}
      >
        <Gutter
          isCursor={isCursor}
          numbers={`${formatNumber(oldLine, digits)} ${formatNumber(newLine, digits)}`}
          kind={kind}
        />
        <CodeText line={line} colours={colours} isWhole={isCursor} />
      </Clickable>
    </CursorRow>
  );
}

/** Cells before the text of a line: mark, two numbers, sign. */
export function gutterColumns(digits: number): number {
  return 2 * digits + 5;
}

/** Without colours the row under the cursor is inverse. */
export function CursorRow({
  isCursor,
  children,
}: {
  readonly isCursor: boolean;
  readonly children: ReactNode;
}): ReactElement {
  const hasColour = useTheme().fill('select').backgroundColor !== undefined;
  return (
    <Inverse isOn={isCursor && !hasColour} flexShrink={0}>
      {children}
    </Inverse>
  );
}

/** The background of a line. The cursor leaves that of changed lines as it is. */
export function useRowFill(
  kind: LineItem['kind'],
  isCursor: boolean,
): {readonly backgroundColor?: string} {
  const theme = useTheme();
  const surface = fills[kind] ?? (isCursor ? 'select' : undefined);
  const backgroundColor = surface === undefined ? undefined : theme.fill(surface).backgroundColor;
  return backgroundColor === undefined ? {} : {backgroundColor};
}

/**
 * The mark of the cursor, line numbers and sign, as one text: it is the larger part of the boxes of
 * a screen full of code.
 */
export function Gutter({
  isCursor,
  numbers,
  kind,
}: {
  readonly isCursor: boolean;
  readonly numbers: string;
  readonly kind: LineItem['kind'];
}): ReactElement {
  const {sign} = useSigns();
  return (
    <Box flexShrink={0}>
      <SafeText>
        <SafeText tone="accent">{isCursor ? sign.cursor : ' '}</SafeText>
        <SafeText tone="faint">{`${numbers} `}</SafeText>
        <SafeText tone={tones[kind]}>{`${lineSigns[kind]} `}</SafeText>
      </SafeText>
    </Box>
  );
}

export function formatNumber(line: number | undefined, digits: number): string {
  return String(line ?? '').padStart(digits);
}

const fills = {context: undefined, added: 'add', removed: 'del'} as const;
const lineSigns = {context: ' ', added: '+', removed: '-'} as const;
const tones: Readonly<Record<LineItem['kind'], Token>> = {
  context: 'faint',
  added: 'good',
  removed: 'bad',
};
const readerLabels: Readonly<Record<LineItem['kind'], string>> = {
  context: 'line',
  added: 'added line',
  removed: 'removed line',
};
