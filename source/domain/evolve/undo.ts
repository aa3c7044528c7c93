import {without} from '../../shared/index.ts';
import {isTaskId, type RunId, runIdIn, type TaskId} from '../ids.ts';
import type {Run} from '../run.ts';
import {selectRun} from '../select/find.ts';
import {selectDiscardedWith} from '../select/undo.ts';
import type {State} from '../state.ts';
import type {Hold, Task} from '../task.ts';
import {withoutBaselineSession} from './baseline.ts';
import {
  changeRun,
  changeTask,
  type EventHandlers,
  formatOutOfOrder,
  type TransitionResult,
} from './change.ts';
import {strandTask} from './run.ts';
import {closeRound} from './plan.ts';

type UndoEvent =
  | 'undo-asked'
  | 'undo-refused'
  | 'accept-undone'
  | 'task-restored'
  | 'run-restored'
  | 'rejection-withdrawn';

export const undoHandlers: EventHandlers<UndoEvent> = {
  'undo-asked': (state, {what}) =>
    isTaskId(what)
      ? selectDiscardedWith(state, what).reduce<TransitionResult<State>>(
          (next, id) => (typeof next === 'string' ? next : markTask(next, id, true)),
          state,
        )
      : markRun(state, what, true),

  'undo-refused': (state, {what}) => {
    const unmarked = isTaskId(what) ? markTask(state, what, false) : markRun(state, what, false);
    // A worktree that came back goes again: its task stays discarded.
    return typeof unmarked === 'string'
      ? unmarked
      : changeRun(unmarked, runIdIn(what), (run) =>
          withRemoved(
            run,
            (run.removed ?? []).map((one) =>
              one.owner === what || !isTaskId(what) ? without(one, 'isBack') : one,
            ),
          ),
        );
  },

  'accept-undone': (state, event) =>
    changeRun(state, event.run, (run) => {
      const {undoable} = run;
      if (run.stage.at !== 'accepted' || undoable?.kind !== 'accept' || undoable.isAsked !== true)
        return formatOutOfOrder(event, run.stage.at);
      return {...without(run, 'undoable'), stage: undoable.stage};
    }),

  'task-restored': (state, event) =>
    changeRun(state, runIdIn(event.task), (run) => {
      const task = run.tasks.find(({id}) => id === event.task);
      if (task?.stage.at !== 'discarded' || task.undoable?.isAsked !== true)
        return formatOutOfOrder(event, task?.stage.at ?? 'nothing');
      const {before, at} = task.undoable;
      const isWaiting = before.stage.at === 'waiting' && task.stage.why.kind === 'needs';
      const isAtRest = isWaiting || before.stage.at === 'stopped';
      const restored = {...withCounts(before, task), ...(isAtRest ? {} : toHold(before.hold, at))};
      const hasWorktree = run.worktrees.some(({owner}) => owner === event.task);
      const whole = hasWorktree ? restored : strandTask(restored, event.at);
      return {
        ...withRemoved(
          run,
          (run.removed ?? []).filter(({owner}) => owner !== event.task),
        ),
        tasks: run.tasks.map((other) => (other === task ? whole : other)),
      };
    }),

  'run-restored': (state, event) => {
    const restored = changeRun(state, event.run, (run) => {
      const {undoable} = run;
      if (run.stage.at !== 'discarded' || undoable?.kind !== 'discard' || undoable.isAsked !== true)
        return formatOutOfOrder(event, run.stage.at);
      const {before, at} = undoable;
      const tasks = before.tasks.map((task) => {
        const now = run.tasks.find(({id}) => id === task.id);
        const counted = now === undefined ? task : withCounts(task, now);
        return run.worktrees.some(({owner}) => owner === task.id)
          ? counted
          : strandTask(counted, event.at);
      });
      return {
        ...withoutBaselineSession(without(run, 'undoable', 'removed')),
        ...before,
        tasks,
        ...toHold(before.hold, at),
      };
    });
    if (typeof restored === 'string') return restored;
    const isQueued = selectRun(restored, event.run)?.stage.at === 'queued';
    return isQueued ? {...restored, queue: [...restored.queue, event.run]} : restored;
  },

  'rejection-withdrawn': (state, event) =>
    changeRun(state, event.run, (run) => {
      const {undoable, stage} = run;
      if (stage.at !== 'planning' || undoable?.kind !== 'reject')
        return formatOutOfOrder(event, stage.at);
      const {proposal, voided} = undoable;
      return {
        ...closeRound(run, []),
        stage: {
          at: 'reviewing',
          ground: stage.ground,
          proposal,
          since: event.at,
          ...(voided === undefined ? {} : {voided}),
        },
      };
    }),
};

/** Nothing that comes back goes on by itself: the stop counts from the discard. */
function toHold(hold: Hold | undefined, at: number): {readonly hold: Hold} {
  return {hold: hold ?? {at, isRestored: true}};
}

/** Endings are counted for ever: each has a summary. The fate of a message is final, too. */
function withCounts(before: Task, {endings, summarised, messages}: Task): Task {
  return {...before, endings, summarised, ...(messages === undefined ? {} : {messages})};
}

function markTask(state: State, id: TaskId, isAsked: boolean): TransitionResult<State> {
  return changeTask(state, id, (task) =>
    task.undoable === undefined || task.stage.at !== 'discarded'
      ? `there is nothing to undo about ${id}`
      : {...task, undoable: withAsked(task.undoable, isAsked)},
  );
}

function markRun(state: State, id: RunId, isAsked: boolean): TransitionResult<State> {
  return changeRun(state, id, (run) =>
    run.undoable === undefined
      ? `there is nothing to undo about ${id}`
      : {...run, undoable: withAsked(run.undoable, isAsked)},
  );
}

function withAsked<T extends {readonly isAsked?: true}>(undoable: T, isAsked: boolean): T {
  return (isAsked ? {...undoable, isAsked: true} : without(undoable, 'isAsked')) as T;
}

function withRemoved(run: Run, removed: NonNullable<Run['removed']>): Run {
  return removed.length === 0 ? without(run, 'removed') : {...run, removed};
}
