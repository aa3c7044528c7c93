import {Box} from 'ink';
import type {ReactElement} from 'react';
import type {ContextAudit} from '../../reports/index.ts';
import {formatClockMinute, formatCount, formatDateLine, pluralize} from '../../shared/index.ts';
import {useSizeClass} from '../hooks/use-view.ts';
import {selectBlocked, selectServerUse, type ServerUse} from '../select/audit-view.ts';
import {SafeText} from './SafeText.tsx';
import {ShareBar} from './ShareBar.tsx';

/**
 * Prompt tokens of the tools of each server, as `orchestra audit --tools` measured them. The app
 * itself starts no servers.
 */
export function ToolCosts({tools}: {readonly tools: ContextAudit['tools']}): ReactElement {
  if (tools === undefined)
    return (
      <Box flexShrink={0} paddingX={1} marginTop={1}>
        <SafeText tone="dim">What tools cost in every prompt: orchestra audit --tools</SafeText>
      </Box>
    );
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      <Box height={1} paddingX={1} columnGap={3}>
        <Box flexShrink={0}>
          <SafeText bold>Tools in every prompt</SafeText>
        </Box>
        <SafeText tone="dim">
          {`as asked on ${formatDateLine(tools.at)} at ${formatClockMinute(tools.at)}`}
        </SafeText>
      </Box>
      {selectServerUse(tools).map((server, index) => (
        <Server key={index} server={server} />
      ))}
    </Box>
  );
}

function Server({
  server: {name, tokens, share, tools, dearest, problems, moreProblems},
}: {
  readonly server: ServerUse;
}): ReactElement {
  const sizeClass = useSizeClass();
  const isSmall = sizeClass === 'phone' || sizeClass === 'small';
  const count = tools === 0 ? 'no tools' : pluralize(tools, 'tool');
  const text =
    dearest === undefined
      ? count
      : `${count}, dearest ${dearest.name} (${formatCount(dearest.tokens)})`;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Box height={1} paddingX={1} columnGap={2}>
        <Box width={22} flexShrink={1}>
          <SafeText>{name}</SafeText>
        </Box>
        <Box width={7} flexShrink={0} justifyContent="flex-end">
          <SafeText>{formatCount(tokens)}</SafeText>
        </Box>
        {isSmall ? null : (
          <Box width={16} flexShrink={0}>
            <ShareBar share={share} tone="accent" />
          </Box>
        )}
        <Box flexGrow={1} flexShrink={1} flexBasis={0}>
          <SafeText tone="dim">{text}</SafeText>
        </Box>
      </Box>
      {problems.map((problem, index) => (
        <Box key={index} flexShrink={0} paddingLeft={3} paddingRight={1}>
          <SafeText tone="warn" wrap="wrap">
            {`! ${problem}`}
          </SafeText>
        </Box>
      ))}
      {moreProblems === 0 ? null : (
        <Box height={1} paddingLeft={5}>
          <SafeText tone="warn">{`and ${moreProblems} more`}</SafeText>
        </Box>
      )}
    </Box>
  );
}

/** Hosts that an agent requested and the network rules blocked. */
export function BlockedHosts({
  audit,
}: {
  readonly audit: ContextAudit | undefined;
}): ReactElement | null {
  const blocked = audit === undefined ? [] : selectBlocked(audit);
  if (blocked.length === 0) return null;
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      <Box height={1} paddingX={1}>
        <SafeText bold>Refused by the network rules</SafeText>
      </Box>
      {blocked.map(({session, about, text}, index) => (
        <Box key={index} flexShrink={0} paddingX={1} columnGap={1}>
          <Box width={6} flexShrink={0}>
            <SafeText tone="faint">{session}</SafeText>
          </Box>
          <Box width={8} flexShrink={0}>
            <SafeText>{about}</SafeText>
          </Box>
          <Box flexGrow={1} flexShrink={1} flexBasis={0}>
            <SafeText tone="warn" wrap="wrap">
              {text}
            </SafeText>
          </Box>
        </Box>
      ))}
    </Box>
  );
}
