import {Box} from 'ink';
import type {ReactElement, ReactNode} from 'react';
import {selectRuns} from '../../domain/index.ts';
import {FirstWays} from '../components/FirstWays.tsx';
import {Frame} from '../components/Frame.tsx';
import {KeyHint} from '../components/KeyHint.tsx';
import {ObjectiveField} from '../components/ObjectiveField.tsx';
import {EarlierObjectives, HowItGoes, Lately, RepositoryFacts} from '../components/StartParts.tsx';
import {SafeText} from '../components/SafeText.tsx';
import {useNow, useSize, useView} from '../hooks/use-view.ts';
import {Scroll} from '../ink/regions.tsx';
import {keyFor} from '../keymap/key-for.ts';
import {isWithoutAgent} from '../model/first-ways.ts';

/** The objective, who would work on it, and what a run would find in this repository. */
export function StartScreen(): ReactElement {
  // Agents are looked for again while the screen is shown.
  useNow();
  const {rows} = useSize();
  const top = useView(({model}) => model.places.start.top);
  const trouble = useView(({model}) => model.repository.trouble);
  const hasNoAgent = useView(({model, state}) => isWithoutAgent(model, state));
  const accepted = useView(
    ({state}) => selectRuns(state).filter(({stage}) => stage.at === 'accepted').length,
  );
  const hasRun = useView(({state}) => selectRuns(state).length > 0);
  const isLow = rows < 30;
  return (
    <Scroll list="start" top={top} paddingX={1}>
      <Centred>
        <Brand isShort={isLow} />
        {trouble === undefined ? null : <Trouble trouble={trouble} />}
        {trouble === undefined && hasNoAgent ? <FirstWays /> : null}
        {trouble === undefined && !hasNoAgent ? (
          <>
            <SafeText bold>What should be different?</SafeText>
            <ObjectiveField />
          </>
        ) : null}
        {accepted < 3 && !isLow ? <HowItGoes /> : null}
        {trouble === undefined && !hasNoAgent && !hasRun && !isLow ? (
          <Box flexShrink={0} marginTop={1}>
            <DemoHint text="see all of it first: a throw-away repository with a real bug, 1 min" />
          </Box>
        ) : null}
        {trouble === undefined ? (
          <>
            <RepositoryFacts />
            <Lately />
            <EarlierObjectives />
          </>
        ) : null}
      </Centred>
    </Scroll>
  );
}

/** At most 96 cells wide, in the middle. */
function Centred({children}: {readonly children: ReactNode}): ReactElement {
  return (
    <Box flexShrink={0} justifyContent="center">
      <Box flexDirection="column" flexGrow={1} flexShrink={1} maxWidth={96}>
        {children}
      </Box>
    </Box>
  );
}

function Brand({isShort}: {readonly isShort: boolean}): ReactElement {
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={isShort ? 0 : 2} marginBottom={1}>
      <SafeText bold label="orchestra">
        {isShort ? 'orchestra' : 'o r c h e s t r a'}
      </SafeText>
      {isShort ? null : (
        <SafeText tone="dim" wrap="wrap">
          a planner and parallel coding agents, behind a plan that you approve
        </SafeText>
      )}
    </Box>
  );
}

/** The key that opens the demo, while the objective is written or not. */
function DemoHint({text}: {readonly text: string}): ReactElement | null {
  const field = useView(({model}) => model.field?.for.what);
  const key = useView(({model}) =>
    keyFor(model, 'open-demo', field === 'objective' ? 'prompt' : 'start'),
  );
  // In any other line its key would be text.
  if (field !== undefined && field !== 'objective') return null;
  return <KeyHint keys={key} text={text} action="open-demo" />;
}

function Trouble({trouble}: {readonly trouble: 'no-git' | 'no-commits'}): ReactElement {
  const key = useView(({model}) => keyFor(model, 'prepare-repository', 'start'));
  const {title, text, offer} = troubleTexts[trouble];
  return (
    <Frame
      tone="warn"
      flexShrink={0}
      paddingX={1}
      title={
        <SafeText tone="warn" bold>
          {title}
        </SafeText>
      }
    >
      <SafeText wrap="wrap">{text}</SafeText>
      <Box flexShrink={0} marginY={1}>
        <KeyHint keys={key} text={offer} action="prepare-repository" isMain />
      </Box>
      <Box flexShrink={0} marginBottom={1}>
        <DemoHint text="see the whole loop first, in a throw-away repository" />
      </Box>
      <SafeText tone="dim" wrap="wrap">
        Or do it yourself, and start orchestra again.
      </SafeText>
    </Frame>
  );
}

const troubleTexts = {
  'no-git': {
    title: 'No git repository',
    text: 'This folder is not a git repository. Every task works in its own git worktree.',
    offer: 'make it one: git init and a first commit',
  },
  'no-commits': {
    title: 'No commit yet',
    text: 'This repository has no commit yet. Every task begins from a commit.',
    offer: 'make a first commit of what is here',
  },
} as const;
