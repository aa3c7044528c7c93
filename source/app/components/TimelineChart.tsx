import {Box, useIsScreenReaderEnabled} from 'ink';
import {memo, type ReactElement, useMemo} from 'react';
import {
  type ChartRow,
  type ChartSegment,
  selectTicks,
  type TimelineChart as Chart,
} from '../../reports/index.ts';
import {
  formatClock,
  formatClockMinute,
  formatDuration,
  formatTokens,
  pluralize,
} from '../../shared/index.ts';
import {useSigns, useSizeClass, useView} from '../hooks/use-view.ts';
import {Item, Scroll} from '../ink/regions.tsx';
import {safeLine} from '../model/line.ts';
import type {SizeClass} from '../model/size-class.ts';
import {selectTimelineRow} from '../model/timeline-layout.ts';
import {fillsFor} from '../theme/fills.ts';
import {SafeText} from './SafeText.tsx';
import {AtTime, TimeBar} from './TimeBar.tsx';

/** A run over time: the plan and its tasks, one line each, below a clock. */
export const TimelineChart = memo(function TimelineChart({
  chart,
  isAlone,
}: {
  readonly chart: Chart;
  /** The whole screen is the chart: it scrolls by itself. Otherwise it follows the events. */
  readonly isAlone: boolean;
}): ReactElement {
  const sizeClass = useSizeClass();
  const ticks = useMemo(() => selectTicks(chart, maxTicks[sizeClass]), [chart, sizeClass]);
  return (
    <Box
      flexDirection="column"
      flexShrink={1}
      flexGrow={isAlone ? 1 : 0}
      minHeight={6}
      {...(!isAlone && {maxHeight: '60%'})}
    >
      <Clock chart={chart} ticks={ticks} />
      <Lines chart={chart} ticks={ticks} isAlone={isAlone} />
      <Box height={1} flexShrink={2} />
      <Legend chart={chart} />
    </Box>
  );
});

/** The line of the task whose event is chosen stays in view. */
function Lines({
  chart,
  ticks,
  isAlone,
}: {
  readonly chart: Chart;
  readonly ticks: readonly number[];
  readonly isAlone: boolean;
}): ReactElement {
  const top = useView(({model}) => (isAlone ? model.places.chart.top : undefined));
  const current = useView(({model}) => (isAlone ? undefined : selectTimelineRow(model)?.number));
  return (
    <Scroll
      list="chart"
      {...(top !== undefined && {top})}
      flexBasis="auto"
      flexGrow={isAlone ? 1 : 0}
    >
      {[chart.plan, ...chart.tasks].map((row, number) => (
        <Item key={number} id={String(number)} isCursor={number === current}>
          <Line row={row} number={number} all={chart.tasks.length} chart={chart} ticks={ticks} />
        </Item>
      ))}
    </Scroll>
  );
}

const maxTicks: Readonly<Record<SizeClass, number>> = {
  phone: 3,
  small: 4,
  narrow: 5,
  medium: 7,
  wide: 9,
  huge: 12,
};

const titleCells: Readonly<Record<SizeClass, number>> = {
  phone: 16,
  small: 20,
  narrow: 24,
  medium: 30,
  wide: 40,
  huge: 56,
};

function Clock({
  chart,
  ticks,
}: {
  readonly chart: Chart;
  readonly ticks: readonly number[];
}): ReactElement {
  const sizeClass = useSizeClass();
  const [first = 0, second = Number.POSITIVE_INFINITY] = ticks;
  const format = second - first < 60_000 ? formatClock : formatClockMinute;
  return (
    <Box
      height={1}
      flexShrink={0}
      paddingX={1}
      aria-label={safeLine(
        `Tasks. ${[formatTimes(chart), formatAsked(chart)].filter((text) => text !== '').join('. ')}.`,
      )}
    >
      <Box width={titleCells[sizeClass]} flexShrink={0}>
        <SafeText bold>Tasks</SafeText>
      </Box>
      <Box flexGrow={1} flexShrink={1} flexBasis={0} height={1} marginRight={2}>
        {ticks.map((at) => (
          <AtTime key={at} at={at} span={chart}>
            <SafeText tone="dim">{format(at)}</SafeText>
          </AtTime>
        ))}
      </Box>
      <Box width={tokenCells} flexShrink={0} />
    </Box>
  );
}

const tokenCells = 7;

