import type {Run} from '../run.ts';
import {noUsage, type Session, type Usage} from '../session.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import {runOf, sessionOf} from './find.ts';
import {runIdIn} from '../ids.ts';

/** What the agents of a run have used so far. */
export function usageOfRun(state: State, run: Run): Usage {
  return run.sessions.flatMap((id) => sessionOf(state, id) ?? []).reduce(addUsage, noUsage);
}

export function usageOfAttempt(state: State, task: Task, attempt: number): Usage {
  const run = runOf(state, runIdIn(task.id));
  return (run?.sessions ?? [])
    .flatMap((id) => sessionOf(state, id) ?? [])
    .filter(({purpose}) => purpose.for === 'attempt' && purpose.task === task.id && purpose.attempt === attempt)
    .reduce(addUsage, noUsage);
}

export function tokensOf(usage: Usage): number {
  return usage.input + usage.output;
}

function addUsage(sum: Usage, {usage}: Session): Usage {
  const cost = sum.cost === undefined && usage.cost === undefined ? {} : {cost: (sum.cost ?? 0) + (usage.cost ?? 0)};
  return {input: sum.input + usage.input, output: sum.output + usage.output, ...cost};
}
