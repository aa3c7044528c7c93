import {Box, useIsScreenReaderEnabled} from 'ink';
import type {ReactElement} from 'react';
import type {AcceptedCard, AcceptedTask} from '../../reports/index.ts';
import {
  formatCost,
  formatDuration,
  formatTokens,
  pluralize,
  shortHash,
} from '../../shared/index.ts';
import {useSigns, useSizeClass, useView} from '../hooks/use-view.ts';
import {Scroll} from '../ink/regions.tsx';
import {keyFor} from '../keymap/key-for.ts';
import {safeLine} from '../model/line.ts';
import {fillsFor} from '../theme/fills.ts';
import {Frame} from './Frame.tsx';
import {KeyHint} from './KeyHint.tsx';
import {SafeText} from './SafeText.tsx';
import {TimeBar} from './TimeBar.tsx';

/** What was accepted, how long it took, what proves it, and where it is now. */
export function AcceptedCardView({
  card,
  undoText,
}: {
  readonly card: AcceptedCard;
  /** How accepting can be undone, as long as it can. */
  readonly undoText?: string | undefined;
}): ReactElement {
  const sizeClass = useSizeClass();
  const isSmall = sizeClass === 'phone' || sizeClass === 'small';
  const isNarrow = isSmall || sizeClass === 'narrow';
  const isReader = useIsScreenReaderEnabled();
  const top = useView(({model}) => model.places.accepted.top);
  return (
    <Frame
      kind={isSmall || isReader ? 'top' : 'full'}
      tone="good"
      width={isNarrow || isReader ? '100%' : 84}
      flexShrink={1}
      paddingX={isSmall ? 1 : 3}
      footState={<SafeText tone="faint">orchestra</SafeText>}
    >
      <Scroll list="accepted" top={top} flexBasis="auto">
        <Objective objective={card.objective} />
        <Totals card={card} />
        {card.tasks.map((task) => (
          <TaskLine key={task.number} task={task} card={card} />
        ))}
        <Proof card={card} />
        <Place card={card} />
        <WaysOn />
        {undoText === undefined ? null : (
          <Box flexShrink={0} marginTop={1}>
            <SafeText tone="faint" wrap="wrap">
              {undoText}
            </SafeText>
          </Box>
        )}
        <Box height={1} flexShrink={0} />
      </Scroll>
    </Frame>
  );
}

function Objective({objective}: {readonly objective: string}): ReactElement {
  const {sign} = useSigns();
  return (
    <Box flexShrink={0} marginY={1} columnGap={1}>
      <Box flexShrink={0} aria-hidden>
        <SafeText tone="good">{sign.passed}</SafeText>
      </Box>
      <Box flexShrink={1} flexGrow={1}>
        <SafeText bold wrap="wrap" label={`Accepted: ${objective}`}>
          {objective}
        </SafeText>
      </Box>
    </Box>
  );
}

/** `6 tasks in 6m12 · 8 files +43 -1 · 469k tokens · $2.31` */
function Totals({card}: {readonly card: AcceptedCard}): ReactElement {
  const {separator} = useSigns();
  const merged = card.tasks.filter(({end}) => end === 'merged').length;
  const between = <SafeText tone="faint">{` ${separator} `}</SafeText>;
  return (
    <Box flexShrink={0} marginBottom={1}>
      <SafeText wrap="wrap">
        <SafeText bold>{pluralize(merged, 'task')}</SafeText>
        <SafeText tone="dim"> in </SafeText>
        <SafeText bold>{formatDuration(card.durationMs)}</SafeText>
        {between}
        <SafeText tone="dim">{`${pluralize(card.files, 'file')} `}</SafeText>
        <SafeText tone="good">{`+${card.added}`}</SafeText>
        <SafeText tone="bad">{` -${card.removed}`}</SafeText>
        {card.tokens === 0 ? null : between}
        {card.tokens === 0 ? null : (
          <SafeText bold>{`${formatTokens(card.tokens)} tokens`}</SafeText>
        )}
        {card.cost === undefined ? null : between}
        {card.cost === undefined ? null : <SafeText bold>{formatCost(card.cost)}</SafeText>}
      </SafeText>
    </Box>
  );
}

