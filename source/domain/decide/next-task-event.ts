import type {EventBody} from '../event.ts';
import type {SessionId} from '../ids.ts';
import type {Run} from '../run.ts';
import {selectAttempt, selectService, selectSession, selectWorktree} from '../select/find.ts';
import {
  hasCapacityForTask,
  isCandidateLaidOut,
  isItsTurnToMerge,
  isMergeWorktreeOccupied,
  isPerTask,
  isStartable,
  isTaskActive,
  selectMerger,
  selectPredecessors,
} from '../select/progress.ts';
import {areOwnServicesReady} from '../select/services.ts';
import {interruptionLimit, type State} from '../state.ts';
import type {Attempt, MergeStep, Task} from '../task.ts';
import {askSession, askTaskSession, isTaskBusy} from './answer.ts';
import {evaluateResults, nextAttemptEvent} from './next-attempt-event.ts';
import {afterSetup, nextFirstSetupEvent, nextSetupEvent} from './next-setup-event.ts';
import {giveToPerson} from './open-run.ts';
import {selectNextCheck} from '../select/baseline.ts';
import {isCutShort} from '../select/sessions.ts';

export function nextTaskEvent(
  state: State,
  run: Run,
  task: Task,
  at: number,
): EventBody | undefined {
  if (!isTaskActive(run, task)) return undefined;
  switch (task.stage.at) {
    case 'waiting':
      return nextWaitingEvent(state, run, task);
    case 'preparing':
      return nextPreparingEvent(state, run, task, task.stage, at);
    case 'attempting':
      return nextAttemptEvent(state, run, task, at);
    case 'taken-over':
      if (
        hasTakeoverSession(state, task.stage.session) ||
        selectWorktree(run, task.id) === undefined ||
        isTaskBusy(state, task)
      )
        return undefined;
      return askSession(state, {for: 'takeover', task: task.id});
    case 'validated':
      return isItsTurnToMerge(state, run, task) ? {type: 'merge-begun', task: task.id} : undefined;
    case 'merging':
      return selectMerger(run) === task
        ? nextMergeEvent(state, run, task, task.stage.step, at)
        : undefined;
    default:
      return undefined;
  }
}

/** A session that lost its conversation shows nothing else, so a new session takes its place. */
function hasTakeoverSession(state: State, id: SessionId | undefined): boolean {
  return id !== undefined && selectSession(state, id)?.lostConversation !== true;
}

function nextWaitingEvent(state: State, run: Run, task: Task): EventBody | undefined {
  const predecessors = selectPredecessors(run, task);
  const gone = predecessors.find(({stage}) => stage.at === 'discarded');
  if (gone !== undefined)
    return {type: 'task-discarded', task: task.id, why: {kind: 'needs', task: gone.id}};
  if (predecessors.some(({stage}) => stage.at !== 'merged')) return undefined;
  const asleep = task.planned.services.find(
    (name) => selectService(state, name)?.desire === 'none' && !isPerTask(state, name),
  );
  if (asleep !== undefined) return {type: 'service-wanted', service: asleep, by: task.id};
  return isStartable(state, run, task) && hasCapacityForTask(state)
    ? {type: 'task-begun', task: task.id}
    : undefined;
}

function nextPreparingEvent(
  state: State,
  run: Run,
  task: Task,
  stage: Extract<Task['stage'], {at: 'preparing'}>,
  at: number,
): EventBody | undefined {
  if (selectWorktree(run, task.id) === undefined) return undefined;
  return afterSetup(nextFirstSetupEvent(state, run, task, stage, at), () =>
    areOwnServicesReady(state, task, task.id)
      ? (giveToPerson(run, task) ?? startAttempt(task))
      : undefined,
  );
}

function startAttempt(task: Task): EventBody {
  const last = selectAttempt(task);
  if (last?.step.at === 'ready')
    return {type: 'attempt-continued', task: task.id, attempt: last.number};
  return {
    type: 'attempt-started',
    task: task.id,
    attempt: task.attempts.length + 1,
    ...selectRepairs(last),
    ...(task.hint === undefined ? {} : {hint: task.hint}),
  };
}

/** An attempt that a limit or interruptions ended leaves the failure that it was to repair. */
function selectRepairs(last: Attempt | undefined): Pick<Attempt, 'repairs'> {
  if (last?.step.at === 'failed') return {repairs: last.step.failure};
  return last?.step.at === 'abandoned' && last.repairs !== undefined && last.by === 'agent'
    ? {repairs: last.repairs}
    : {};
}

/**
 * A validated change is checked again together with the other merged tasks, and published only
 * then.
 */
function nextMergeEvent(
  state: State,
  run: Run,
  task: Task,
  step: MergeStep,
  at: number,
): EventBody | undefined {
  const attempt = selectAttempt(task);
  if (attempt === undefined || step.at === 'building') return undefined;
  if (attempt.interruptions >= interruptionLimit)
    return {
      type: 'task-stopped',
      task: task.id,
      why: {kind: 'interrupted', times: attempt.interruptions},
    };
  if (step.onto !== run.head) return {type: 'merge-outdated', task: task.id};
  if (step.at === 'publishing') return undefined;
  // Another candidate was checked out there, or the worktree was removed: this candidate is built
  // again.
  if (!isCandidateLaidOut(run, task)) return {type: 'merge-outdated', task: task.id};
  const results = evaluateResults(state, run, task, step.results, 'merge');
  if (results === 'waiting') return undefined;
  if (results !== 'fine')
    return 'trouble' in results
      ? results.trouble
      : {type: 'merge-refused', task: task.id, failure: results.failure};
  const check = selectNextCheck(run, step.results);
  if (check === undefined) return {type: 'merge-validated', task: task.id};
  if (step.session !== undefined) {
    return isCutShort(state, step.session)
      ? {type: 'attempt-interrupted', task: task.id, attempt: attempt.number, session: step.session}
      : undefined;
  }

  return afterSetup(nextSetupEvent(state, run, task, 'merge', at), () =>
    isMergeWorktreeOccupied(state, run) || !areOwnServicesReady(state, task, `${run.id}.merge`)
      ? undefined
      : askTaskSession(state, task, {
          for: 'check',
          task: task.id,
          attempt: attempt.number,
          check: check.name,
          on: 'merge',
        }),
  );
}
