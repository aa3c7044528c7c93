import type {Happening} from '../event.ts';
import type {Run} from '../run.ts';
import {nextCheck} from '../select/baseline.ts';
import {attemptOf} from '../select/find.ts';
import {isLaidOut, isMergePlaceOccupied} from '../select/progress.ts';
import {isCutShort} from '../select/session-end.ts';
import {areOwnServicesReady} from '../select/task-services.ts';
import {interruptionLimit, type State} from '../state.ts';
import type {MergeStep, Task} from '../task.ts';
import {askTaskSession} from './ask-session.ts';
import {followResults} from './follow-results.ts';
import {afterSetup, followSetup} from './follow-setup.ts';

/** What was green alone is validated again beside the others, and published only then. */
export function followMerge(
  state: State,
  run: Run,
  task: Task,
  step: MergeStep,
  at: number,
): Happening | undefined {
  const attempt = attemptOf(task);
  if (attempt === undefined || step.at === 'building') return undefined;
  if (attempt.interruptions >= interruptionLimit)
    return {
      type: 'task-stopped',
      task: task.id,
      why: {kind: 'interrupted', times: attempt.interruptions},
    };
  if (step.onto !== run.head) return {type: 'merge-outdated', task: task.id};
  if (step.at === 'publishing') return undefined;
  // Whoever laid out something else there, or removed it: what was built is built again.
  if (!isLaidOut(run, task)) return {type: 'merge-outdated', task: task.id};
  const results = followResults(state, run, task, step.results, 'merge');
  if (results === 'waiting') return undefined;
  if (results !== 'fine')
    return 'trouble' in results
      ? results.trouble
      : {type: 'merge-refused', task: task.id, failure: results.failure};
  const check = nextCheck(run, step.results);
  if (check === undefined) return {type: 'merge-validated', task: task.id};
  if (step.session !== undefined) {
    return isCutShort(state, step.session)
      ? {type: 'attempt-interrupted', task: task.id, attempt: attempt.number, session: step.session}
      : undefined;
  }

  return afterSetup(followSetup(state, run, task, 'merge', at), () =>
    isMergePlaceOccupied(state, run) || !areOwnServicesReady(state, task, `${run.id}.merge`)
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
