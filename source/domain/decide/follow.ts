import type {Happening} from '../event.ts';
import type {Run} from '../run.ts';
import {openRunsOf} from '../select/find.ts';
import {hasRoomForRun, isRunActive} from '../select/progress.ts';
import {tokensOf, usageOfRun} from '../select/usage-of.ts';
import {interruptionLimit, type State} from '../state.ts';
import {wanted} from '../wanted/wanted.ts';
import {followBaseline} from './follow-baseline.ts';
import {followPlanning} from './follow-planning.ts';
import {followService} from './follow-service.ts';
import {followTask} from './follow-task.ts';
import {followTaskServices} from './follow-task-services.ts';

/**
 * The next thing that follows from what is known, if anything does. All of policy that needs no person is here:
 * every step is one event, so that a journal cut after any of them is taken up where it was cut.
 */
export function follow(state: State, at: number): Happening | undefined {
  return (
    firstOf(openRunsOf(state), (run) => followRun(state, run, at)) ??
    followTaskServices(state) ??
    firstOf(state.services, (service) => followService(state, service, at)) ??
    followQueue(state)
  );
}

/** A run that a person started opens at once; one from the queue when there is room. */
function followQueue(state: State): Happening | undefined {
  const urgent = openRunsOf(state).find(
    ({stage, request, hold}) => stage.at === 'queued' && !request.queued && hold === undefined,
  );
  if (urgent !== undefined) return {type: 'run-opened', run: urgent.id};
  const next = state.queue.find((id) =>
    openRunsOf(state).some((run) => run.id === id && run.hold === undefined),
  );
  return next !== undefined && hasRoomForRun(state) ? {type: 'run-opened', run: next} : undefined;
}

function followRun(state: State, run: Run, at: number): Happening | undefined {
  const parking = followCrashes(state, run);
  if (parking !== undefined) return parking;
  const {stage} = run;
  if (stage.at === 'working') {
    if (stage.approval.plan !== stage.proposal.hash)
      return {type: 'approval-voided', run: run.id, why: 'plan-changed'};
    if (stage.approval.rules !== stage.ground.rules.hash)
      return {type: 'approval-voided', run: run.id, why: 'rules-changed'};
  }

  if (!isRunActive(run)) return undefined;
  if (stage.at === 'planning') return followTokens(state, run) ?? followPlanning(state, run, at);
  if (stage.at === 'reviewing') return followBaseline(state, run, at);
  if (stage.at !== 'working') return undefined;
  return (
    followBudget(state, run, at - stage.approval.at) ??
    followBaseline(state, run, at) ??
    firstOf(run.tasks, (task) => followTask(state, run, task, at))
  );
}

/** The same effect crashed the daemon again and again: the run is set aside, and everything else goes on. */
function followCrashes(state: State, run: Run): Happening | undefined {
  const fatal = state.crashes.filter(({times}) => times >= interruptionLimit);
  if (fatal.length === 0 || run.parked !== undefined) return undefined;
  const own = new Set(
    wanted(state)
      .filter((effect) => effect.run === run.id)
      .map(({key}) => key),
  );
  const crash = fatal.find(({effect}) => own.has(effect));
  return crash === undefined
    ? undefined
    : {
        type: 'run-parked',
        run: run.id,
        why: {kind: 'crashing', effect: crash.effect, times: crash.times},
      };
}

function followBudget(state: State, run: Run, elapsed: number): Happening | undefined {
  const {wallClock} = run.budget;
  const spent = followTokens(state, run);
  if (spent !== undefined) return spent;
  if (wallClock !== undefined && elapsed >= wallClock)
    return {
      type: 'budget-exhausted',
      run: run.id,
      budget: 'wall-clock',
      used: elapsed,
      limit: wallClock,
    };
  return undefined;
}

/** Whoever plans uses of the same budget. */
function followTokens(state: State, run: Run): Happening | undefined {
  const {tokens} = run.budget;
  const used = tokensOf(usageOfRun(state, run));
  return tokens !== undefined && used >= tokens
    ? {type: 'budget-exhausted', run: run.id, budget: 'tokens', used, limit: tokens}
    : undefined;
}

function firstOf<T>(
  items: readonly T[],
  follows: (item: T) => Happening | undefined,
): Happening | undefined {
  for (const item of items) {
    const happening = follows(item);
    if (happening !== undefined) return happening;
  }

  return undefined;
}
