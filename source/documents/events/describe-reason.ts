import type {Failure, ParkReason, PlanFailure, StopReason, TroubleReason} from '../../domain/index.ts';

export function describeFailure(failure: Failure): string {
  switch (failure.kind) {
    case 'no-change':
      return 'the agent changed nothing';
    case 'scope':
      return `changed outside the plan: ${failure.paths.map((path) => {
        const why = failure.refused?.find((refused) => refused.path === path)?.why;
        return why === undefined ? path : `${path} (${why})`;
      }).join(', ')}`;
    case 'rule':
      return `rule ${failure.number} is broken: ${failure.detail}`;
    case 'check':
      return `${failure.code}${failure.on === 'merge' ? ' after merging' : ''}: ${failure.firstFailure}`;
    case 'conflict':
      return `conflicts with merged work in ${failure.paths.join(', ')}`;
    case 'agent':
      return `the agent failed: ${failure.words}`;
  }
}

export function describeStop(why: StopReason): string {
  switch (why.kind) {
    case 'gave-up':
      return `the agent gave up: ${why.words}`;
    case 'interrupted':
      return `it was cut short ${why.times} times`;
    case 'budget':
      return why.budget === 'tokens' ? `it used ${why.used} of ${why.limit} tokens` : `${why.budget}: ${seconds(why.used)} of ${seconds(why.limit)}`;
    default:
      return describeFailure(why);
  }
}

export function describeTrouble(why: TroubleReason): string {
  switch (why.kind) {
    case 'effect':
      return `${why.effect}: ${why.words}`;
    case 'setup':
      return why.code === null ? 'its setup was cut short again and again' : `its setup ended with exit ${why.code}`;
    case 'broken-check':
      return `the check "${why.name}" cannot run`;
    case 'agent-unavailable':
      return `its agent is not available: ${why.words}`;
    case 'worktree-gone':
      return 'its worktree is gone';
  }
}

export function describeParking(why: ParkReason): string {
  switch (why.kind) {
    case 'crashing':
      return `orchestra crashed ${why.times} times during ${why.effect}`;
    case 'tampering':
      return `somebody changed what runs in git: ${why.paths.join(', ')}`;
    case 'misfit':
      return `event ${why.seq}, ${why.event}, does not fit what came before`;
  }
}

export function describePlanFailure(why: PlanFailure): string {
  switch (why.kind) {
    case 'invalid':
      return `what came was not a plan, twice: ${why.problems[0] ?? 'no reason given'}`;
    case 'planner-wrote':
      return `the planner changed files: ${why.paths.join(', ')}`;
    case 'planner-failed':
      return `the planner failed: ${why.words}`;
    case 'no-progress':
      return `the planner did nothing for ${seconds(why.silentFor)}`;
    case 'interrupted':
      return `the planner was cut short ${why.times} times`;
  }
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
