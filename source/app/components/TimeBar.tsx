import {Box} from 'ink';
import {memo, type ReactElement, type ReactNode} from 'react';
import type {ChartSegment} from '../../reports/index.ts';
import {useSigns} from '../hooks/use-view.ts';
import {fillsFor} from '../theme/fills.ts';
import {FillLine, Gap} from './FillLine.tsx';
import {SafeText} from './SafeText.tsx';

/** The time that the whole width stands for. */
export type TimeSpan = {readonly from: number; readonly to: number};

/**
 * What a task did, from left to right. Widths are shares of the time, so that all bars of a chart
 * agree with its clock; moments (a red end, the merge, what you did) are single signs at their time.
 * What goes on at the end has a tip.
 */
export const TimeBar = memo(function TimeBar({
  segments,
  span,
  isUnderWay = false,
  ticks = [],
}: {
  readonly segments: readonly ChartSegment[];
  readonly span: TimeSpan;
  readonly isUnderWay?: boolean;
  /** Times with a line behind the bar. */
  readonly ticks?: readonly number[];
}): ReactElement {
  const signs = useSigns();
  const {chart, tick} = fillsFor(signs);
  const marks = segments.filter(isMoment);
  return (
    // The sign of a moment at the very end stands in the margin.
    <Box height={1} flexGrow={1} flexShrink={1} flexBasis={0} marginRight={2} aria-hidden>
      {ticks.map((at) => (
        <AtTime key={at} at={at} span={span}>
          <SafeText tone="border">{tick}</SafeText>
        </AtTime>
      ))}
      <Box flexGrow={1} flexShrink={1} flexBasis={0} height={1}>
        <Segments segments={segments} span={span} isUnderWay={isUnderWay} />
      </Box>
      {marks.map(({kind, from}, index) => (
        <AtTime key={index} at={from} span={span}>
          <SafeText tone={chart[kind].tone} bold={kind === 'red'}>
            {chart[kind].sign}
          </SafeText>
        </AtTime>
      ))}
    </Box>
  );
});

function Segments({
  segments,
  span: {from, to},
  isUnderWay,
}: {
  readonly segments: readonly ChartSegment[];
  readonly span: TimeSpan;
  readonly isUnderWay: boolean;
}): ReactElement {
  const {chart, tip} = fillsFor(useSigns());
  const shown: ReactNode[] = [];
  let end = from;
  for (const [index, segment] of segments.entries()) {
    if (isMoment(segment)) continue;
    if (segment.from > end) shown.push(<Gap key={`gap ${index}`} share={segment.from - end} />);
    shown.push(
      <FillLine
        key={index}
        fill={chart[segment.kind]}
        share={segment.to - Math.max(end, segment.from)}
      />,
    );
    end = Math.max(end, segment.to);
    if (isUnderWay && segment.to >= to)
      shown.push(
        <Box key="tip" width={1} flexShrink={0} marginLeft={-1}>
          <SafeText tone={chart[segment.kind].tone}>{tip}</SafeText>
        </Box>,
      );
  }

  if (end < to) shown.push(<Gap key="rest" share={to - end} />);
  return <>{shown}</>;
}

function isMoment({from, to, kind}: ChartSegment): boolean {
  return to <= from || kind === 'red' || kind === 'merged';
}

/** Something at its time on the line. */
export function AtTime({
  at,
  span: {from, to},
  children,
}: {
  readonly at: number;
  readonly span: TimeSpan;
  readonly children: ReactNode;
}): ReactElement {
  const share = to > from ? Math.min(1, Math.max(0, (at - from) / (to - from))) : 0;
  return (
    <Box position="absolute" left={`${share * 100}%`} height={1} flexShrink={0}>
      {children}
    </Box>
  );
}
