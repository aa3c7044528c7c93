import {Box} from 'ink';
import type {ReactElement, ReactNode} from 'react';
import type {StopReport, TryView} from '../../../reports/index.ts';
import {formatCost, formatDuration, formatTokens} from '../../../shared/index.ts';
import {useSizeClass} from '../../hooks/use-view.ts';
import {hasInbox} from '../../select/need-ways.ts';
import {SafeText} from '../SafeText.tsx';
import {Track} from '../Track.tsx';

/** One row for each try: how far it came, its change, why it ended, what it cost. */
export function TriesTable({stop: {tries, allowed}}: {readonly stop: StopReport}): ReactElement {
  return (
    <Box flexDirection="column" flexShrink={0} marginBottom={1}>
      <Box justifyContent="space-between" height={1}>
        <SafeText bold>Tries</SafeText>
        <SafeText tone="dim">{formatUsed(tries.length, allowed)}</SafeText>
      </Box>
      {tries.map((one) => (
        <TryRow key={one.number} {...one} isLast={one === tries.at(-1)} />
      ))}
    </Box>
  );
}

function formatUsed(used: number, allowed: number): string {
  if (used < allowed) return `${used} of ${allowed} used`;
  if (used === 1) return 'the only one used';
  return used === 2 ? 'both used' : `all ${used} used`;
}

function TryRow({
  number,
  kind,
  track,
  added,
  removed,
  reason,
  hint,
  tokens,
  cost,
  durationMs,
  lastSentence,
  isLast,
}: TryView & {readonly isLast: boolean}): ReactElement {
  const isNarrow = !hasInbox(useSizeClass());
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Box columnGap={2} height={1}>
        <Cell width={1}>
          <SafeText tone="faint">{number}</SafeText>
        </Cell>
        <Cell width={6}>
          <SafeText>{kind}</SafeText>
        </Cell>
        <Cell>
          <Track track={track} size={isNarrow ? 'narrow' : 'wide'} />
        </Cell>
        <Cell width={8}>
          <SafeText>{`+${added} -${removed}`}</SafeText>
        </Cell>
        <Box flexGrow={1} flexShrink={1} flexBasis={0}>
          <SafeText tone="bad">{reason}</SafeText>
        </Box>
        <Cell width={5} isRight>
          <SafeText tone="dim">{formatTokens(tokens)}</SafeText>
        </Cell>
        {isNarrow ? null : (
          <Cell width={6} isRight>
            <SafeText tone="dim">{formatCost(cost)}</SafeText>
          </Cell>
        )}
        <Cell width={6} isRight>
          <SafeText tone="dim">
            {durationMs === undefined ? '' : formatDuration(durationMs)}
          </SafeText>
        </Cell>
      </Box>
      {hint === undefined ? null : <Remark>{`your hint: ${hint}`}</Remark>}
      {isLast && lastSentence !== undefined ? (
        <Remark isQuoted>{`"${lastSentence}"`}</Remark>
      ) : null}
    </Box>
  );
}

function Cell({
  width,
  isRight = false,
  children,
}: {
  readonly width?: number;
  readonly isRight?: boolean;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <Box
      flexShrink={0}
      {...(width !== undefined && {width})}
      justifyContent={isRight ? 'flex-end' : 'flex-start'}
    >
      {children}
    </Box>
  );
}

/** What was said about a try, below its row. */
function Remark({
  isQuoted = false,
  children,
}: {
  readonly isQuoted?: boolean;
  readonly children: string;
}): ReactElement {
  return (
    <Box paddingLeft={3} flexShrink={0}>
      <SafeText tone="dim" italic={isQuoted} wrap="wrap">
        {children}
      </SafeText>
    </Box>
  );
}
