import {Box} from 'ink';
import type {ReactElement} from 'react';
import {type ContextAudit, formatRate} from '../../reports/index.ts';
import {formatTokens} from '../../shared/index.ts';
import {selectComparison} from '../select/audit-view.ts';
import {SafeText} from './SafeText.tsx';

/**
 * Validated changes for each 1,000 tokens, by model and by part of the prompts, as `orchestra audit
 * --compare` prints it for all runs.
 */
export function ComparisonList({
  audit,
}: {
  readonly audit: ContextAudit | undefined;
}): ReactElement | null {
  const comparison = audit === undefined ? undefined : selectComparison(audit);
  if (comparison === undefined) return null;
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      <Box height={1} paddingX={1} columnGap={3}>
        <Box flexShrink={0}>
          <SafeText bold>Validated per 1,000 tokens</SafeText>
        </Box>
        <SafeText tone="dim">all runs: orchestra audit --compare</SafeText>
      </Box>
      {comparison.models.map(({name, tokens, green, attempts, per1000, sessionsWithoutTokens}) => (
        <Row
          key={`model ${name}`}
          name={name}
          rate={formatRate(per1000)}
          text={`${green} of ${attempts} green, ${tokens === null ? 'unknown' : formatTokens(tokens)} tokens${tokens !== null && sessionsWithoutTokens > 0 ? ' and unknown' : ''}`}
        />
      ))}
      {comparison.parts.map(
        ({name, tokens, green, attempts, greenWithout, attemptsWithout, per1000}) => (
          <Row
            key={`part ${name}`}
            name={`part ${name}`}
            rate={formatRate(per1000)}
            text={`${green} of ${attempts} green with it, ${greenWithout} of ${attemptsWithout} without, ${formatTokens(tokens)} tokens`}
          />
        ),
      )}
    </Box>
  );
}

function Row({
  name,
  rate,
  text,
}: {
  readonly name: string;
  readonly rate: string;
  readonly text: string;
}): ReactElement {
  return (
    <Box height={1} flexShrink={0} paddingX={1} columnGap={2}>
      <Box width={22} flexShrink={1}>
        <SafeText>{name}</SafeText>
      </Box>
      <Box width={8} flexShrink={0} justifyContent="flex-end">
        <SafeText>{rate}</SafeText>
      </Box>
      <Box flexGrow={1} flexShrink={1} flexBasis={0}>
        <SafeText tone="dim">{text}</SafeText>
      </Box>
    </Box>
  );
}
