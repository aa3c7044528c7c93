import {Box} from 'ink';
import {memo, type ReactElement} from 'react';
import {selectOpenRuns, selectRun} from '../../domain/index.ts';
import {formatCost, formatCount, formatTokens, pluralize} from '../../shared/index.ts';
import {BlockedHosts, ToolCosts} from '../components/AuditLists.tsx';
import {ComparisonList} from '../components/ComparisonList.tsx';
import {CostByAgent} from '../components/CostByAgent.tsx';
import {CostByTask} from '../components/CostByTask.tsx';
import {KeyHint} from '../components/KeyHint.tsx';
import {PromptStacks} from '../components/PromptStacks.tsx';
import {SafeText} from '../components/SafeText.tsx';
import {ShareBar} from '../components/ShareBar.tsx';
import {useDaemonState, useSigns, useSizeClass, useView} from '../hooks/use-view.ts';
import {Scroll} from '../ink/regions.tsx';
import {keyFor} from '../keymap/key-for.ts';
import {type CostView, selectCostView, toPromptsView} from '../select/cost-view.ts';

/** What a run cost, where it went, and what each agent was told. */
export function CostScreen(): ReactElement {
  const top = useView(({model}) => model.places.audit.top);
  return (
    <Scroll list="audit" top={top}>
      <Content />
    </Scroll>
  );
}

/** Scrolling renders none of it again. */
const Content = memo(function Content(): ReactElement {
  const state = useDaemonState();
  const id = useView(({model}) => model.run);
  const audit = useView(({model}) => model.answers.audit);
  const sizeClass = useSizeClass();
  const isWide = sizeClass === 'medium' || sizeClass === 'wide' || sizeClass === 'huge';
  const run = id === undefined ? undefined : selectRun(state, id);
  const view = run === undefined ? undefined : selectCostView(state, run);
  const prompts =
    run === undefined || audit === undefined ? undefined : toPromptsView(state, run, audit).prompts;
  return (
    <Box flexDirection="column" flexShrink={0}>
      {view === undefined ? (
        <NothingYet />
      ) : (
        <>
          <Summary view={view} />
          <Budget view={view} />
          <CostByTask view={view} />
          <Box
            flexShrink={0}
            flexDirection={isWide ? 'row' : 'column'}
            paddingRight={isWide ? 1 : 0}
          >
            <PromptStacks prompts={prompts} />
            <CostByAgent view={view} audit={audit} />
          </Box>
        </>
      )}
      <ComparisonList audit={audit} />
      <ToolCosts tools={audit?.tools} />
      <BlockedHosts audit={audit} />
    </Box>
  );
});

function NothingYet(): ReactElement {
  const key = useView(({model}) => keyFor(model, 'new-objective', 'command'));
  return (
    <Box flexShrink={0} paddingX={1} paddingTop={1}>
      <SafeText tone="dim">{`Nothing was used yet. ${key} says what should be different.`}</SafeText>
    </Box>
  );
}

/** `469,020 tokens · $2.31 for 6 merged tasks · 78k and $0.39 each` */
function Summary({
  view: {tokens, cost, merged, perMerged},
}: {
  readonly view: CostView;
}): ReactElement {
  const state = useDaemonState();
  const run = useView(({model}) => model.run ?? '');
  const key = useView(({model}) => keyFor(model, 'next-subject', 'audit'));
  const {separator} = useSigns();
  const runs = selectOpenRuns(state).length;
  const price = cost === undefined ? '' : ` ${separator} ${formatCost(cost)}`;
  const each =
    perMerged === undefined
      ? 'nothing is merged yet'
      : `for ${pluralize(merged, 'merged task')} ${separator} ${formatTokens(perMerged.tokens)}${perMerged.cost === undefined ? '' : ` and ${formatCost(perMerged.cost)}`} each`;
  return (
    <Box flexShrink={0} paddingX={1} columnGap={3} marginBottom={1}>
      <Box flexGrow={1} flexShrink={1}>
        <SafeText wrap="wrap">
          <SafeText bold>{`${formatCount(tokens)} tokens${price}`}</SafeText>
          <SafeText tone="dim">{` ${each}`}</SafeText>
        </SafeText>
      </Box>
      {runs < 2 ? (
        <SafeText tone="faint">{run}</SafeText>
      ) : (
        <Box flexShrink={0} columnGap={3}>
          <SafeText tone="faint">{`${run} of ${runs} runs`}</SafeText>
          <KeyHint keys={key} text="next run" action="next-subject" />
        </Box>
      )}
    </Box>
  );
}

function Budget({view: {budget}}: {readonly view: CostView}): ReactElement | null {
  if (budget === undefined) return null;
  const {share, limit} = budget;
  return (
    <Box height={1} flexShrink={0} paddingX={1} columnGap={3} marginBottom={1}>
      <SafeText bold>Budget</SafeText>
      <ShareBar share={share} tone={share > 0.9 ? 'warn' : 'accent'} />
      <Box flexShrink={0}>
        <SafeText tone={share > 1 ? 'bad' : 'dim'}>
          {`${Math.round(share * 100)} % of ${formatTokens(limit)}`}
        </SafeText>
      </Box>
    </Box>
  );
}
