import type {EventBody} from '../event.ts';
import type {Run} from '../run.ts';
import {
  hasLiveSessionIn,
  selectOpenRuns,
  selectRuns,
  selectSession,
  selectWorktree,
} from '../select/find.ts';
import {hasCapacityForRun, isRunActive} from '../select/progress.ts';
import {isCutShort, selectTokens, usageOfRun} from '../select/sessions.ts';
import {interruptionLimit, type State} from '../state.ts';
import {wanted} from '../wanted/wanted.ts';
import {nextMessageEvent} from './message-commands.ts';
import {nextOpenPlannerEvent, nextPlanningEvent} from './next-planning-event.ts';
import {approveOpenPlan} from './open-run.ts';
import {nextServiceEvent, nextTaskServiceEvent} from './next-service-event.ts';
import {nextTaskEvent} from './next-task-event.ts';
import type {SessionId} from '../ids.ts';
import {
  isBaselineDue,
  isBaselineOver,
  isRecalled,
  selectBaseline,
  selectUnchecked,
} from '../select/baseline.ts';
import {needsSetup, selectSetupStatus} from '../select/environment.ts';
import {askSession} from './answer.ts';
import {isPlanOpen, selectOpenPlanner} from '../select/planner.ts';
import {selectPicked} from '../select/variants.ts';
import {isRunRestorable, isTaskRestorable} from '../select/undo.ts';
import type {Task} from '../task.ts';

/**
 * The next event that follows from the state without a person. Every step is one event, so that a
 * journal cut after any of them continues where it was cut.
 */
export function nextEvent(state: State, at: number): EventBody | undefined {
  return (
    findFirstEvent(
      selectRuns(state),
      (run) => nextUndoEvent(run) ?? nextMessageEvent(state, run),
    ) ??
    findFirstEvent(selectOpenRuns(state), (run) => nextRunEvent(state, run, at)) ??
    nextTaskServiceEvent(state) ??
    findFirstEvent(state.services, (service) => nextServiceEvent(state, service, at)) ??
    nextQueueEvent(state)
  );
}

/** A run that a person started opens at once; a queued run opens when there is capacity. */
function nextQueueEvent(state: State): EventBody | undefined {
  const urgent = selectOpenRuns(state).find(
    ({stage, request, hold}) => stage.at === 'queued' && !request.queued && hold === undefined,
  );
  if (urgent !== undefined) return {type: 'run-opened', run: urgent.id};
  const next = state.queue.find((id) =>
    selectOpenRuns(state).some((run) => run.id === id && run.hold === undefined),
  );
  return next !== undefined && hasCapacityForRun(state)
    ? {type: 'run-opened', run: next}
    : undefined;
}

function nextRunEvent(state: State, run: Run, at: number): EventBody | undefined {
  const parking = nextCrashEvent(state, run);
  if (parking !== undefined) return parking;
  const {stage} = run;
  if (stage.at === 'working') {
    if (stage.approval.plan !== stage.proposal.hash)
      return {type: 'approval-voided', run: run.id, why: 'plan-changed'};
    if (stage.approval.rules !== stage.ground.rules.hash)
      return {type: 'approval-voided', run: run.id, why: 'rules-changed'};
  }

  if (!isRunActive(run)) return undefined;
  if (stage.at === 'planning')
    return nextTokenBudgetEvent(state, run) ?? nextPlanningEvent(state, run, at);
  if (stage.at === 'reviewing')
    return (
      approveOpenPlan(run) ??
      nextReviewBudgetEvent(state, run) ??
      nextOpenPlannerEvent(state, run, at) ??
      nextBaselineEvent(state, run, at)
    );
  if (stage.at !== 'working') return undefined;
  return (
    nextBudgetEvent(state, run, at - stage.approval.at) ??
    nextBaselineEvent(state, run, at) ??
    findFirstEvent(run.tasks, (task) => discardUnpicked(run, task)) ??
    findFirstEvent(run.tasks, (task) => nextTaskEvent(state, run, task, at))
  );
}

/** Of several variants of a task only the one that counts goes on; the others are saved in refs. */
function discardUnpicked(run: Run, task: Task): EventBody | undefined {
  const picked = selectPicked(run, task);
  return picked === undefined || picked === task || task.stage.at === 'discarded'
    ? undefined
    : {type: 'task-discarded', task: task.id, why: {kind: 'not-picked', task: picked.id}};
}

