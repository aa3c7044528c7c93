import {Box} from 'ink';
import type {ReactElement, ReactNode} from 'react';
import {formatClockMinute, formatCost, formatDuration, formatTokens} from '../../shared/index.ts';
import {useSigns, useSizeClass} from '../hooks/use-view.ts';
import {safeLine} from '../model/line.ts';
import {formatWaitingTime, formatRunningTime} from '../model/format-age.ts';
import type {BriefRow} from '../select/brief-rows.ts';
import {type SignName, signTokens} from '../theme/signs.ts';
import type {Token} from '../theme/tokens.ts';
import {Rule} from './Rule.tsx';
import {SafeText} from './SafeText.tsx';
import {SelectRow} from './SelectRow.tsx';
import {Track} from './Track.tsx';

/** The name of a part, how many it has, and a line to the edge. */
export function BriefHeading({
  kind,
  count,
  isFirst,
}: {
  readonly kind: BriefRow['kind'];
  readonly count: number;
  readonly isFirst: boolean;
}): ReactElement {
  const {title, tone} = headings[kind];
  return (
    <Box height={1} flexShrink={0} columnGap={2} paddingLeft={1} marginTop={isFirst ? 0 : 1}>
      <Box flexShrink={0}>
        <SafeText>
          <SafeText tone={tone} bold>
            {title}
          </SafeText>
          {kind === 'before' ? null : <SafeText tone="dim">{`  ${count}`}</SafeText>}
        </SafeText>
      </Box>
      <Rule />
    </Box>
  );
}

const headings: Readonly<Record<BriefRow['kind'], {readonly title: string; readonly tone: Token}>> =
  {
    need: {title: 'Needs you', tone: 'warn'},
    failed: {title: 'Failed', tone: 'bad'},
    merged: {title: 'Merged', tone: 'good'},
    running: {title: 'Running', tone: 'run'},
    service: {title: 'Services', tone: 'text'},
    trouble: {title: 'Trouble', tone: 'bad'},
    before: {title: 'Where you were', tone: 'text'},
  };

export function BriefRowView({
  row,
  isCursor,
}: {
  readonly row: BriefRow;
  readonly isCursor: boolean;
}): ReactElement {
  switch (row.kind) {
    case 'need':
      return <NeedRow row={row} isCursor={isCursor} />;
    case 'merged':
      return <MergedRow row={row} isCursor={isCursor} />;
    case 'running':
      return <RunningRow row={row} isCursor={isCursor} />;
    case 'failed':
      return (
        <OneLine
          isCursor={isCursor}
          sign="failed"
          title={`${row.number === undefined ? '' : `${row.number} `}${row.title}`}
          text={row.text}
          clock={row.at}
        />
      );
    case 'service':
      return <OneLine isCursor={isCursor} title={row.name} text={row.text} />;
    case 'trouble':
    case 'before':
      return <OneLine isCursor={isCursor} title="" text={row.text} clock={row.at} />;
  }
}

type RowOf<Kind extends BriefRow['kind']> = {
  readonly row: Extract<BriefRow, {readonly kind: Kind}>;
  readonly isCursor: boolean;
};

const needSigns = {
  asks: 'asks',
  plan: 'plan',
  stopped: 'failed',
  ready: 'passed',
  blocked: 'needs',
} as const satisfies Readonly<Record<string, SignName>>;

/** Two lines: whose need it is and since when, then what is asked or what failed. */
function NeedRow({row: {need, detail}, isCursor}: RowOf<'need'>): ReactElement {
  const {number, title, words, waitingMs} = need;
  const text = detail === '' ? words : detail;
  const age = formatWaitingTime(waitingMs);
  return (
    <SelectRow isSelected={isCursor} rows={2} flexGrow={1} flexShrink={1}>
      <Box
        flexDirection="column"
        flexGrow={1}
        flexShrink={1}
        paddingRight={1}
        aria-label={safeLine(`${title}, ${words}: ${text}. It waits for ${age}.`)}
      >
        <Box height={1} columnGap={1}>
          <Sign name={needSigns[need.sign]} />
          <Box flexGrow={1} flexShrink={1}>
            <SafeText bold>{`${number === undefined ? '' : `${number} `}${title}`}</SafeText>
          </Box>
          <Box flexShrink={0}>
            <SafeText tone="dim">{age}</SafeText>
          </Box>
        </Box>
        <Box height={1} paddingLeft={2}>
          <SafeText tone="dim">{text}</SafeText>
        </Box>
      </Box>
    </SelectRow>
  );
}