const Line = memo(function Line({
  row: {title, segments, tokens},
  number,
  all,
  chart: {from, to, isUnderWay},
  ticks,
}: {
  readonly row: ChartRow;
  /** 0 for the plan. */
  readonly number: number;
  readonly all: number;
  readonly chart: Chart;
  readonly ticks: readonly number[];
}): ReactElement {
  const sizeClass = useSizeClass();
  const isReader = useIsScreenReaderEnabled();
  const place = number === 0 ? '' : `${number} of ${all}: `;
  return (
    <Box
      {...(!isReader && {height: 1})}
      flexShrink={0}
      paddingX={1}
      aria-label={safeLine(
        `${place}${title}: ${formatSegments(segments)}. ${formatTokens(tokens)} tokens.`,
      )}
    >
      <Box width={titleCells[sizeClass]} flexShrink={0} paddingRight={2} columnGap={1}>
        <Box width={numberCells(all)} flexShrink={0} justifyContent="flex-end">
          <SafeText tone="dim">{number === 0 ? '' : String(number)}</SafeText>
        </Box>
        <Box flexShrink={1}>
          <SafeText tone={number === 0 ? 'dim' : 'text'}>{title}</SafeText>
        </Box>
      </Box>
      <TimeBar segments={segments} span={{from, to}} isUnderWay={isUnderWay} ticks={ticks} />
      <Box width={tokenCells} flexShrink={0} justifyContent="flex-end">
        <SafeText tone="dim">{tokens === 0 ? '' : formatTokens(tokens)}</SafeText>
      </Box>
    </Box>
  );
});

export function numberCells(count: number): number {
  return String(count).length;
}

function Legend({chart}: {readonly chart: Chart}): ReactElement {
  const fills = fillsFor(useSigns());
  const names: readonly (readonly [ChartSegment['kind'], string])[] = [
    ['work', 'work'],
    ['checks', 'checks'],
    ['red', 'red'],
    ['waited-for-you', 'waited for you'],
    ['you', 'you'],
    ['merged', 'merged'],
  ];
  return (
    <Box height={1} flexShrink={0} paddingX={1} columnGap={2} aria-hidden>
      <Box
        flexGrow={1}
        flexShrink={1}
        flexBasis={0}
        height={1}
        overflow="hidden"
        flexWrap="wrap"
        columnGap={2}
      >
        {names.map(([kind, name]) => (
          <Box key={kind} flexShrink={0}>
            <SafeText>
              <SafeText tone={fills.chart[kind].tone}>{fills.chart[kind].sign}</SafeText>
              <SafeText tone="dim">{` ${name}`}</SafeText>
            </SafeText>
          </Box>
        ))}
        {[formatTimes(chart), formatAsked(chart)].map((text) =>
          text === '' ? null : (
            <Box key={text} flexShrink={0}>
              <SafeText tone="dim">{text}</SafeText>
            </Box>
          ),
        )}
      </Box>
      <SafeText tone="faint">tokens</SafeText>
    </Box>
  );
}

/** `06:57 to 07:03, 6m12 in all` */
function formatTimes({from, to, isUnderWay}: Chart): string {
  const took = formatDuration(to - from);
  return isUnderWay
    ? `since ${formatClockMinute(from)}, ${took} so far`
    : `${formatClockMinute(from)} to ${formatClockMinute(to)}, ${took} in all`;
}

/** `asked you 3 times, 2m31` */
function formatAsked({asked: {times, totalMs}}: Chart): string {
  return times === 0 ? '' : `asked you ${pluralize(times, 'time')}, ${formatDuration(totalMs)}`;
}

/** The row in words: `work 2m10, checks 40s, waited for you 3m, failed twice, merged`. */
function formatSegments(segments: readonly ChartSegment[]): string {
  const sum = (kind: ChartSegment['kind']): number =>
    segments
      .filter((segment) => segment.kind === kind)
      .reduce((total, {from, to}) => total + to - from, 0);
  const part = (name: string, kind: ChartSegment['kind']): string[] =>
    sum(kind) === 0 ? [] : [`${name} ${formatDuration(sum(kind))}`];
  const red = segments.filter(({kind}) => kind === 'red').length;
  const parts = [
    ...part('work', 'work'),
    ...part('checks', 'checks'),
    ...part('waited for you', 'waited-for-you'),
    ...(red === 0 ? [] : [`failed ${pluralize(red, 'time')}`]),
    ...(segments.some(({kind}) => kind === 'merged') ? ['merged'] : []),
  ];
  return parts.length === 0 ? 'not begun' : parts.join(', ');
}
