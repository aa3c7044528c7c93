import {Box} from 'ink';
import type {ReactElement} from 'react';
import type {ContextAudit} from '../../reports/index.ts';
import {formatCost, formatTokens, pluralize} from '../../shared/index.ts';
import {useSizeClass} from '../hooks/use-view.ts';
import {type AgentUse, selectAgentUse} from '../select/audit-view.ts';
import type {CostView} from '../select/cost-view.ts';
import {Frame} from './Frame.tsx';
import {SafeText} from './SafeText.tsx';
import {ShareBar} from './ShareBar.tsx';

/** What each agent used with each model, and what stands out. */
export function CostByAgent({
  view,
  audit,
}: {
  readonly view: CostView;
  /** Tells the models apart; until it is there, agents alone are shown. */
  readonly audit: ContextAudit | undefined;
}): ReactElement | null {
  const sizeClass = useSizeClass();
  const isWide = sizeClass === 'medium' || sizeClass === 'wide' || sizeClass === 'huge';
  const uses: readonly Omit<AgentUse, 'sessions'>[] =
    audit === undefined || audit.contexts.length === 0
      ? view.agents.map(({agent, tokens, cost}) => ({name: agent, tokens, cost}))
      : selectAgentUse(audit);
  const max = Math.max(1, ...uses.map(({tokens}) => tokens));
  if (uses.length === 0) return null;
  const content = (
    <Box flexDirection="column" flexShrink={0} paddingX={isWide ? 0 : 1}>
      {uses.map((use) => (
        <Agent key={use.name} use={use} share={use.tokens / max} />
      ))}
      <Extremes view={view} />
    </Box>
  );
  return isWide ? (
    <Frame
      width={sizeClass === 'medium' ? 34 : 44}
      flexShrink={0}
      paddingX={1}
      title={<SafeText bold>By agent</SafeText>}
    >
      {content}
    </Frame>
  ) : (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      <Box paddingLeft={1}>
        <SafeText bold>By agent</SafeText>
      </Box>
      {content}
    </Box>
  );
}

function Agent({
  use,
  share,
}: {
  readonly use: Omit<AgentUse, 'sessions'> & Partial<AgentUse>;
  readonly share: number;
}): ReactElement {
  const {name, tokens, cost, sessions} = use;
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Box height={1} columnGap={2}>
        <Box flexGrow={1} flexShrink={1}>
          <SafeText>
            {name}
            {sessions === undefined ? null : (
              <SafeText tone="faint">{`  ${pluralize(sessions, 'session')}`}</SafeText>
            )}
          </SafeText>
        </Box>
        <Box flexShrink={0}>
          <SafeText bold>{formatTokens(tokens)}</SafeText>
        </Box>
        <Box flexShrink={0}>
          <SafeText tone="dim">{formatCost(cost)}</SafeText>
        </Box>
      </Box>
      <Box height={1}>
        <ShareBar share={share} tone="accent" />
      </Box>
    </Box>
  );
}

function Extremes({view: {cheapest, dearest, lost}}: {readonly view: CostView}): ReactElement {
  const rows: readonly (readonly [string, string])[] = [
    ...(cheapest === undefined ? [] : [['Cheapest', `task ${cheapest}`] as const]),
    ...(dearest === undefined ? [] : [['Dearest', `task ${dearest}`] as const]),
  ];
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      {rows.map(([name, text]) => (
        <SafeText key={name} tone="dim">{`${name.padEnd(10)}${text}`}</SafeText>
      ))}
      {lost.tokens === 0 ? null : (
        <SafeText tone="bad">
          {`${'Lost'.padEnd(10)}${formatTokens(lost.tokens)}, ${Math.round(lost.share * 100)} %`}
        </SafeText>
      )}
    </Box>
  );
}
