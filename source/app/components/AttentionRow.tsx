import {Box} from 'ink';
import type {ReactElement} from 'react';
import {memoizedNeeds} from '../../domain/index.ts';
import {formatJournal} from '../../reports/index.ts';
import {formatClock, shortHash} from '../../shared/index.ts';
import {useDaemonState, useNow, useSigns, useSizeClass, useView} from '../hooks/use-view.ts';
import {Clickable} from '../ink/regions.tsx';
import type {ActionName} from '../keymap/action-name.ts';
import type {Context} from '../keymap/binding.ts';
import {keyFor} from '../keymap/key-for.ts';
import {formatRunningTime} from '../model/format-age.ts';
import {isOpenNeed} from '../model/needs-queue.ts';
import {formatChangeSize} from '../review/file-tree.ts';
import {selectReviewFiles} from '../review/select-review.ts';
import {type Attention, selectAttention} from '../select/run-progress.ts';
import type {TaskCounts} from '../select/count-tasks.ts';
import type {SignName} from '../theme/signs.ts';
import type {Token} from '../theme/tokens.ts';
import {SafeText} from './SafeText.tsx';

/** Row 1: what needs the person, or that nothing does. It is always there. */
export function AttentionRow(): ReactElement {
  const state = useDaemonState();
  const now = useNow();
  const connection = useView(({model}) => model.connection);
  const journal = useView(({model}) => model.journal);
  const hasDaemon = useView(({model}) => model.repository.trouble !== 'no-git');
  const plan = useView(({model}) => (model.screen === 'plan' ? model.run : undefined));
  const needInView = useView(({model, state: current}) =>
    model.screen === 'needs' && model.need !== undefined && isOpenNeed(model.need, current)
      ? model.need.id
      : undefined,
  );
  const planNeed = memoizedNeeds(state).find((need) => need.kind === 'plan' && need.run === plan);
  const shown = needInView ?? planNeed?.id;
  const accepted = useView(({model}) =>
    model.screen === 'accepted' && model.connection.at === 'live'
      ? model.answers.accepted
      : undefined,
  );
  // What to do is at the end of the sentence, and must not be cut.
  const sizeClass = useSizeClass();
  const isBrief = sizeClass !== 'wide' && sizeClass !== 'huge';
  if (connection.at === 'connecting' && hasDaemon)
    return <AttentionLine tone="dim" text="looking for the daemon …" />;
  const attention = selectAttention(state, {
    now,
    shown,
    ...(connection.at === 'lost' && hasDaemon && {disconnected: {lastSeen: state.at}}),
    trouble: journal === undefined ? undefined : formatJournal(journal, isBrief),
  });
  return accepted === undefined || attention.kind === 'needs' || attention.kind === 'trouble' ? (
    <AttentionOf
      attention={attention}
      isShown={needInView !== undefined}
      isPlan={planNeed !== undefined}
    />
  ) : (
    <AttentionLine
      tone="good"
      sign="passed"
      lead="accepted"
      text={`${accepted.branch} is at ${shortHash(accepted.commit)}`}
    />
  );
}

function AttentionOf({
  attention,
  isShown,
  isPlan,
}: {
  readonly attention: Attention;
  /** A need is on the screen already: no key leads to it. */
  readonly isShown: boolean;
  /** The plan that needs the person is on the screen, with its title. */
  readonly isPlan: boolean;
}): ReactElement {
  switch (attention.kind) {
    case 'disconnected':
      return (
        <AttentionLine
          tone="warn"
          mark="!"
          lead="reconnecting …"
          text="agents go on working"
          age={
            attention.lastSeen === undefined ? '' : `last seen ${formatClock(attention.lastSeen)}`
          }
        />
      );
    case 'trouble':
      return <AttentionLine tone="bad" mark="!" text={attention.text} />;
    case 'needs':
      return (
        <AttentionLine
          tone="warn"
          sign="needs"
          lead={`${attention.count} ${attention.count === 1 ? 'needs' : 'need'} you`}
          title={isPlan ? '' : attention.need.title}
          text={attention.need.text}
          age={formatRunningTime(attention.waitingMs)}
          {...(!isShown && {action: 'next-need', verb: attention.key.verb})}
          {...(isPlan && {action: 'approve', context: 'plan', verb: 'approve'})}
        />
      );
    case 'ready':
      return <ReadyLine attention={attention} isShown={isShown} />;
    case 'running':
      return (
        <AttentionLine
          tone="dim"
          lead="nothing needs you"
          text={attention.isAccepting ? 'accepting' : formatCounts(attention.counts)}
          age={formatRunningTime(attention.elapsedMs)}
        />
      );
    case 'idle':
      return (
        <AttentionLine
          tone="dim"
          lead="nothing runs"
          text=""
          action="new-objective"
          verb="new objective"
        />
      );
  }
}

