import type {Happening} from '../event.ts';
import type {SessionId} from '../ids.ts';
import type {Run} from '../run.ts';
import {attemptOf, serviceOf, sessionOf, worktreeOf} from '../select/find.ts';
import {
  hasRoomForTask,
  isItsTurnToMerge,
  isPerTask,
  isStartable,
  isTaskActive,
  mergerOf,
  predecessorsOf,
} from '../select/progress.ts';
import {areOwnServicesReady} from '../select/task-services.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import {askSession, isBusy} from './ask-session.ts';
import {followAttempt} from './follow-attempt.ts';
import {followMerge} from './follow-merge.ts';
import {afterSetup, followFirstSetup} from './follow-setup.ts';

export function followTask(state: State, run: Run, task: Task, at: number): Happening | undefined {
  if (!isTaskActive(run, task)) return undefined;
  switch (task.stage.at) {
    case 'waiting':
      return followWaiting(state, run, task);
    case 'preparing':
      return followPreparing(state, run, task, task.stage, at);
    case 'attempting':
      return followAttempt(state, run, task, at);
    case 'taken-over':
      if (
        isInHand(state, task.stage.session) ||
        worktreeOf(run, task.id) === undefined ||
        isBusy(state, task)
      )
        return undefined;
      return askSession(state, {for: 'takeover', task: task.id});
    case 'validated':
      return isItsTurnToMerge(state, run, task) ? {type: 'merge-begun', task: task.id} : undefined;
    case 'merging':
      return mergerOf(run) === task
        ? followMerge(state, run, task, task.stage.step, at)
        : undefined;
    default:
      return undefined;
  }
}

/** The person has a session. One whose conversation was lost shows nothing but that: another begins anew in its place. */
function isInHand(state: State, id: SessionId | undefined): boolean {
  return id !== undefined && sessionOf(state, id)?.lostConversation !== true;
}

function followWaiting(state: State, run: Run, task: Task): Happening | undefined {
  const predecessors = predecessorsOf(run, task);
  const gone = predecessors.find(({stage}) => stage.at === 'discarded');
  if (gone !== undefined)
    return {type: 'task-discarded', task: task.id, why: {kind: 'needs', task: gone.id}};
  if (predecessors.some(({stage}) => stage.at !== 'merged')) return undefined;
  const asleep = task.planned.services.find(
    (name) => serviceOf(state, name)?.desire === 'none' && !isPerTask(state, name),
  );
  if (asleep !== undefined) return {type: 'service-wanted', service: asleep, by: task.id};
  return isStartable(state, run, task) && hasRoomForTask(state)
    ? {type: 'task-begun', task: task.id}
    : undefined;
}

function followPreparing(
  state: State,
  run: Run,
  task: Task,
  stage: Extract<Task['stage'], {at: 'preparing'}>,
  at: number,
): Happening | undefined {
  if (worktreeOf(run, task.id) === undefined) return undefined;
  return afterSetup(followFirstSetup(state, run, task, stage, at), () =>
    areOwnServicesReady(state, task, task.id) ? startAttempt(task) : undefined,
  );
}

function startAttempt(task: Task): Happening {
  const last = attemptOf(task);
  if (last?.step.at === 'ready')
    return {type: 'attempt-continued', task: task.id, attempt: last.number};
  return {
    type: 'attempt-started',
    task: task.id,
    attempt: task.attempts.length + 1,
    ...(last?.step.at === 'failed' ? {repairs: last.step.failure} : {}),
    ...(task.hint === undefined ? {} : {hint: task.hint}),
  };
}
