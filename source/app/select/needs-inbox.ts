import {memoizedNeeds, selectOpenRuns, type State} from '../../domain/index.ts';
import {type NeedLabel, toNeedLabel} from '../../reports/index.ts';
import {countTasks, type TaskCounts} from './count-tasks.ts';

/** The left column of every need: all needs, oldest first, and what goes on without the person. */
export type NeedsInbox = {
  readonly needs: readonly InboxItem[];
  readonly meanwhile: TaskCounts;
};

export type InboxItem = NeedLabel & {readonly waitingMs: number};

export function selectNeedsInbox(state: State, now: number): NeedsInbox {
  return {
    needs: memoizedNeeds(state).map((need) => ({
      ...toNeedLabel(state, need),
      waitingMs: Math.max(0, now - need.since),
    })),
    meanwhile: countTasks(state, selectOpenRuns(state), now),
  };
}
