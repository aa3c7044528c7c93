import type {Happening} from '../event.ts';
import type {Run} from '../run.ts';
import {attemptOf, sessionOf, worktreeOf} from '../select/find.ts';
import {nextCheck} from '../select/baseline.ts';
import {failureOfJudgement} from '../select/judgement.ts';
import {isOutgrown} from '../select/progress.ts';
import {isCutShort} from '../select/session-end.ts';
import {workedFor} from '../session.ts';
import {tokensOf, usageOfAttempt} from '../select/usage-of.ts';
import {interruptionLimit, type State} from '../state.ts';
import type {Attempt, AttemptStep, Task} from '../task.ts';
import {askTaskSession} from './ask-session.ts';
import {followResults} from './follow-results.ts';
import {afterSetup, followSetup} from './follow-setup.ts';
import {stopForLoop} from './watch-agent.ts';

/** The law of attempts: work, judge, check; red once is repaired, red again stops and explains. */
export function followAttempt(
  state: State,
  run: Run,
  task: Task,
  at: number,
): Happening | undefined {
  const attempt = attemptOf(task);
  if (attempt === undefined) return undefined;
  const {number, step, interruptions} = attempt;
  if (interruptions >= interruptionLimit)
    return {type: 'task-stopped', task: task.id, why: {kind: 'interrupted', times: interruptions}};
  switch (step.at) {
    case 'ready':
      if (worktreeOf(run, task.id) === undefined || isOutgrown(run, task)) return undefined;
      return afterSetup(followSetup(state, run, task, 'change', at), () =>
        askTaskSession(state, task, {for: 'attempt', task: task.id, attempt: number}),
      );
    case 'pausing':
      return at >= step.until ? {type: 'pause-ended', task: task.id, attempt: number} : undefined;
    case 'working':
      return followWork(state, run, task, attempt, step, at);
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
      return followChecks(state, run, task, attempt, step, at);
    case 'failed':
      if (number >= task.allowed) return {type: 'task-stopped', task: task.id, why: step.failure};
      return {type: 'attempt-started', task: task.id, attempt: number + 1, repairs: step.failure};
    default:
      return undefined;
  }
}

type StepAt<At extends AttemptStep['at']> = Extract<AttemptStep, {readonly at: At}>;

function followWork(
  state: State,
  run: Run,
  task: Task,
  {number}: Attempt,
  {session: id}: StepAt<'working'>,
  at: number,
): Happening | undefined {
  const {attemptTokens, attemptWallClock} = run.budget;
  const used = tokensOf(usageOfAttempt(state, task, number));
  if (attemptTokens !== undefined && used >= attemptTokens) {
    return {
      type: 'task-stopped',
      task: task.id,
      why: {kind: 'budget', budget: 'tokens', used, limit: attemptTokens},
    };
  }

  const session = sessionOf(state, id);
  // What it waits for a person is not its time: whoever comes back after lunch finds the question, not a stopped task.
  const elapsed = session === undefined ? 0 : workedFor(session, at);
  if (attemptWallClock !== undefined && elapsed >= attemptWallClock) {
    return {
      type: 'task-stopped',
      task: task.id,
      why: {kind: 'budget', budget: 'wall-clock', used: elapsed, limit: attemptWallClock},
    };
  }

  const loop = session === undefined ? undefined : stopForLoop(state, session);
  if (loop !== undefined) {
    const {kind, ...rest} = loop;
    return {type: 'task-stopped', task: task.id, why: {kind: 'loop', loop: kind, ...rest}};
  }

  return isCutShort(state, id)
    ? {type: 'attempt-interrupted', task: task.id, attempt: number, session: id}
    : undefined;
}

function followChecks(
  state: State,
  run: Run,
  task: Task,
  {number}: Attempt,
  step: StepAt<'checking'>,
  at: number,
): Happening | undefined {
  const broken = failureOfJudgement(step.judgement);
  const results =
    broken === undefined
      ? followResults(state, run, task, step.results, 'change')
      : {failure: broken};
  if (results === 'waiting') return undefined;
  if (results !== 'fine')
    return 'trouble' in results
      ? results.trouble
      : {type: 'attempt-failed', task: task.id, attempt: number, failure: results.failure};
  const check = nextCheck(run, step.results);
  if (check === undefined) return {type: 'change-validated', task: task.id, attempt: number};
  if (step.session !== undefined) {
    return isCutShort(state, step.session)
      ? {type: 'attempt-interrupted', task: task.id, attempt: number, session: step.session}
      : undefined;
  }

  return afterSetup(followSetup(state, run, task, 'change', at), () =>
    askTaskSession(state, task, {
      for: 'check',
      task: task.id,
      attempt: number,
      check: check.name,
      on: 'change',
    }),
  );
}
