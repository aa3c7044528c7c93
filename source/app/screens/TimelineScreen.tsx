import {Box} from 'ink';
import type {ReactElement} from 'react';
import {EventList} from '../components/EventList.tsx';
import {Frame} from '../components/Frame.tsx';
import {KeyHint} from '../components/KeyHint.tsx';
import {SafeText} from '../components/SafeText.tsx';
import {TimelineChart} from '../components/TimelineChart.tsx';
import {useView} from '../hooks/use-view.ts';
import {keyFor} from '../keymap/key-for.ts';
import {selectTimelineLayout} from '../model/timeline-layout.ts';

/** What a run did: one line for each task over time, and the events with their clock times. */
export function TimelineScreen(): ReactElement {
  const layout = useView(({model}) => selectTimelineLayout(model));
  const timeline = useView(({model}) => model.answers.timeline);
  const chart = timeline?.chart;
  if (timeline === undefined) return <Sentence text="Reading the journal …" />;
  if (timeline.entries.length === 0 && chart === undefined)
    return <Sentence text="Nothing has happened yet." />;
  return (
    <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0} minHeight={0}>
      {chart === undefined || layout === 'events' ? null : (
        <TimelineChart chart={chart} isAlone={layout === 'chart'} />
      )}
      {layout === 'chart' ? null : <Events earlier={timeline.earlier} />}
    </Box>
  );
}

function Events({earlier}: {readonly earlier: number}): ReactElement {
  const showsAll = useView(({model}) => model.showsAllEvents);
  const key = useView(({model}) => keyFor(model, 'all-events', 'timeline'));
  return (
    <Frame
      kind="top"
      flexGrow={1}
      flexShrink={1}
      flexBasis={0}
      minHeight={5}
      title={
        <SafeText>
          <SafeText bold>What happened</SafeText>
          {earlier === 0 ? null : (
            <SafeText tone="faint">{`  ${earlier} earlier are not shown`}</SafeText>
          )}
        </SafeText>
      }
      state={
        <Box columnGap={2}>
          <SafeText>{showsAll ? 'everything' : 'what matters'}</SafeText>
          <KeyHint keys={key} text={showsAll ? 'what matters' : 'all'} action="all-events" />
        </Box>
      }
    >
      <EventList />
    </Frame>
  );
}

function Sentence({text}: {readonly text: string}): ReactElement {
  return (
    <Box flexGrow={1} flexShrink={1} flexBasis={0} paddingX={1} paddingTop={1}>
      <SafeText tone="dim">{text}</SafeText>
    </Box>
  );
}
