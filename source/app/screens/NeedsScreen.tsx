import {Box, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import type {Need} from '../../domain/index.ts';
import {PaneFrame} from '../components/PaneFrame.tsx';
import {AnswerRow} from '../components/needs/AnswerRow.tsx';
import {CodesNeed} from '../components/needs/CodesNeed.tsx';
import {DecisionBar} from '../components/needs/DecisionBar.tsx';
import {Inbox} from '../components/needs/Inbox.tsx';
import {NeedField} from '../components/needs/NeedField.tsx';
import {NeedHeading} from '../components/needs/NeedHeading.tsx';
import {NeedLead, NeedParts} from '../components/needs/NeedParts.tsx';
import {PlanNeed} from '../components/needs/PlanNeed.tsx';
import {QuestionNeed} from '../components/needs/QuestionNeed.tsx';
import {NothingNeedsYou, SettledNeed} from '../components/needs/SettledNeed.tsx';
import {StoppedNeed} from '../components/needs/StoppedNeed.tsx';
import {
  useModel,
  useDaemonState,
  useNow,
  useSigns,
  useSizeClass,
  useTheme,
  useView,
} from '../hooks/use-view.ts';
import {Scroll} from '../ink/regions.tsx';
import {isOpenNeed} from '../model/needs-queue.ts';
import {mayHaveCode} from '../model/open-screen.ts';
import {focusedPane} from '../model/pane-grid.ts';
import {selectNeedView} from '../select/need-view.ts';
import {hasInbox, isBarInText, type NeedWays, selectNeedWays} from '../select/need-ways.ts';

/** What waits for the person: all of it on the left, one need on the right, and the ways on. */
export function NeedsScreen(): ReactElement {
  // A screen reader reads row by row: two columns would be mixed.
  const isReader = useIsScreenReaderEnabled();
  const isWide = hasInbox(useSizeClass()) && !isReader;
  const need = useView(({model}) => model.need);
  return (
    <Box flexGrow={1} flexShrink={1} flexBasis={0} minHeight={0}>
      {isWide ? (
        <>
          <Inbox />
          <Wall />
        </>
      ) : null}
      <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0} overflow="hidden">
        {need === undefined ? <NothingNeedsYou /> : <NeedColumn need={need} isWide={isWide} />}
      </Box>
    </Box>
  );
}

/** A line between the columns. */
function Wall(): ReactElement {
  const {styles} = useTheme();
  const {frames} = useSigns();
  return (
    <Box
      aria-hidden
      width={1}
      flexShrink={0}
      borderStyle={frames.rounded}
      borderTop={false}
      borderBottom={false}
      borderRight={false}
      {...(styles.border.color !== undefined && {borderColor: styles.border.color})}
    />
  );
}

function NeedColumn({need, isWide}: {readonly need: Need; readonly isWide: boolean}): ReactElement {
  const model = useModel();
  const state = useDaemonState();
  const isOpen = isOpenNeed(need, state);
  const pane = focusedPane(model, state);
  const ways = selectNeedWays(model, state);
  // The field of an answer stands below its question, and the ways on of a task that stopped below
  // its failure where the window is narrow.
  const hasOwnField =
    need.kind === 'question' || need.kind === 'uncertain-input' || isBarInText(model);
  return (
    <>
      <NeedHeading need={need} isOpen={isOpen} />
      <Scroll
        list="need"
        top={model.places.need.top}
        paddingX={1}
        {...(pane !== undefined && {flexGrow: 0, flexBasis: 'auto'})}
        {...(isWide && {marginTop: 1})}
      >
        {isOpen ? <NeedBody need={need} ways={ways} /> : <SettledNeed need={need} />}
      </Scroll>
      {pane === undefined ? null : (
        <Box
          flexGrow={1}
          flexShrink={1}
          flexBasis={0}
          minHeight={need.kind === 'question' && need.asked !== undefined ? 2 : minPaneRows}
          paddingX={isWide ? 1 : 0}
        >
          <PaneFrame pane={{...pane, isFocused: model.mode !== 'command'}} />
        </Box>
      )}
      {hasOwnField ? null : <NeedField />}
      {isBarInText(model) ? null : <DecisionBar {...ways} />}
    </>
  );
}

/**
 * Enough of the pane to see what is asked, however long the question is. What an agent asks through
 * its tools is not in its pane.
 */
const minPaneRows = 5;

function NeedBody({need, ways}: {readonly need: Need; readonly ways: NeedWays}): ReactElement {
  const state = useDaemonState();
  const now = useNow();
  const explanation = useView(({model}) => model.answers.explanation);
  switch (need.kind) {
    case 'plan':
      return <PlanNeed need={need} />;
    case 'question':
      return <QuestionNeed need={need} />;
    case 'stopped':
      return <StoppedNeed need={need} ways={ways} />;
    default: {
      const isOwn = need.kind === 'trouble' && explanation?.of === need.owner;
      const stop = isOwn && 'value' in explanation ? explanation.value.stop : undefined;
      const {lead, parts} = selectNeedView(need, {state, now, stop});
      return (
        <>
          <NeedLead>{lead}</NeedLead>
          <NeedParts parts={parts} />
          {need.kind === 'uncertain-input' ? (
            <AnswerRow context="need-question" text="writes it now" />
          ) : null}
          {need.kind === 'intrusion' && mayHaveCode(need) ? <CodesNeed need={need} /> : null}
        </>
      );
    }
  }
}