function TaskLine({
  task: {number, title, end, segments, durationMs},
  card: {from, to},
}: {
  readonly task: AcceptedTask;
  readonly card: AcceptedCard;
}): ReactElement {
  const {sign} = useSigns();
  const isMerged = end === 'merged';
  const took = durationMs === undefined ? '' : formatDuration(durationMs);
  // The mark before the title says that it was merged.
  const shown = segments.filter(({kind}) => kind !== 'merged');
  return (
    <Box
      height={1}
      flexShrink={0}
      columnGap={1}
      aria-label={safeLine(`${number} ${title}, ${end}${took === '' ? '' : `, ${took}`}.`)}
    >
      <Box flexShrink={0}>
        <SafeText>
          <SafeText tone={isMerged ? 'good' : 'faint'}>
            {isMerged ? sign.passed : sign.discarded}
          </SafeText>
          <SafeText tone="dim">{` ${number}`}</SafeText>
        </SafeText>
      </Box>
      <Box width="48%" flexShrink={1} paddingRight={1}>
        <SafeText tone={isMerged ? 'text' : 'dim'}>{title}</SafeText>
      </Box>
      <TimeBar segments={shown} span={{from, to}} />
      <Box width={7} flexShrink={0} justifyContent="flex-end">
        <SafeText tone="dim">{took}</SafeText>
      </Box>
    </Box>
  );
}

function Proof({card}: {readonly card: AcceptedCard}): ReactElement {
  const {sign, separator} = useSigns();
  const trouble = formatTrouble(card);
  const rules = card.rules === 0 ? '' : `${pluralize(card.rules, 'rule')} kept`;
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      {card.checks.length === 0 ? (
        <SafeText tone="warn" wrap="wrap">
          No checks: nothing has proved that it works.
        </SafeText>
      ) : (
        <SafeText tone="dim" wrap="wrap">
          {card.checks.map((name) => (
            <SafeText key={name}>
              {`${name} `}
              <SafeText tone="good" label="passed">
                {sign.passed}
              </SafeText>
              {'  '}
            </SafeText>
          ))}
          {`after every task and every merge${rules === '' ? '' : ` ${separator} ${rules}`}`}
        </SafeText>
      )}
      {trouble === '' ? null : (
        <SafeText tone="dim" wrap="wrap">
          {trouble}
        </SafeText>
      )}
    </Box>
  );
}

/** `2 tries were red; you were asked 3 times, which took 2m31` */
function formatTrouble({redTries, asked}: AcceptedCard): string {
  const parts = [
    ...(redTries === 0
      ? []
      : [`${pluralize(redTries, 'try', 'tries')} ${redTries === 1 ? 'was' : 'were'} red`]),
    ...(asked.times === 0
      ? []
      : [
          `you were asked ${pluralize(asked.times, 'time')}, which took ${formatDuration(asked.totalMs)}`,
        ]),
  ];
  return parts.join('; ');
}

function Place({
  card: {branch, before, commit, notes},
}: {
  readonly card: AcceptedCard;
}): ReactElement {
  const {arrow} = fillsFor(useSigns());
  const from = before === undefined ? '' : `${shortHash(before)} ${arrow} `;
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      <SafeText wrap="wrap">
        <SafeText bold>{`${branch}  ${from}${shortHash(commit)}`}</SafeText>
        <SafeText tone="dim">{'     git log --graph shows each task'}</SafeText>
      </SafeText>
      {notes === undefined ? null : (
        <SafeText wrap="wrap">
          <SafeText tone="dim">{'notes  '}</SafeText>
          {notes}
        </SafeText>
      )}
    </Box>
  );
}

function WaysOn(): ReactElement {
  const objective = useView(({model}) => keyFor(model, 'new-objective', 'command'));
  const timeline = useView(({model}) => keyFor(model, 'screen-timeline', 'command'));
  const copy = useView(({model}) => keyFor(model, 'copy-markdown', 'accepted'));
  return (
    <Box flexShrink={0} marginTop={1} flexWrap="wrap" columnGap={4}>
      <KeyHint keys={objective} text="next objective" action="new-objective" isMain />
      <KeyHint keys={timeline} text="timeline" action="screen-timeline" />
      <KeyHint keys={copy} text="copy this as Markdown" action="copy-markdown" />
    </Box>
  );
}
