import type {EventBody} from '../event.ts';
import {toFailureCode} from '../plan.ts';
import type {Run} from '../run.ts';
import {selectNewFailures, selectNextCheck, selectStanding} from '../select/baseline.ts';
import {interruptionLimit, type State} from '../state.ts';
import type {Attempt, AttemptStep, Task} from '../task.ts';
import {type CheckResult, type Failure, failureOfJudgement} from '../verdict.ts';
import {
  selectAttempt,
  selectInteractiveWorker,
  selectSession,
  selectWorktree,
} from '../select/find.ts';
import {selectWorkerMode} from '../select/agents.ts';
import {hasCapacityForSession, isOutgrown} from '../select/progress.ts';
import {hasUnsettledMessage} from '../select/messages.ts';
import {isCutShort, selectTokens, usageOfAttempt} from '../select/sessions.ts';
import {isBetweenTurns, workedFor} from '../session.ts';
import {canContinueSession} from '../wanted/session-effects.ts';
import {isLedByPerson} from '../select/open-session.ts';
import {askTaskSession} from './answer.ts';
import {afterSetup, nextSetupEvent} from './next-setup-event.ts';
import {isUnprompted} from './open-run.ts';
import {selectStoppingLoop} from './watch-agent.ts';

/**
 * The results so far mean a failure of the change, a problem that the change did not cause, or
 * neither.
 */
type ResultsOutcome =
  {readonly failure: Failure} | {readonly trouble: EventBody} | 'waiting' | 'fine';

/**
 * The first result that is not green decides. A problem that the change did not cause does not use
 * up an attempt.
 */
export function evaluateResults(
  state: State,
  run: Run,
  task: Task,
  results: readonly CheckResult[],
  on: 'change' | 'merge',
): ResultsOutcome {
  for (const result of results) {
    const {name} = result.check;
    switch (selectStanding(state, run, result)) {
      case 'passed':
        continue;
      case 'red':
        return {
          failure: {
            kind: 'check',
            name,
            code: toFailureCode(result.check),
            on,
            firstFailure: formatFirstFailure(run, result),
            ...(result.confidence === undefined ? {} : {confidence: result.confidence}),
            ...(result.source === undefined ? {} : {source: result.source}),
          },
        };
      case 'broken':
        return {trouble: {type: 'trouble-met', owner: task.id, why: {kind: 'broken-check', name}}};
      case 'red-on-base':
        return {trouble: {type: 'trouble-met', owner: task.id, why: {kind: 'red-on-base', name}}};
      case 'waits':
        return 'waiting';
    }
  }

  return 'fine';
}

const maxNamedFailures = 10;

/**
 * Where failures of the base are allowed, lists the failures that are new with this change first.
 */
function formatFirstFailure(run: Run, result: CheckResult): string {
  const {firstFailure = ''} = result;
  const added = selectNewFailures(run, result) ?? [];
  if (added.length === 0) return firstFailure;
  const more =
    added.length > maxNamedFailures ? [`and ${added.length - maxNamedFailures} more`] : [];
  return `new failures with this change: ${[...added.slice(0, maxNamedFailures), ...more].join('; ')}\n${firstFailure}`;
}

/**
 * The rules for attempts: work, judge, check. The first failure is repaired, the second one stops
 * the task.
 */
export function nextAttemptEvent(
  state: State,
  run: Run,
  task: Task,
  at: number,
): EventBody | undefined {
  const attempt = selectAttempt(task);
  if (attempt === undefined) return undefined;
  const {number, step, interruptions} = attempt;
  const reopened = nextReopenedEvent(state, task, attempt);
  if (reopened !== undefined) return reopened;
  if (interruptions >= interruptionLimit)
    return {type: 'task-stopped', task: task.id, why: {kind: 'interrupted', times: interruptions}};
  switch (step.at) {
    case 'ready':
      if (
        selectWorktree(run, task.id) === undefined ||
        isOutgrown(run, task) ||
        hasUnsettledMessage(task)
      )
        return undefined;
      return afterSetup(nextSetupEvent(state, run, task, 'change', at), () =>
        nextWorkerEvent(state, run, task, attempt),
      );
    case 'pausing':
      return at >= step.until ? {type: 'pause-ended', task: task.id, attempt: number} : undefined;
    case 'working':
      return nextWorkEvent(state, run, task, attempt, step, at);
    case 'gave-up':
      return {type: 'task-stopped', task: task.id, why: {kind: 'gave-up', words: step.words}};
    case 'judging':
      return step.change.files.length === 0
        ? {
            type: 'attempt-failed',
            task: task.id,
            attempt: number,
            failure: {
              kind: 'no-change',
              ...(step.denied === undefined ? {} : {denied: step.denied}),
            },
          }
        : undefined;
    case 'checking':
      return nextCheckEvent(state, run, task, attempt, step, at);
    case 'failed':
      if (number >= task.allowed) return {type: 'task-stopped', task: task.id, why: step.failure};
      return {type: 'attempt-started', task: task.id, attempt: number + 1, repairs: step.failure};
    default:
      return undefined;
  }
}

