import type {Happening} from '../event.ts';
import {failureCodeOf} from '../rules.ts';
import type {Run} from '../run.ts';
import {newFailuresOf, standingOf} from '../select/baseline.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import type {CheckResult, Failure} from '../verdict.ts';

/** What the results so far come to: a failure of the change, something in the way, or nothing that keeps the next check from running. */
export type ResultsStep =
  {readonly failure: Failure} | {readonly trouble: Happening} | 'waiting' | 'fine';

/** The first result that is not good decides. What the change is not to blame for spends no attempt. */
export function followResults(
  state: State,
  run: Run,
  task: Task,
  results: readonly CheckResult[],
  on: 'change' | 'merge',
): ResultsStep {
  for (const result of results) {
    const {name} = result.check;
    switch (standingOf(state, run, result)) {
      case 'passed':
        continue;
      case 'red':
        return {
          failure: {
            kind: 'check',
            name,
            code: failureCodeOf(result.check),
            on,
            firstFailure: firstFailureOf(run, result),
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

const mostNamed = 10;

/** Where failures of the base are allowed, those that came with the change stand first. */
function firstFailureOf(run: Run, result: CheckResult): string {
  const {firstFailure = ''} = result;
  const added = newFailuresOf(run, result) ?? [];
  if (added.length === 0) return firstFailure;
  const more = added.length > mostNamed ? [`and ${added.length - mostNamed} more`] : [];
  return `did not fail without this change: ${[...added.slice(0, mostNamed), ...more].join('; ')}\n${firstFailure}`;
}
