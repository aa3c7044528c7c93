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
    .filter(
      ({purpose}) =>
        purpose.for === 'attempt' && purpose.task === task.id && purpose.attempt === attempt,
    )
    .reduce(addUsage, noUsage);
}

export function tokensOf(usage: Usage): number {
  return usage.input + usage.output;
}

function addUsage(sum: Usage, {usage}: Session): Usage {
  const cost =
    sum.cost === undefined && usage.cost === undefined
      ? {}
      : {cost: (sum.cost ?? 0) + (usage.cost ?? 0)};
  return {input: sum.input + usage.input, output: sum.output + usage.output, ...cost};
}

/** So often what an agent uses is written down without any other reason. */
const usageEveryMs = 15_000;

/**
 * Whether what an agent has used so far is worth a line of the journal: it passes a limit, it is a twentieth of one more than what
 * is known, or it has grown and nothing was written down for a while.
 */
export function isUsageNews(
  state: State,
  session: Session,
  usage: Usage,
  sinceMs: number,
): boolean {
  const growth = tokensOf(usage) - tokensOf(session.usage);
  if (growth <= 0) return false;
  if (sinceMs >= usageEveryMs) return true;
  return limitsFor(state, session).some(
    ({limit, used}) => growth * 20 >= limit || (used < limit && used + growth >= limit),
  );
}

/** What its usage counts for. */
function limitsFor(
  state: State,
  {purpose}: Session,
): {readonly limit: number; readonly used: number}[] {
  const run =
    purpose.for === 'attempt'
      ? runOf(state, runIdIn(purpose.task))
      : purpose.for === 'plan'
        ? runOf(state, purpose.run)
        : undefined;
  if (run === undefined) return [];
  const {tokens, attemptTokens} = run.budget;
  const task =
    purpose.for === 'attempt' ? run.tasks.find(({id}) => id === purpose.task) : undefined;
  return [
    ...(tokens === undefined ? [] : [{limit: tokens, used: tokensOf(usageOfRun(state, run))}]),
    ...(attemptTokens === undefined || task === undefined || purpose.for !== 'attempt'
      ? []
      : [{limit: attemptTokens, used: tokensOf(usageOfAttempt(state, task, purpose.attempt))}]),
  ];
}