/** An effect that crashes the daemon repeatedly parks its run; all other runs continue. */
function nextCrashEvent(state: State, run: Run): EventBody | undefined {
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

function nextBudgetEvent(state: State, run: Run, elapsed: number): EventBody | undefined {
  const {wallClock} = run.budget;
  const spent = nextTokenBudgetEvent(state, run);
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

/** A planner that answers the person beside its plan uses tokens too. */
function nextReviewBudgetEvent(state: State, run: Run): EventBody | undefined {
  return selectOpenPlanner(state, run)?.turn?.at === 'open' && isPlanOpen(run)
    ? nextTokenBudgetEvent(state, run)
    : undefined;
}

/** Planning counts towards the same budget. */
function nextTokenBudgetEvent(state: State, run: Run): EventBody | undefined {
  const {tokens} = run.budget;
  const used = selectTokens(usageOfRun(state, run));
  return tokens !== undefined && used >= tokens
    ? {type: 'budget-exhausted', run: run.id, budget: 'tokens', used, limit: tokens}
    : undefined;
}

function findFirstEvent<T>(
  items: readonly T[],
  follows: (item: T) => EventBody | undefined,
): EventBody | undefined {
  for (const item of items) {
    const eventBody = follows(item);
    if (eventBody !== undefined) return eventBody;
  }

  return undefined;
}

/** Checks the untouched base in the merge worktree: setup first, then one check after the other. */
function nextBaselineEvent(state: State, run: Run, at: number): EventBody | undefined {
  if (!isBaselineDue(state, run)) return undefined;
  const {session, interruptions} = selectBaseline(run);
  if (session !== undefined) return nextBaselineSessionEvent(state, run, session, at);
  if (isBaselineOver(state, run)) return undefined;
  if (interruptions >= interruptionLimit)
    return {type: 'baseline-failed', run: run.id, why: {kind: 'interrupted', times: interruptions}};
  return isRecalled(state, run) && isBaseLaidOut(state, run)
    ? beginBaselineCheck(state, run)
    : undefined;
}

/** The merge worktree is at the base, and no session runs there. */
function isBaseLaidOut(state: State, run: Run): boolean {
  const owner = `${run.id}.merge` as const;
  if (hasLiveSessionIn(state, owner)) return false;
  return run.head !== undefined && selectWorktree(run, owner)?.commit === run.head;
}

function beginBaselineCheck(state: State, run: Run): EventBody | undefined {
  const owner = `${run.id}.merge` as const;
  if (needsSetup(state, run, owner))
    return askSession(state, {for: 'worktree-setup', run: run.id, owner});
  const [check] = selectUnchecked(state, run);
  return check === undefined
    ? undefined
    : askSession(state, {for: 'baseline', run: run.id, check: check.name, command: check.command});
}

function nextBaselineSessionEvent(
  state: State,
  run: Run,
  session: SessionId,
  at: number,
): EventBody | undefined {
  const purpose = selectSession(state, session)?.purpose;
  if (purpose?.for !== 'worktree-setup')
    return isCutShort(state, session)
      ? {type: 'baseline-interrupted', run: run.id, session}
      : undefined;
  const end = selectSetupStatus(state, run, session, at);
  switch (end.at) {
    case 'running':
      return undefined;
    case 'passed':
      return {type: 'worktree-set-up', owner: purpose.owner};
    case 'cut-short':
      return {type: 'baseline-interrupted', run: run.id, session};
    case 'failed':
      return {
        type: 'baseline-failed',
        run: run.id,
        why: {
          kind: 'setup',
          code: end.code,
          ...(end.limit === undefined ? {} : {limit: end.limit}),
        },
      };
  }
}

/** What was discarded is back as soon as its worktrees are. */
function nextUndoEvent(run: Run): EventBody | undefined {
  if (isRunRestorable(run)) return {type: 'run-restored', run: run.id};
  const task = run.tasks.find((one) => isTaskRestorable(run, one));
  return task === undefined || run.stage.at === 'discarded'
    ? undefined
    : {type: 'task-restored', task: task.id};
}
