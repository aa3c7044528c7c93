import type {Effect} from '../effect.ts';
import {runIdIn, type SessionId, type TaskId, toAttemptId} from '../ids.ts';
import type {Run} from '../run.ts';
import {
  busySessionsOfTask,
  checkOfSession,
  hasLiveSessionIn,
  liveSessionsOfTask,
  selectAttempt,
  selectSession,
  selectWorktree,
} from '../select/find.ts';
import {isOutgrown} from '../select/progress.ts';
import {isRed} from '../verdict.ts';
import {hasExited} from '../select/sessions.ts';
import type {State} from '../state.ts';
import type {Attempt, Task} from '../task.ts';
import {isLedByPerson, isWorkOver} from '../select/open-session.ts';
import {isBetweenTurns, isInteractive, selectDeadline, type Session} from '../session.ts';

/** Effects of one active task, in addition to its live sessions. */
export function taskEffects(state: State, run: Run, task: Task): Effect[] {
  const clock =
    task.setupSession === undefined
      ? []
      : deadlineEffects(state, run, `${task.id}/setup-clock`, task.setupSession, task.id);
  return [...stageEffects(state, run, task), ...clock];
}

function stageEffects(state: State, run: Run, task: Task): Effect[] {
  switch (task.stage.at) {
    case 'preparing':
    case 'taken-over':
      if (selectWorktree(run, task.id) === undefined)
        return hasLiveSessionIn(state, task.id) ? [] : [makeWorktreeEffect(run, task.id)];
      return task.stage.at === 'preparing' && task.stage.setup !== undefined
        ? deadlineEffects(state, run, `${task.id}/setup-clock`, task.stage.setup, task.id)
        : [];
    case 'attempting': {
      const attempt = selectAttempt(task);
      return attempt === undefined ? [] : attemptEffects(state, run, task, attempt);
    }

    default:
      return [];
  }
}

/** A task starts from the current head, which contains its merged predecessors. */
function makeWorktreeEffect(run: Run, task: TaskId): Effect {
  return {
    key: `${task}/make`,
    do: 'make-worktree',
    run: run.id,
    task,
    owner: task,
    from: run.head ?? '',
  };
}

function attemptEffects(state: State, run: Run, task: Task, attempt: Attempt): Effect[] {
  const id = toAttemptId(task.id, attempt.number);
  const {step} = attempt;
  const of = {run: runIdIn(task.id), task: task.id, attempt: attempt.number};
  switch (step.at) {
    case 'ready':
      // The worktree is moved to the head only while no session uses it.
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
      return workingEffects(state, run, task, attempt, step.session);
    case 'capturing':
      // A session that is being stopped may still write.
      return busySessionsOfTask(state, task.id).length === 0
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

function workingEffects(
  state: State,
  run: Run,
  task: Task,
  attempt: Attempt,
  sessionId: SessionId,
): Effect[] {
  const {number} = attempt;
  const id = toAttemptId(task.id, number);
  const session = selectSession(state, sessionId);
  const of = {run: run.id, task: task.id, attempt: number, session: sessionId};
  if (session !== undefined && isInteractive(session) && session.life.at === 'running') {
    if (isWorkOver(run, attempt, session) && hasRested(session))
      return [
        {
          key: `${id}/read-outcome/${sessionId}/${session.turn?.number ?? 0}`,
          do: 'read-outcome',
          ...of,
        },
      ];
    if (isPromptDue(session))
      return [
        {
          key: `${id}/ask-prompt/${sessionId}`,
          do: 'ask-prompt',
          run: run.id,
          task: task.id,
          session: sessionId,
        },
      ];
  }

  const isLed = session !== undefined && isLedByPerson(run, attempt, session);
  if (session?.life.at === 'running')
    return isLed ? [] : deadlineEffects(state, run, `${id}/wall-clock`, sessionId, task.id);
  if (!hasExited(state, sessionId) || (isLed && !isWorkOver(run, attempt, session))) return [];
  return [{key: `${id}/read-outcome/${sessionId}`, do: 'read-outcome', ...of}];
}

/** Its turn for this attempt has ended, or nobody has written to it. */
function hasRested(session: Session): boolean {
  const {turn, earlier} = session;
  return turn === undefined
    ? earlier === undefined && isBetweenTurns(session)
    : turn.at === 'ended' && turn.number > (earlier?.turns ?? 0);
}

/** It works on a further attempt or round and has not got the prompt of that. */
export function isPromptDue({earlier, inputs}: Session): boolean {
  return (
    earlier !== undefined &&
    !inputs.some(({number, prompt}) => prompt !== undefined && number > earlier.inputs)
  );
}

/**
 * Waits until a session has worked for as long as the budget allows. Time spent waiting for a
 * person does not count.
 */
export function deadlineEffects(
  state: State,
  run: Run,
  key: string,
  id: SessionId,
  task?: TaskId,
): Effect[] {
  const session = selectSession(state, id);
  const limit = run.budget.attemptWallClock;
  const deadline =
    session === undefined || limit === undefined ? undefined : selectDeadline(session, limit);
  if (deadline === undefined) return [];
  const {until, waited} = deadline;
  return [
    {
      key: `${key}/${id}${waited === 0 ? '' : `/${waited}`}`,
      do: 'wait',
      run: run.id,
      until,
      ...(task === undefined ? {} : {task}),
    },
  ];
}