/** In its review, the run can be accepted here and now. */
function ReadyLine({
  attention: {objective, run, branch},
  isShown,
}: {
  readonly attention: Extract<Attention, {readonly kind: 'ready'}>;
  readonly isShown: boolean;
}): ReactElement {
  const isReviewed = useView(
    ({model: {screen, subject}}) => screen === 'review' && subject === run,
  );
  const size = useView(({model}) => (isReviewed ? formatChangeSize(selectReviewFiles(model)) : ''));
  const ready = {tone: 'good', sign: 'passed', lead: 'ready to accept', text: ''} as const;
  return isReviewed ? (
    <AttentionLine
      {...ready}
      title={objective}
      age={size}
      action="accept"
      context="review"
      verb={`accept into ${branch}`}
    />
  ) : (
    <AttentionLine
      {...ready}
      title={objective}
      {...(!isShown && {action: 'next-need', verb: 'look and accept'})}
    />
  );
}

/** `2 work · 1 is checked · 2 wait` */
function formatCounts({plans, works, checks, waits}: TaskCounts): string {
  const part = (count: number, one: string, many: string): string =>
    count === 0 ? '' : `${count} ${count === 1 ? one : many}`;
  return [
    part(plans, 'plan is written', 'plans are written'),
    part(works, 'works', 'work'),
    part(checks, 'is checked', 'are checked'),
    part(waits, 'waits', 'wait'),
  ]
    .filter((text) => text !== '')
    .join(' · ');
}

/** What stands between the text and what is before it. */
function gapBefore(
  text: string,
  {lead, title}: {readonly lead: string; readonly title: string},
): string {
  if (text === '' || (lead === '' && title === '')) return '';
  return title === '' ? '   ' : ' ';
}

function AttentionLine({
  tone,
  sign,
  mark,
  lead = '',
  title = '',
  text,
  age = '',
  action,
  context = 'command',
  verb = '',
}: {
  readonly tone: Token;
  readonly sign?: SignName;
  readonly mark?: string;
  readonly lead?: string;
  readonly title?: string;
  readonly text: string;
  readonly age?: string;
  readonly action?: ActionName;
  /** Where its key works. @default command */
  readonly context?: Context;
  readonly verb?: string;
}): ReactElement {
  const signs = useSigns();
  const key = useView(({model}) => (action === undefined ? '' : keyFor(model, action, context)));
  const hasMark = sign !== undefined || mark !== undefined;
  const isQuiet = tone === 'dim';
  const line = (
    <Box height={1} flexGrow={1} paddingRight={1} columnGap={3}>
      <Box flexGrow={1} flexShrink={1}>
        <SafeText>
          {hasMark ? (
            <SafeText tone={tone} bold isHidden>
              {`${signs.sign.cursor}${sign === undefined ? (mark ?? '') : signs.sign[sign]} `}
            </SafeText>
          ) : (
            ' '
          )}
          <SafeText tone={tone} bold={!isQuiet}>
            {lead}
          </SafeText>
          {title === '' ? null : <SafeText bold>{`   ${title}`}</SafeText>}
          <SafeText tone={isQuiet ? 'dim' : 'text'}>
            {`${gapBefore(text, {lead, title})}${text}`}
          </SafeText>
        </SafeText>
      </Box>
      {age === '' ? null : (
        <Box flexShrink={0}>
          <SafeText tone="dim">{age}</SafeText>
        </Box>
      )}
      {action === undefined ? null : (
        <Box flexShrink={0}>
          <SafeText>
            <SafeText tone="accent" bold>
              {key}
            </SafeText>
            <SafeText tone="dim">{` ${verb}`}</SafeText>
          </SafeText>
        </Box>
      )}
    </Box>
  );
  return action === undefined ? (
    <Box height={1} flexShrink={0}>
      {line}
    </Box>
  ) : (
    <Clickable target={{type: 'action', action}} height={1}>
      {line}
    </Clickable>
  );
}