/** The agent that waits in its own interface continues; else a session is started. */
function nextWorkerEvent(
  state: State,
  run: Run,
  task: Task,
  attempt: Attempt,
): EventBody | undefined {
  const {number} = attempt;
  const open = selectInteractiveWorker(state, task.id);
  if (
    open !== undefined &&
    isBetweenTurns(open) &&
    open.stop === undefined &&
    canContinueSession(state, run, task, open)
  )
    return hasCapacityForSession(state)
      ? {type: 'session-continued', session: open.id, task: task.id, attempt: number}
      : undefined;
  return askTaskSession(state, task, {
    for: 'attempt',
    task: task.id,
    attempt: number,
    ...(selectWorkerMode(state, run, task).mode === 'interactive'
      ? {mode: 'interactive' as const}
      : {}),
    ...(isUnprompted(state, run, task, attempt) ? {unprompted: true as const} : {}),
  });
}

/** A person wrote to the agent while its work was captured, judged or checked: it works again. */
function nextReopenedEvent(
  state: State,
  task: Task,
  {number, step}: Attempt,
): EventBody | undefined {
  if (step.at !== 'capturing' && step.at !== 'judging' && step.at !== 'checking') return undefined;
  const open = selectInteractiveWorker(state, task.id);
  return open?.turn?.at === 'open'
    ? {type: 'attempt-reopened', task: task.id, attempt: number, session: open.id}
    : undefined;
}

type StepAt<At extends AttemptStep['at']> = Extract<AttemptStep, {readonly at: At}>;

function nextWorkEvent(
  state: State,
  run: Run,
  task: Task,
  attempt: Attempt,
  {session: id}: StepAt<'working'>,
  at: number,
): EventBody | undefined {
  const {number} = attempt;
  const session = selectSession(state, id);
  // Limits on an attempt are for agents that work by themselves.
  const isLed = session !== undefined && isLedByPerson(run, attempt, session);
  const {attemptTokens, attemptWallClock} = isLed ? {} : run.budget;
  const used = selectTokens(usageOfAttempt(state, task, number));
  if (attemptTokens !== undefined && used >= attemptTokens) {
    return {
      type: 'task-stopped',
      task: task.id,
      why: {kind: 'budget', budget: 'tokens', used, limit: attemptTokens},
    };
  }

  // Time spent waiting for a person does not count.
  const elapsed = session === undefined ? 0 : workedFor(session, at);
  if (attemptWallClock !== undefined && elapsed >= attemptWallClock) {
    return {
      type: 'task-stopped',
      task: task.id,
      why: {kind: 'budget', budget: 'wall-clock', used: elapsed, limit: attemptWallClock},
    };
  }

  const loop = session === undefined ? undefined : selectStoppingLoop(state, session);
  if (loop !== undefined) {
    const {kind, ...rest} = loop;
    return {type: 'task-stopped', task: task.id, why: {kind: 'loop', loop: kind, ...rest}};
  }

  return isCutShort(state, id)
    ? {type: 'attempt-interrupted', task: task.id, attempt: number, session: id}
    : undefined;
}

function nextCheckEvent(
  state: State,
  run: Run,
  task: Task,
  {number}: Attempt,
  step: StepAt<'checking'>,
  at: number,
): EventBody | undefined {
  const broken = failureOfJudgement(step.judgement);
  const results =
    broken === undefined
      ? evaluateResults(state, run, task, step.results, 'change')
      : {failure: broken};
  if (results === 'waiting') return undefined;
  if (results !== 'fine')
    return 'trouble' in results
      ? results.trouble
      : {type: 'attempt-failed', task: task.id, attempt: number, failure: results.failure};
  const check = selectNextCheck(run, step.results);
  // A message on its way to an agent in its own interface may change the work.
  if (check === undefined)
    return hasUnsettledMessage(task)
      ? undefined
      : {type: 'change-validated', task: task.id, attempt: number};
  if (step.session !== undefined) {
    return isCutShort(state, step.session)
      ? {type: 'attempt-interrupted', task: task.id, attempt: number, session: step.session}
      : undefined;
  }

  return afterSetup(nextSetupEvent(state, run, task, 'change', at), () =>
    askTaskSession(state, task, {
      for: 'check',
      task: task.id,
      attempt: number,
      check: check.name,
      on: 'change',
    }),
  );
}
