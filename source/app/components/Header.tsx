import {Box} from 'ink';
import {memo, type ReactElement} from 'react';
import {memoizedNeeds, selectRun} from '../../domain/index.ts';
import {formatCost, formatTokens} from '../../shared/index.ts';
import {useSigns, useSizeClass, useTheme, useView} from '../hooks/use-view.ts';
import {Clickable} from '../ink/regions.tsx';
import type {ActionName} from '../keymap/action-name.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {ScreenName} from '../model/model.ts';
import {runInView} from '../model/sidebar-rows.ts';
import {selectRunProgress} from '../select/run-progress.ts';
import {ProgressBar} from './ProgressBar.tsx';
import {SafeText} from './SafeText.tsx';

/** Row 0, place: the repository, the tabs, and how far the run in view is. */
export function Header(): ReactElement {
  const theme = useTheme();
  const sizeClass = useSizeClass();
  const isSmall = sizeClass === 'phone' || sizeClass === 'small';
  return (
    <Box height={1} flexShrink={0} paddingX={1} {...theme.fill('surface')}>
      <Repository />
      {isSmall ? <ScreenLabel /> : <Tabs />}
      {isSmall ? <NeedCount /> : <RunProgress />}
    </Box>
  );
}

function Repository(): ReactElement {
  const name = useView(({model}) => model.repository.name);
  const branch = useView(({model, state}) => {
    const id = runInView(state, model.run ?? model.selected);
    const run = id === undefined ? undefined : selectRun(state, id);
    return run !== undefined && 'ground' in run.stage
      ? (run.stage.ground.branch ?? '')
      : (model.repository.head?.branch ?? '');
  });
  const sizeClass = useSizeClass();
  return (
    <Box flexShrink={1} marginRight={sizeClass === 'narrow' ? 2 : 3}>
      <SafeText>
        <SafeText bold>{name}</SafeText>
        {branch === '' || sizeClass === 'phone' ? null : (
          <SafeText tone="dim">{` ${branch}`}</SafeText>
        )}
      </SafeText>
    </Box>
  );
}

type Tab = {
  readonly screen: ScreenName;
  readonly action: ActionName;
  readonly label: string;
  readonly short?: string;
};

export const tabs: readonly Tab[] = [
  {screen: 'workers', action: 'screen-workers', label: 'Work'},
  {screen: 'plan', action: 'screen-plan', label: 'Plan'},
  {screen: 'review', action: 'screen-review', label: 'Review'},
  {screen: 'timeline', action: 'screen-timeline', label: 'Timeline', short: 'Time'},
  {screen: 'audit', action: 'screen-audit', label: 'Cost'},
  {screen: 'services', action: 'screen-services', label: 'Services'},
  {screen: 'knowledge', action: 'screen-knowledge', label: 'Notes'},
];

/** Tabs that do not fit wrap into a row that is not shown. */
function Tabs(): ReactElement {
  const screen = useView(({model}) => model.screen);
  const isNarrow = useSizeClass() === 'narrow';
  return (
    <Box
      flexGrow={1}
      flexShrink={1}
      flexBasis={0}
      height={1}
      overflow="hidden"
      flexWrap="wrap"
      columnGap={isNarrow ? 0 : 1}
    >
      {tabs.map((tab) => (
        <TabLabel key={tab.screen} tab={tab} isOpen={tab.screen === screen} isShort={isNarrow} />
      ))}
    </Box>
  );
}

const TabLabel = memo(function TabLabel({
  tab: {action, label, short},
  isOpen,
  isShort,
}: {
  readonly tab: Tab;
  readonly isOpen: boolean;
  readonly isShort: boolean;
}): ReactElement {
  const theme = useTheme();
  const key = useView(({model}) => keyFor(model, action, 'command'));
  return (
    <Clickable
      target={{type: 'action', action}}
      paddingX={1}
      height={1}
      {...(isOpen && theme.fill('raised'))}
    >
      <SafeText>
        <SafeText tone="accent" bold>
          {key}
        </SafeText>
        <SafeText tone={isOpen ? 'text' : 'dim'} bold={isOpen}>
          {` ${isShort ? (short ?? label) : label}`}
        </SafeText>
      </SafeText>
    </Clickable>
  );
});

function ScreenLabel(): ReactElement {
  const screen = useView(({model}) => model.screen);
  const label = tabs.find((tab) => tab.screen === screen)?.label ?? toTitle(screen);
  return (
    <Box flexGrow={1} flexShrink={1}>
      <SafeText tone="dim">{label}</SafeText>
    </Box>
  );
}

function toTitle(screen: ScreenName): string {
  return `${screen[0]?.toUpperCase() ?? ''}${screen.slice(1)}`;
}

function NeedCount(): ReactElement | null {
  const count = useView(({state}) => memoizedNeeds(state).length);
  const {sign} = useSigns();
  if (count === 0) return null;
  return (
    <Clickable target={{type: 'action', action: 'next-need'}} height={1}>
      <SafeText tone="warn" bold label={`${count} need you`}>
        {`${sign.needs}${count}`}
      </SafeText>
    </Clickable>
  );
}

function RunProgress(): ReactElement | null {
  const isNarrow = useSizeClass() === 'narrow';
  const state = useView((view) => view.state);
  const id = useView(({model}) => runInView(state, model.run ?? model.selected));
  const run = id === undefined ? undefined : selectRun(state, id);
  if (run === undefined) return <Version />;
  const {merged, all, tokens, cost} = selectRunProgress(state, run);
  if (all === 0) return null;
  return (
    <Box flexShrink={0} marginLeft={1} columnGap={2}>
      <SafeText>
        <ProgressBar cells={isNarrow ? 8 : 12} share={merged / all} />
        <SafeText bold label={`${merged} of ${all} merged`}>
          {` ${merged}/${all}`}
        </SafeText>
      </SafeText>
      {isNarrow || tokens === 0 ? null : <SafeText tone="dim">{formatTokens(tokens)}</SafeText>}
      {cost === undefined ? null : <SafeText tone="dim">{formatCost(cost)}</SafeText>}
    </Box>
  );
}

function Version(): ReactElement {
  return (
    <Box flexShrink={0} marginLeft={1}>
      <SafeText tone="faint">orchestra</SafeText>
    </Box>
  );
}
