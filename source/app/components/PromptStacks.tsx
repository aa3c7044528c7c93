import {Box} from 'ink';
import type {ReactElement} from 'react';
import {formatCount, formatTokens} from '../../shared/index.ts';
import {useSigns, useSizeClass} from '../hooks/use-view.ts';
import {safeLine} from '../model/line.ts';
import type {PromptView} from '../select/cost-view.ts';
import {fillsFor} from '../theme/fills.ts';
import {FillLine, Gap} from './FillLine.tsx';
import {SafeText} from './SafeText.tsx';

/** The first prompt of each agent: its parts behind each other, and the room that is left. */
export function PromptStacks({
  prompts,
}: {
  /** Undefined until the daemon has answered. */
  readonly prompts: readonly PromptView[] | undefined;
}): ReactElement {
  const budgets = [...new Set(prompts?.map(({budget}) => budget))];
  const [budget] = budgets;
  return (
    <Box flexDirection="column" flexGrow={1} flexShrink={1}>
      <Box height={1} flexShrink={0} paddingX={1} columnGap={3}>
        <Box flexShrink={0}>
          <SafeText bold>What each agent was told</SafeText>
        </Box>
        <SafeText tone="dim">
          {budget === undefined || budgets.length > 1
            ? 'tokens of the first prompt'
            : `tokens of the first prompt, of ${formatCount(budget)}`}
        </SafeText>
      </Box>
      <Stacks prompts={prompts} />
    </Box>
  );
}

function Stacks({prompts}: {readonly prompts: readonly PromptView[] | undefined}): ReactElement {
  if (prompts === undefined || prompts.length === 0)
    return (
      <Box flexShrink={0} paddingX={1}>
        <SafeText tone="dim">
          {prompts === undefined
            ? 'Reading what agents were told …'
            : 'No agent has been told anything yet.'}
        </SafeText>
      </Box>
    );
  const max = Math.max(1, ...prompts.map(({tokens, budget}) => Math.max(tokens, budget)));
  return (
    <>
      {prompts.map((prompt, index) => (
        <Stack
          key={index}
          prompt={prompt}
          max={max}
          hasTries={prompts.filter(({number}) => number === prompt.number).length > 1}
        />
      ))}
      <Legend names={[...new Set(prompts.flatMap(({parts}) => parts.map(({name}) => name)))]} />
    </>
  );
}

function Stack({
  prompt,
  max,
  hasTries,
}: {
  readonly prompt: PromptView;
  readonly max: number;
  readonly hasTries: boolean;
}): ReactElement {
  const {parts: fills, otherPart, space} = fillsFor(useSigns());
  const {number, attempt, parts, tokens, budget, left, used} = prompt;
  const sizeClass = useSizeClass();
  const isRoomy = sizeClass === 'wide' || sizeClass === 'huge';
  const name = number === undefined ? 'plan' : String(number);
  const ordinal = attempt === undefined || !hasTries ? '' : formatOrdinal(attempt);
  const cuts = parts
    .filter(({isCut}) => isCut)
    .map((part) => `${part.name} cut to ${formatCount(part.tokens)} of ${formatCount(part.full)}`);
  const label = parts.map((part) => `${part.name} ${formatCount(part.tokens)}`).join(', ');
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Box
        height={1}
        flexShrink={0}
        paddingX={1}
        aria-label={safeLine(
          `${number === undefined ? 'plan' : `task ${number}`}${ordinal === '' ? '' : `, ${ordinal} try`}: ${formatCount(tokens)} of ${formatCount(budget)}, ${label}.`,
        )}
      >
        <Box width={5} flexShrink={0}>
          <SafeText>{name}</SafeText>
        </Box>
        <Box width={5} flexShrink={0}>
          <SafeText tone="dim">{ordinal}</SafeText>
        </Box>
        <Box flexGrow={1} flexShrink={1} flexBasis={0} height={1}>
          {parts
            .filter((part) => part.tokens > 0)
            .map((part) => (
              <FillLine
                key={part.name}
                fill={Object.hasOwn(fills, part.name) ? (fills[part.name] ?? otherPart) : otherPart}
                share={part.tokens}
                minWidth={1}
              />
            ))}
          <FillLine fill={space} share={left} />
          <Gap share={max - Math.max(tokens, budget)} />
        </Box>
        <Box width={8} flexShrink={0} justifyContent="flex-end">
          <SafeText tone={tokens > budget ? 'bad' : 'text'}>{formatCount(tokens)}</SafeText>
        </Box>
        {isRoomy ? (
          <Box width={20} flexShrink={0} justifyContent="flex-end">
            <SafeText tone="faint">
              {used.input + used.output === 0
                ? ''
                : `${formatTokens(used.input)} in, ${formatTokens(used.output)} out`}
            </SafeText>
          </Box>
        ) : null}
      </Box>
      {cuts.length === 0 ? null : (
        <Box flexShrink={0} paddingLeft={11} paddingRight={1}>
          <SafeText tone="warn" wrap="wrap">
            {cuts.join(', ')}
          </SafeText>
        </Box>
      )}
    </Box>
  );
}

function formatOrdinal(number: number): string {
  return {1: '1st', 2: '2nd', 3: '3rd'}[number] ?? `${number}th`;
}

function Legend({names}: {readonly names: readonly string[]}): ReactElement {
  const {parts, otherPart, space} = fillsFor(useSigns());
  return (
    <Box flexShrink={0} paddingLeft={11} columnGap={2} flexWrap="wrap" aria-hidden>
      {names.map((name) => {
        const {sign, tone} = Object.hasOwn(parts, name) ? (parts[name] ?? otherPart) : otherPart;
        return (
          <SafeText key={name} tone="dim">
            <SafeText tone={tone}>{sign}</SafeText>
            {` ${labels[name] ?? name}`}
          </SafeText>
        );
      })}
      <SafeText tone="dim">
        <SafeText tone={space.tone}>{space.sign}</SafeText>
        {' room left'}
      </SafeText>
    </Box>
  );
}

const labels: Readonly<Record<string, string>> = {summaries: 'summaries of earlier work'};
