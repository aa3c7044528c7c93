import {Box, type BoxProps} from 'ink';
import {memo, type ReactElement} from 'react';
import type {TimelineRow, TimelineSign} from '../../reports/index.ts';
import {formatClock, formatDateLine, formatDay} from '../../shared/index.ts';
import {useSigns, useSize, useSizeClass, useView} from '../hooks/use-view.ts';
import {Clickable, Item, Scroll} from '../ink/regions.tsx';
import {safeLine} from '../model/line.ts';
import type {SizeClass} from '../model/size-class.ts';
import {selectTimelineRows} from '../select/timeline-view.ts';
import {selectWindow} from '../select/window-rows.ts';
import type {SignName} from '../theme/signs.ts';
import type {Token} from '../theme/tokens.ts';
import {SafeText} from './SafeText.tsx';
import {SelectRow} from './SelectRow.tsx';

/** The events of a run with their clock times, the latest last, and a line between two days. */
export function EventList(): ReactElement {
  const rows = useView(({model}) => selectTimelineRows(model.answers.timeline));
  const cursor = useView(({model}) =>
    Math.max(0, Math.min(rows.length - 1, model.places.timeline.cursor)),
  );
  const {rows: height} = useSize();
  const {from, to} = selectWindow(rows.length, cursor, height);
  return (
    <Scroll list="timeline">
      {rows.slice(from, to).flatMap((row, offset) => {
        const index = from + offset;
        return [
          ...(isNewDay(rows, index) ? [<DateLine key={`day ${index}`} at={row.at} />] : []),
          <EventItem key={index} row={row} index={index} isCursor={index === cursor} />,
        ];
      })}
    </Scroll>
  );
}

/** Between two days, and above the first event if they are not all of one day. */
function isNewDay(rows: readonly TimelineRow[], index: number): boolean {
  const [row, before, last] = [rows[index], rows[index - 1], rows.at(-1)];
  if (row === undefined || last === undefined) return false;
  return formatDay(row.at) !== formatDay((before ?? last).at);
}

function DateLine({at}: {readonly at: number}): ReactElement {
  return (
    <Box height={1} flexShrink={0} paddingLeft={1}>
      <SafeText tone="faint">{formatDateLine(at)}</SafeText>
    </Box>
  );
}

const EventItem = memo(function EventItem({
  row,
  index,
  isCursor,
}: {
  readonly row: TimelineRow;
  readonly index: number;
  readonly isCursor: boolean;
}): ReactElement {
  return (
    <Item id={String(index)} isCursor={isCursor}>
      <Clickable target={{type: 'item', list: 'timeline', index}}>
        <EventRow row={row} isCursor={isCursor} />
      </Clickable>
    </Item>
  );
});

function EventRow({
  row: {at, number, sign, words, detail, fact},
  isCursor,
}: {
  readonly row: TimelineRow;
  readonly isCursor: boolean;
}): ReactElement {
  const {sign: signs, separator} = useSigns();
  const sizeClass = useSizeClass();
  const {name, tone, isBold} = looks[sign];
  const clock = formatClock(at);
  const isSmall = sizeClass === 'phone' || sizeClass === 'small';
  const parts = [words, detail, fact].filter((text) => text !== '').join(', ');
  return (
    <SelectRow isSelected={isCursor} height={1} flexGrow={1} flexShrink={1}>
      <Box
        flexGrow={1}
        flexShrink={1}
        paddingRight={1}
        height={1}
        aria-label={safeLine(
          `${clock}${number === undefined ? '' : `, task ${number}`}: ${parts}.`,
        )}
      >
        <Box width={isSmall ? 9 : 10} flexShrink={0}>
          <SafeText>
            {clock.slice(0, 5)}
            <SafeText tone="faint">{clock.slice(5)}</SafeText>
          </SafeText>
        </Box>
        <Box width={2} flexShrink={0} justifyContent="flex-end">
          <SafeText tone="dim">{number === undefined ? '' : String(number)}</SafeText>
        </Box>
        <Box width={3} flexShrink={0} justifyContent="center">
          <SafeText tone={tone}>{name === undefined ? separator : signs[name]}</SafeText>
        </Box>
        <Box {...(detail === '' ? {flexGrow: 1, flexShrink: 1} : wordColumns(sizeClass))}>
          <SafeText tone={sign === 'failed' ? 'bad' : 'text'} bold={isBold || isCursor}>
            {words}
          </SafeText>
        </Box>
        {detail === '' ? null : (
          <Box flexGrow={1} flexShrink={1} flexBasis={0} minWidth={0}>
            <SafeText tone="dim">{detail}</SafeText>
          </Box>
        )}
        {fact === '' || isSmall ? null : (
          <Box flexShrink={0} marginLeft={2}>
            <SafeText tone="faint">{fact}</SafeText>
          </Box>
        )}
      </Box>
    </SelectRow>
  );
}

/** Details begin in one column, unless the window has no room to spare. */
function wordColumns(sizeClass: SizeClass): BoxProps {
  return sizeClass === 'phone' ? {flexShrink: 0, marginRight: 2} : {flexShrink: 0, width: 23};
}

const looks: Readonly<
  Record<
    TimelineSign,
    {readonly name: SignName | undefined; readonly tone: Token; readonly isBold: boolean}
  >
> = {
  failed: {name: 'failed', tone: 'bad', isBold: false},
  merged: {name: 'passed', tone: 'good', isBold: false},
  needs: {name: 'needs', tone: 'warn', isBold: false},
  you: {name: 'yours', tone: 'accent', isBold: true},
  done: {name: 'complete', tone: 'good', isBold: true},
  plain: {name: undefined, tone: 'faint', isBold: false},
};
