import {Box} from 'ink';
import type {ReactElement} from 'react';
import {measureAbsence} from '../../reports/index.ts';
import {
  formatClockMinute,
  formatCost,
  formatDateLine,
  formatDay,
  formatTokens,
  pluralize,
} from '../../shared/index.ts';
import {useView} from '../hooks/use-view.ts';
import type {Answers} from '../model/model.ts';
import {Rule} from './Rule.tsx';
import {SafeText} from './SafeText.tsx';
import {ShareBar} from './ShareBar.tsx';

type AnsweredBrief = NonNullable<Answers['brief']>;

/** The greeting, how long the person was away, and what waits. */
export function BriefHeadline({
  brief,
  needs,
}: {
  readonly brief: AnsweredBrief;
  readonly needs: number;
}): ReactElement {
  const {since, at, view} = brief;
  return (
    <Box flexDirection="column" flexShrink={0} paddingX={1} marginY={1}>
      <Box columnGap={2}>
        <Box flexGrow={1} flexShrink={1}>
          <SafeText bold wrap="wrap">
            {formatAbsence(brief)}
          </SafeText>
        </Box>
        <Box flexShrink={0}>
          <SafeText tone="faint">{`since ${formatMoment(since, at)}`}</SafeText>
        </Box>
      </Box>
      <SafeText tone="dim" wrap="wrap">
        {formatProgress(view?.progress, needs)}
      </SafeText>
    </Box>
  );
}

const greetings = {
  morning: 'Good morning.',
  afternoon: 'Good afternoon.',
  evening: 'Good evening.',
  night: 'Hello.',
};

/** On the first visit, and without an absence, there is only what happened. */
function formatAbsence(brief: AnsweredBrief): string {
  const {backMs} = measureAbsence(brief);
  const greeting = brief.view === undefined ? '' : `${greetings[brief.view.greeting]} `;
  const awayMs = brief.view === undefined ? measureAbsence(brief).awayMs : brief.view.awayMs;
  if (awayMs === undefined) return 'What happened so far.';
  const until = backMs < 60_000 ? '' : `, until ${formatMoment(brief.at - backMs, brief.at)}`;
  return `${greeting}You were away for ${formatAway(awayMs)}${until}.`;
}

/** `42 minutes`, `3 hours`, `2 days` */
function formatAway(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return pluralize(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? pluralize(hours, 'hour') : pluralize(Math.floor(hours / 24), 'day');
}

/** The clock, with the day if it is another one. */
export function formatMoment(at: number, now: number): string {
  const clock = formatClockMinute(at);
  return formatDay(at) === formatDay(now) ? clock : `${formatDateLine(at)} ${clock}`;
}

function formatProgress(
  progress: {readonly merged: number; readonly all: number} | undefined,
  needs: number,
): string {
  const waiting =
    needs === 0
      ? 'nothing waits for you'
      : `${pluralize(needs, 'thing')} ${needs === 1 ? 'waits' : 'wait'} for you`;
  if (progress === undefined || progress.all === 0)
    return `${waiting.charAt(0).toUpperCase()}${waiting.slice(1)}.`;
  const {merged, all} = progress;
  return `${merged} of ${pluralize(all, 'task')} ${merged === 1 ? 'is' : 'are'} merged; ${waiting}.`;
}

/** What the open runs have used, and how much of it meanwhile. */
export function BriefCost(): ReactElement | null {
  const view = useView(({model}) => model.answers.brief?.view);
  if (view === undefined || view.used.tokens === 0) return null;
  const {tokens, limit, tokensSince, costSince} = view.used;
  const meanwhile =
    costSince === undefined ? `${formatTokens(tokensSince)} tokens` : formatCost(costSince);
  return (
    <Box flexDirection="column" flexShrink={0} marginTop={1}>
      <Box height={1} columnGap={2} paddingLeft={1}>
        <SafeText bold>What it cost meanwhile</SafeText>
        <Rule />
      </Box>
      <Box height={1} columnGap={2} paddingX={1}>
        {limit === undefined ? null : (
          <ShareBar share={tokens / limit} tone={tokens > limit * 0.9 ? 'warn' : 'accent'} />
        )}
        <Box flexShrink={0}>
          <SafeText tone="dim">
            {`${formatTokens(tokens)}${limit === undefined ? ' tokens' : ` of ${formatTokens(limit)}`}   ${meanwhile} since ${formatMoment(view.since, view.at)}`}
          </SafeText>
        </Box>
      </Box>
    </Box>
  );
}
