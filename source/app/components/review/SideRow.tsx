import {Box} from 'ink';
import {memo, type ReactElement} from 'react';
import {useSigns, useTheme} from '../../hooks/use-view.ts';
import {Clickable} from '../../ink/regions.tsx';
import type {Line} from '../../model/line.ts';
import type {LineItem} from '../../review/diff-lines.ts';
import {SafeText} from '../SafeText.tsx';
import {CodeText} from './CodeText.tsx';
import {CursorRow, formatNumber, Gutter, useRowFill} from './DiffRow.tsx';

export type Side = {
  readonly line: LineItem;
  readonly index: number;
  readonly colours: Line | undefined;
};

/** The old line on the left, the new one on the right; one of them may be missing. */
export const SideRow = memo(
  function SideRow({
    left,
    right,
    isCursor,
    digits,
    half,
  }: {
    readonly left: Side | undefined;
    readonly right: Side | undefined;
    readonly isCursor: boolean;
    readonly digits: number;
    /** The width of the left side. */
    readonly half: number;
  }): ReactElement {
    const {frames} = useSigns();
    const {color} = useTheme().styles.border;
    return (
      <CursorRow isCursor={isCursor}>
        <Box width={half} flexShrink={0}>
          <SideCell side={left} of="old" isCursor={isCursor} hasMark={isCursor} digits={digits} />
        </Box>
        <Box
          aria-hidden
          flexShrink={0}
          borderStyle={frames.rounded}
          borderTop={false}
          borderBottom={false}
          borderRight={false}
          {...(color !== undefined && {borderColor: color})}
        />
        <SideCell side={right} of="new" isCursor={isCursor} hasMark={false} digits={digits} />
      </CursorRow>
    );
  },
  (one, other) =>
    one.isCursor === other.isCursor &&
    one.digits === other.digits &&
    one.half === other.half &&
    isSameSide(one.left, other.left) &&
    isSameSide(one.right, other.right),
);

function isSameSide(one: Side | undefined, other: Side | undefined): boolean {
  return (
    one?.line === other?.line && one?.index === other?.index && one?.colours === other?.colours
  );
}

/** The mark of the cursor stands on the left of the row, whichever side is meant. */
function SideCell({
  side,
  of,
  isCursor,
  hasMark,
  digits,
}: {
  readonly side: Side | undefined;
  readonly of: 'old' | 'new';
  readonly isCursor: boolean;
  readonly hasMark: boolean;
  readonly digits: number;
}): ReactElement {
  const fill = useRowFill(side?.line.kind ?? 'context', isCursor);
  const half = {flexGrow: 1, flexShrink: 1, flexBasis: 0} as const;
  const {sign} = useSigns();
  if (side === undefined)
    return (
      <Box {...half} {...fill}>
        <SafeText tone="accent">{hasMark ? sign.cursor : ' '}</SafeText>
      </Box>
    );
  const {line, index, colours} = side;
  const number = of === 'old' ? line.oldLine : line.newLine;
  return (
    <Clickable target={{type: 'item', list: 'diff', index}} {...half} {...fill}>
      <Gutter isCursor={hasMark} numbers={formatNumber(number, digits)} kind={line.kind} />
      <CodeText line={line} colours={colours} isWhole={isCursor} />
    </Clickable>
  );
}
