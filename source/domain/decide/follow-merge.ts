import type {Happening} from '../event.ts';
import type {Run} from '../run.ts';
import {attemptOf, liveSessionsOf, worktreeOwnerOf} from '../select/find.ts';
import {failureOfChecks} from '../select/judgement.ts';
import {checksOf} from '../select/progress.ts';
import {isCutShort} from '../select/session-end.ts';
import {areOwnServicesReady} from '../select/task-services.ts';
import {interruptionLimit, type State} from '../state.ts';
import type {MergeStep, Task} from '../task.ts';
import {askTaskSession} from './ask-session.ts';

/** What was green alone is validated again beside the others, and published only then. */
export function followMerge(state: State, run: Run, task: Task, step: MergeStep): Happening | undefined {
  const attempt = attemptOf(task);
  if (attempt === undefined || step.at === 'building') return undefined;
  if (attempt.interruptions >= interruptionLimit) return {type: 'task-stopped', task: task.id, why: {kind: 'interrupted', times: attempt.interruptions}};
  if (step.onto !== run.head) return {type: 'merge-outdated', task: task.id};
  if (step.at === 'publishing') return undefined;
  const failure = failureOfChecks(step.results, 'merge');
  if (failure !== undefined) return {type: 'merge-refused', task: task.id, failure};
  const broken = step.results.find(({outcome}) => outcome === 'broken');
  if (broken !== undefined) return {type: 'trouble-met', owner: task.id, why: {kind: 'broken-check', name: broken.check.name}};
  const check = checksOf(run)[step.results.length];
  if (check === undefined) return {type: 'merge-validated', task: task.id};
  if (step.session !== undefined) {
    return isCutShort(state, step.session) ? {type: 'attempt-interrupted', task: task.id, attempt: attempt.number, session: step.session} : undefined;
  }

  const merge = `${run.id}.merge` as const;
  const isOccupied = liveSessionsOf(state).some((session) => session.purpose.for !== 'service' && worktreeOwnerOf(session) === merge);
  return isOccupied || !areOwnServicesReady(state, task, merge) ? undefined : askTaskSession(state, task, {for: 'check', task: task.id, attempt: attempt.number, check: check.name, on: 'merge'});
}
