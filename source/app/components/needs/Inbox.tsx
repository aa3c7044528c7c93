import {Box} from 'ink';
import {memo, type ReactElement} from 'react';
import type {NeedLabel} from '../../../reports/index.ts';
import {useDaemonState, useNow, useSigns, useView} from '../../hooks/use-view.ts';
import {Clickable, Item, Scroll} from '../../ink/regions.tsx';
import {formatWaitingTime} from '../../model/format-age.ts';
import type {TaskCounts} from '../../select/count-tasks.ts';
import {type InboxItem, selectNeedsInbox} from '../../select/needs-inbox.ts';
import {type SignName, signTokens} from '../../theme/signs.ts';
import {SafeText} from '../SafeText.tsx';
import {SelectRow} from '../SelectRow.tsx';

/** The left column of every need: all needs, oldest first, and what goes on without the person. */
export function Inbox(): ReactElement {
  const state = useDaemonState();
  const now = useNow();
  const shown = useView(({model}) => model.need?.id);
  const {needs, meanwhile} = selectNeedsInbox(state, now);
  return (
    <Box flexDirection="column" width={inboxColumns} flexShrink={0} overflow="hidden">
      <Box height={1} flexShrink={0} paddingX={1} justifyContent="space-between">
        <SafeText bold>
          {'Needs you  '}
          <SafeText tone="warn">{needs.length}</SafeText>
        </SafeText>
        <SafeText tone="dim" isHidden>
          oldest first
        </SafeText>
      </Box>
      <Scroll list="inbox" flexGrow={0} flexBasis="auto" marginTop={1}>
        {needs.map((need) => (
          <Item key={need.id} id={need.id} isCursor={need.id === shown} paddingBottom={1}>
            <InboxRow {...need} isSelected={need.id === shown} />
          </Item>
        ))}
      </Scroll>
      <Meanwhile counts={meanwhile} />
    </Box>
  );
}

const inboxColumns = 31;

const InboxRow = memo(function InboxRow({
  id,
  sign,
  title,
  words,
  waitingMs,
  isSelected,
}: InboxItem & {readonly isSelected: boolean}): ReactElement {
  return (
    <Clickable target={{type: 'need', id}}>
      <SelectRow isSelected={isSelected} rows={2} flexGrow={1} flexShrink={1} flexBasis={0}>
        <Box flexDirection="column" flexGrow={1} flexShrink={1} flexBasis={0} paddingRight={1}>
          <Box columnGap={1} height={1}>
            <NeedSign sign={sign} />
            <SafeText bold={isSelected}>{title}</SafeText>
          </Box>
          <Box columnGap={1} height={1} paddingLeft={2} justifyContent="space-between">
            <SafeText tone={isSelected ? toneOfNeed(sign) : 'dim'}>{words}</SafeText>
            <Box flexShrink={0}>
              <SafeText tone="dim">{formatWaitingTime(waitingMs)}</SafeText>
            </Box>
          </Box>
        </Box>
      </SelectRow>
    </Clickable>
  );
});

const signNames: Readonly<Record<NeedLabel['sign'], SignName>> = {
  asks: 'asks',
  plan: 'plan',
  stopped: 'failed',
  ready: 'passed',
  blocked: 'needs',
};

export function toneOfNeed(sign: NeedLabel['sign']): (typeof signTokens)[SignName] {
  return signTokens[signNames[sign]];
}

/** The mark of a need. A screen reader hears the words beside it instead. */
export function NeedSign({sign}: {readonly sign: NeedLabel['sign']}): ReactElement {
  const signs = useSigns();
  return (
    <Box flexShrink={0}>
      <SafeText tone={toneOfNeed(sign)} isHidden>
        {signs.sign[signNames[sign]]}
      </SafeText>
    </Box>
  );
}

/** What goes on without the person. */
function Meanwhile({counts}: {readonly counts: TaskCounts}): ReactElement {
  const {plans, works, checks, waits, merged, all} = counts;
  const isIdle = plans + works + checks === 0;
  return (
    <Box flexDirection="column" flexShrink={0} paddingX={1} marginTop={1}>
      <SafeText bold>Meanwhile</SafeText>
      {plans === 0 ? null : (
        <Fact sign="work" text={`${plans} ${plans === 1 ? 'plan is' : 'plans are'} written`} />
      )}
      {isIdle ? <Fact sign="wait" text={all === 0 ? 'nothing runs yet' : 'nothing runs'} /> : null}
      {works + checks === 0 ? null : (
        <Fact
          sign="work"
          text={`${works} ${works === 1 ? 'works' : 'work'}, ${checks} ${checks === 1 ? 'is' : 'are'} checked`}
        />
      )}
      {all === 0 ? null : (
        <Fact sign="passed" text={`${merged} of ${all} ${merged === 1 ? 'is' : 'are'} merged`} />
      )}
      {waits === 0 ? null : (
        <Fact sign="wait" text={`${waits} ${waits === 1 ? 'waits' : 'wait'} for others`} />
      )}
    </Box>
  );
}

function Fact({sign, text}: {readonly sign: SignName; readonly text: string}): ReactElement {
  const signs = useSigns();
  return (
    <Box columnGap={1} height={1}>
      <SafeText tone={signTokens[sign]} isHidden>
        {signs.sign[sign]}
      </SafeText>
      <SafeText tone="dim">{text}</SafeText>
    </Box>
  );
}
