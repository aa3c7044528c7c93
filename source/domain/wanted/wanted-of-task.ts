import type {Effect} from '../effect.ts';
import {attemptIdOf, runIdIn, type SessionId, type TaskId} from '../ids.ts';
import type {Run} from '../run.ts';
import {
  attemptOf,
  checkOfSession,
  liveSessionsOf,
  liveSessionsOfTask,
  sessionOf,
  worktreeOf,
  worktreeOwnerOf,
} from '../select/find.ts';
import {isOutgrown} from '../select/progress.ts';
import {isRed} from '../select/judgement.ts';
import {hasExited} from '../select/session-end.ts';
import type {State} from '../state.ts';
import type {Attempt, Task} from '../task.ts';
import {wantedOfClock} from './wanted-of-clock.ts';

/** What one active task wants besides its live sessions. */
export function wantedOfTask(state: State, run: Run, task: Task): Effect[] {
  const clock =
    task.setupSession === undefined
      ? []
      : wantedOfClock(state, run, `${task.id}/setup-clock`, task.setupSession, task.id);
  return [...wantedOfStage(state, run, task), ...clock];
}

function wantedOfStage(state: State, run: Run, task: Task): Effect[] {
  switch (task.stage.at) {
    case 'preparing':
    case 'taken-over':
      if (worktreeOf(run, task.id) === undefined)
        return isInhabited(state, task.id) ? [] : [makeWorktree(run, task.id)];
      return task.stage.at === 'preparing' && task.stage.setup !== undefined
        ? wantedOfClock(state, run, `${task.id}/setup-clock`, task.stage.setup, task.id)
        : [];
    case 'attempting': {
      const attempt = attemptOf(task);
      return attempt === undefined ? [] : wantedOfAttempt(state, run, task, attempt);
    }

    default:
      return [];
  }
}

/** A process of the worktree that was there before has not ended yet. */
function isInhabited(state: State, owner: TaskId): boolean {
  return liveSessionsOf(state).some((session) => worktreeOwnerOf(session) === owner);
}

/** A task builds on what is merged so far: its predecessors' work is in it. */
function makeWorktree(run: Run, task: TaskId): Effect {
  return {
    key: `${task}/make`,
    do: 'make-worktree',
    run: run.id,
    task,
    owner: task,
    from: run.head ?? '',
  };
}

function wantedOfAttempt(state: State, run: Run, task: Task, attempt: Attempt): Effect[] {
  const id = attemptIdOf(task.id, attempt.number);
  const {step} = attempt;
  const of = {run: runIdIn(task.id), task: task.id, attempt: attempt.number};
  switch (step.at) {
    case 'ready':
      // The work is laid over anew only when nobody is at it.
      if (!isOutgrown(run, task) || liveSessionsOfTask(state, task.id).length > 0) return [];
      return [
        {
          key: `${task.id}/renew/${run.head ?? ''}`,
          do: 'renew-worktree',
          run: of.run,
          task: task.id,
          owner: task.id,
          from: run.head ?? '',
        },
      ];
    case 'pausing':
      return [
        {
          key: `${id}/pause/${step.until}`,
          do: 'wait',
          run: of.run,
          task: of.task,
          until: step.until,
        },
      ];
    case 'working':
      return wantedWhileWorking(state, run, task, attempt, step.session);
    case 'capturing':
      // A process that is still being stopped may still write.
      return liveSessionsOfTask(state, task.id).length === 0
        ? [{key: `${id}/capture`, do: 'capture', ...of}]
        : [];
    case 'judging':
      return step.change.files.length === 0
        ? []
        : [{key: `${id}/judge/${step.change.tree}`, do: 'judge', ...of, tree: step.change.tree}];
    case 'checking': {
      const check = step.session === undefined ? undefined : checkOfSession(state, step.session);
      if (
        check === undefined ||
        step.session === undefined ||
        isRed(step.judgement) ||
        !hasExited(state, step.session)
      )
        return [];
      return [
        {
          key: `${id}/read-check/${check}/${step.session}`,
          do: 'read-check',
          run: of.run,
          task: of.task,
          on: 'change',
          check,
          session: step.session,
        },
      ];
    }

    case 'committing':
      return [
        {key: `${id}/commit/${step.change.tree}`, do: 'commit', ...of, tree: step.change.tree},
      ];
    default:
      return [];
  }
}

function wantedWhileWorking(
  state: State,
  run: Run,
  task: Task,
  {number}: Attempt,
  sessionId: SessionId,
): Effect[] {
  const id = attemptIdOf(task.id, number);
  const session = sessionOf(state, sessionId);
  if (session?.life.at === 'running')
    return wantedOfClock(state, run, `${id}/wall-clock`, sessionId, task.id);
  if (!hasExited(state, sessionId)) return [];
  return [
    {
      key: `${id}/read-outcome/${sessionId}`,
      do: 'read-outcome',
      run: run.id,
      task: task.id,
      attempt: number,
      session: sessionId,
    },
  ];
}
