import {Box} from 'ink';
import type {ReactElement} from 'react';
import {type Need, selectTask} from '../../../domain/index.ts';
import {type NeedLabel, toNeedLabel} from '../../../reports/index.ts';
import {useDaemonState, useNow, useSigns} from '../../hooks/use-view.ts';
import {formatWaitingTime, formatRunningTime} from '../../model/format-age.ts';
import {selectSessionTask} from '../../select/need-view.ts';
import {SafeText} from '../SafeText.tsx';
import {NeedSign, toneOfNeed} from './Inbox.tsx';

/** What the need is about, and on the right how long it waits. */
export function NeedHeading({
  need,
  isOpen,
}: {
  readonly need: Need;
  readonly isOpen: boolean;
}): ReactElement {
  const state = useDaemonState();
  const now = useNow();
  const {separator} = useSigns();
  const label = toNeedLabel(state, need);
  const task =
    need.kind === 'stopped' ? selectTask(state, need.task) : selectSessionTask(need, state);
  const tries = task?.attempts.length ?? 0;
  const facts = [
    label.number === undefined ? '' : String(label.number),
    need.kind === 'question' && tries > 0
      ? `try ${tries}/${Math.max(tries, task?.allowed ?? 0)}`
      : '',
  ].filter((text) => text !== '');
  return (
    <Box height={1} flexShrink={0} paddingX={1} columnGap={1}>
      <NeedSign sign={isOpen ? label.sign : 'ready'} />
      <Box flexGrow={1} flexShrink={1}>
        <SafeText bold>{label.title}</SafeText>
      </Box>
      <Box flexShrink={0}>
        <SafeText tone="dim">
          {facts.map((fact) => `${fact} ${separator} `).join('')}
          <SafeText tone={isOpen ? toneOfNeed(label.sign) : 'good'}>
            {isOpen ? formatWaiting(need, label, now - need.since) : 'settled'}
          </SafeText>
        </SafeText>
      </Box>
    </Box>
  );
}

function formatWaiting({kind}: Need, {sign}: NeedLabel, ms: number): string {
  if (kind === 'planless') return `failed ${formatWaitingTime(ms)} ago`;
  if (kind === 'stopped') return `stopped ${formatWaitingTime(ms)} ago`;
  switch (sign) {
    case 'asks':
      return `waiting ${formatRunningTime(ms)}`;
    case 'plan':
    case 'ready':
      return `ready ${formatWaitingTime(ms)} ago`;
    case 'stopped':
    case 'blocked':
      return `${formatWaitingTime(ms)} ago`;
  }
}