function MergedRow({row, isCursor}: RowOf<'merged'>): ReactElement {
  const {number, title, tries, durationMs, tokens, cost} = row;
  const how = formatTries(row);
  const took = durationMs === undefined ? '' : formatDuration(durationMs);
  return (
    <TaskLine
      isCursor={isCursor}
      sign="passed"
      number={number}
      title={title}
      label={`${title}, merged, ${how}, ${formatTokens(tokens)} tokens.`}
    >
      <Box flexGrow={1} flexShrink={2} flexBasis={0}>
        <SafeText tone={tries > 1 ? 'text' : 'dim'}>{how}</SafeText>
      </Box>
      <Column text={took} />
      <Column text={tokens === 0 ? '' : formatTokens(tokens)} />
      <Column text={formatCost(cost)} />
    </TaskLine>
  );
}

/** `first try; you typed a secret` */
function formatTries({tries, helped}: RowOf<'merged'>['row']): string {
  const how = tries < 2 ? 'first try' : `after ${tries} tries`;
  if (helped === undefined) return how;
  return `${how}; ${helped === 'secret' ? 'you typed a secret' : 'you answered'}`;
}

function RunningRow({
  row: {number, title, track, words, elapsedMs},
  isCursor,
}: RowOf<'running'>): ReactElement {
  const sizeClass = useSizeClass();
  const isSmall = sizeClass === 'phone' || sizeClass === 'small';
  return (
    <TaskLine
      isCursor={isCursor}
      sign="work"
      number={number}
      title={title}
      label={`${title}, ${words}.`}
    >
      <Box flexShrink={0}>
        <Track track={track} size={isSmall ? 'narrow' : 'wide'} />
      </Box>
      <Box flexGrow={1} flexShrink={1} flexBasis={0}>
        <SafeText tone="run">{words}</SafeText>
      </Box>
      <Column text={elapsedMs === undefined ? '' : formatRunningTime(elapsedMs)} />
    </TaskLine>
  );
}

function TaskLine({
  isCursor,
  sign,
  number,
  title,
  label,
  children,
}: {
  readonly isCursor: boolean;
  readonly sign: SignName;
  readonly number: number;
  readonly title: string;
  readonly label: string;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <SelectRow isSelected={isCursor} height={1} flexGrow={1} flexShrink={1}>
      <Box
        flexGrow={1}
        flexShrink={1}
        height={1}
        columnGap={1}
        paddingRight={1}
        aria-label={safeLine(label)}
      >
        <Sign name={sign} />
        <Box width="42%" flexShrink={1} paddingRight={1}>
          <SafeText>
            <SafeText tone="dim">{`${number} `}</SafeText>
            <SafeText bold={isCursor}>{title}</SafeText>
          </SafeText>
        </Box>
        {children}
      </Box>
    </SelectRow>
  );
}

function OneLine({
  isCursor,
  sign,
  title,
  text,
  clock,
}: {
  readonly isCursor: boolean;
  readonly sign?: SignName;
  readonly title: string;
  readonly text: string;
  readonly clock?: number | undefined;
}): ReactElement {
  return (
    <SelectRow isSelected={isCursor} height={1} flexGrow={1} flexShrink={1}>
      <Box flexGrow={1} flexShrink={1} height={1} paddingRight={1} columnGap={1}>
        {sign === undefined ? null : <Sign name={sign} />}
        {clock === undefined ? null : (
          <Box flexShrink={0} marginRight={1}>
            <SafeText tone="faint">{formatClockMinute(clock)}</SafeText>
          </Box>
        )}
        {title === '' ? null : (
          <Box flexShrink={1} marginRight={1}>
            <SafeText>{title}</SafeText>
          </Box>
        )}
        <Box flexGrow={1} flexShrink={1}>
          <SafeText tone="dim">{text}</SafeText>
        </Box>
      </Box>
    </SelectRow>
  );
}

function Sign({name}: {readonly name: SignName}): ReactElement {
  const {sign} = useSigns();
  return (
    <Box flexShrink={0} width={1} aria-hidden>
      <SafeText tone={signTokens[name]}>{sign[name]}</SafeText>
    </Box>
  );
}

function Column({text}: {readonly text: string}): ReactElement {
  return (
    <Box width={6} flexShrink={0} justifyContent="flex-end">
      <SafeText tone="dim">{text}</SafeText>
    </Box>
  );
}
