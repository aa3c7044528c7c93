import {memo, type ReactElement} from 'react';
import {type TaskTrack, trackStages} from '../../reports/index.ts';
import {useSigns} from '../hooks/use-view.ts';
import type {StageState} from '../theme/signs.ts';
import {SafeText} from './SafeText.tsx';

/** How far a task is: work, rules, checks, merge. A screen reader hears the stage. */
export const Track = memo(function Track({
  track,
  size,
}: {
  readonly track: TaskTrack;
  readonly size: 'wide' | 'narrow';
}): ReactElement {
  const {segment} = useSigns();
  return (
    <SafeText label={formatStage(track)}>
      {trackStages.map((stage, index) => {
        const {text, token} = segment(stageStates[track[stage]], size);
        return (
          <SafeText key={stage} tone={token}>
            {index > 0 && size === 'wide' ? ` ${text}` : text}
          </SafeText>
        );
      })}
    </SafeText>
  );
});

/** The head of the tracks below it. */
export const trackHead = 'wrk rul chk mrg';

const stageStates: Readonly<Record<TaskTrack[keyof TaskTrack], StageState>> = {
  done: 'done',
  active: 'current',
  todo: 'pending',
  failed: 'failed',
  asks: 'asks',
  yours: 'yours',
};

function formatStage(track: TaskTrack): string {
  const current = trackStages.find((stage) => track[stage] !== 'done');
  if (current === undefined) return 'merged.';
  const state = track[current];
  const verb: Readonly<Record<typeof state, string>> = {
    done: 'is done',
    active: 'is under way',
    todo: 'is to come',
    failed: 'failed',
    asks: 'asks',
    yours: 'is in your hands',
  };
  return `${current} ${verb[state]}.`;
}
