import {isTaskId, runIdIn, type WorktreeOwner} from '../ids.ts';
import type {Check} from '../plan.ts';
import type {Run} from '../run.ts';
import {instanceName} from '../service.ts';
import {isBetweenTurns} from '../session.ts';
import {selectWaitingPlanner} from './planner.ts';
import {selectWaitingSession} from './open-session.ts';
import {isUndecided, selectStandIn} from './variants.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import {
  selectLiveSessions,
  selectOpenRuns,
  selectRun,
  selectService,
  selectWorktree,
  selectWorktreeOwner,
} from './find.ts';

/** The run is not halted, so its effects may be in flight. */
export function isRunActive(run: Run): boolean {
  return (
    run.hold === undefined &&
    run.trouble === undefined &&
    run.exhausted === undefined &&
    run.parked === undefined
  );
}

/** Tasks advance only under an approval. */
export function isTaskActive(run: Run, task: Task): boolean {
  return (
    run.stage.at === 'working' &&
    isRunActive(run) &&
    task.hold === undefined &&
    task.trouble === undefined
  );
}

/** The task has begun and is halted with its run, or waits for a new approval of the plan. */
export function isResting(run: Run, task: Task): boolean {
  const isBegun =
    task.stage.at === 'preparing' ||
    task.stage.at === 'attempting' ||
    task.stage.at === 'validated' ||
    task.stage.at === 'merging';
  return isBegun && !(run.stage.at === 'working' && isRunActive(run));
}

/** The task will reach its end without a person. */
export function isGoing(state: State, run: Run, task: Task): boolean {
  if (!isTaskActive(run, task)) return false;
  switch (task.stage.at) {
    case 'preparing':
      return canServe(state, task, task.id);
    case 'attempting':
      return selectWaitingSession(state, run, task) === undefined;
    // A person must decide about the moved branch before anything is merged into it, and which of
    // several variants is merged.
    case 'validated':
      return run.moved === undefined && !isUndecided(run, task);
    case 'merging':
      return run.moved === undefined && canServe(state, task, `${run.id}.merge`);
    case 'waiting':
      return (
        task.planned.services.every((name) => canBecomeReady(state, name)) &&
        selectPredecessors(run, task).every(
          (earlier) => earlier.stage.at === 'merged' || isGoing(state, run, earlier),
        )
      );
    default:
      return false;
  }
}

/** Whether the task's own services can still become ready. */
function canServe(state: State, task: Task, owner: WorktreeOwner): boolean {
  return task.planned.services
    .filter((name) => isPerTask(state, name))
    .every((name) => {
      const instance = instanceName(name, owner);
      return selectService(state, instance) === undefined || canBecomeReady(state, instance);
    });
}

export function isPerTask(state: State, name: string): boolean {
  return selectService(state, name)?.spec.per === 'task';
}

function canBecomeReady(state: State, name: string): boolean {
  const service = selectService(state, name);
  return (
    service !== undefined &&
    service.desire !== 'stopped-by-person' &&
    service.stage.at !== 'failed' &&
    service.stage.at !== 'foreign-port'
  );
}

export function selectPredecessors(run: Run, task: Task): Task[] {
  return task.planned.after.flatMap((id) => selectStandIn(run, id) ?? []);
}

/** All tasks that this one builds on are merged. */
export function isNext(run: Run, task: Task): boolean {
  return (
    task.stage.at === 'waiting' &&
    isTaskActive(run, task) &&
    selectPredecessors(run, task).every(({stage}) => stage.at === 'merged')
  );
}

/** The task only waits for capacity. */
export function isStartable(state: State, run: Run, task: Task): boolean {
  return (
    isNext(run, task) &&
    task.planned.services.every((name) => isPerTask(state, name) || isServiceReady(state, name))
  );
}

export function isServiceReady(state: State, name: string): boolean {
  const stage = selectService(state, name)?.stage;
  return stage?.at === 'up' && stage.condition === 'ready';
}

/** Capacity for one more active task, across all runs. */
export function hasCapacityForTask(state: State): boolean {
  const atWork = selectOpenRuns(state).flatMap((run) =>
    run.tasks.filter(
      (task) =>
        isTaskActive(run, task) &&
        occupiesSlot(run, task) &&
        selectWaitingSession(state, run, task) === undefined,
    ),
  );
  return atWork.length < state.project.limits.workers;
}

function occupiesSlot({moved}: Run, {stage}: Task): boolean {
  return (
    stage.at === 'preparing' ||
    stage.at === 'attempting' ||
    (stage.at === 'merging' && moved === undefined)
  );
}

/**
 * Capacity for one more session of a task. A session that is being stopped still counts; an agent
 * that waits for a prompt does not.
 */
export function hasCapacityForSession(state: State): boolean {
  const limited = selectLiveSessions(state).filter(
    (session) =>
      ['attempt', 'setup', 'check'].includes(session.purpose.for) && !isBetweenTurns(session),
  );
  return limited.length < state.project.limits.workers;
}

/**
 * Capacity for one more run before queued runs have to wait. A run that waits for a person does not
 * count.
 */
export function hasCapacityForRun(state: State): boolean {
  return (
    selectOpenRuns(state).filter((run) => isRunBusy(state, run)).length < state.project.limits.runs
  );
}

function isRunBusy(state: State, run: Run): boolean {
  if (!isRunActive(run)) return false;
  if (run.stage.at === 'planning') return selectWaitingPlanner(state, run) === undefined;
  if (run.stage.at === 'surveying' || run.stage.at === 'accepting') return true;
  return run.tasks.some((task) => isGoing(state, run, task));
}

/**
 * Whether a session may still start in this worktree without a person: its task has not ended, or
 * for the merge worktree, any task.
 */
export function hasWorkLeft({tasks}: Run, owner: WorktreeOwner): boolean {
  const isOpen = ({stage}: Task): boolean => stage.at !== 'merged' && stage.at !== 'discarded';
  return isTaskId(owner)
    ? tasks.some((task) => task.id === owner && isOpen(task))
    : tasks.length === 0 || tasks.some(isOpen);
}

/** Every task has ended, and at least one is merged. */
export function isReady(run: Run): boolean {
  return (
    run.stage.at === 'working' &&
    run.tasks.every((task) => task.stage.at === 'merged' || task.stage.at === 'discarded') &&
    run.tasks.some((task) => task.stage.at === 'merged')
  );
}

/**
 * Whether the task's worktree must move to the current head: a failure that appears only together
 * with other tasks can be repaired only on top of them, and further work on a merged task would
 * conflict with its merged part.
 */
export function isOutgrown(run: Run, task: Task): boolean {
  const repairs = task.attempts.at(-1)?.repairs;
  const isBeside =
    repairs?.kind === 'conflict' ||
    (repairs?.kind === 'check' && repairs.on === 'merge') ||
    task.attempts.at(-2)?.step.at === 'passed';
  const worktree = run.worktrees.find(({owner}) => owner === task.id);
  return (
    isBeside && worktree !== undefined && run.head !== undefined && worktree.commit !== run.head
  );
}

/**
 * Validation commands in order: those of the rules file, then the plan's own. The rules win for
 * equal names.
 */
export function selectChecks(run: Run): Check[] {
  const {stage} = run;
  if (stage.at !== 'reviewing' && stage.at !== 'working' && stage.at !== 'accepting') return [];
  const {checks} = stage.ground.rules;
  return [
    ...checks,
    ...stage.proposal.plan.validation.filter(
      (check) => !checks.some(({name}) => name === check.name),
    ),
  ];
}

/**
 * The one task whose merge may proceed. Several merges can be open after a stop and a resume: the
 * most advanced one continues, so that no candidate is replaced while its checks run; then the one
 * that became green first.
 */
export function selectMerger(run: Run): Task | undefined {
  const merging = run.tasks.filter(
    (task) => task.stage.at === 'merging' && isTaskActive(run, task),
  );
  return (
    merging.find(({stage}) => stage.at === 'merging' && stage.step.at === 'publishing') ??
    merging.find((task) => isCandidateLaidOut(run, task)) ??
    inGreenOrder(merging)[0]
  );
}

/**
 * The merge worktree contains the candidate of this task. Another candidate may have replaced it.
 */
export function isCandidateLaidOut(run: Run, {stage}: Task): boolean {
  return (
    stage.at === 'merging' &&
    stage.step.at === 'checking' &&
    stage.step.candidate === selectWorktree(run, `${run.id}.merge`)?.commit
  );
}

/** A check or setup of some task still runs in the merge worktree. */
export function isMergeWorktreeOccupied(state: State, run: Run): boolean {
  return selectLiveSessions(state).some(
    (session) =>
      session.purpose.for !== 'service' && selectWorktreeOwner(session) === `${run.id}.merge`,
  );
}

/**
 * Tasks are merged in the order in which they became green. A task waits for its predecessors as
 * long as they advance without a person; it does not wait for slower siblings.
 */
export function isItsTurnToMerge(state: State, run: Run, task: Task): boolean {
  if (selectMerger(run) !== undefined) return false;
  return inGreenOrder(run.tasks.filter((other) => isMergeable(state, run, other)))[0] === task;
}

function isMergeable(state: State, run: Run, task: Task): boolean {
  return (
    task.stage.at === 'validated' &&
    isTaskActive(run, task) &&
    !isUndecided(run, task) &&
    selectUnmergedPredecessors(state, run, task).length === 0
  );
}

/**
 * Predecessors that are not merged (again, after another attempt was granted) and will be without a
 * person.
 */
function selectUnmergedPredecessors(state: State, run: Run, task: Task): Task[] {
  return selectPredecessors(run, task).filter(
    (earlier) => earlier.stage.at !== 'merged' && isGoing(state, run, earlier),
  );
}

/**
 * The tasks that a green task waits for before its merge: its predecessors, or the current merge,
 * or the one that became green first.
 */
export function selectAwaitedByMerge(state: State, run: Run, task: Task): Task[] {
  const ahead = selectUnmergedPredecessors(state, run, task);
  if (ahead.length > 0) return ahead;
  const first =
    selectMerger(run) ??
    inGreenOrder(run.tasks.filter((other) => isMergeable(state, run, other)))[0];
  return first === undefined || first === task ? [] : [first];
}

/**
 * Sorted by the number of the event with which each became green. Tasks of older journals have no
 * number and keep the order of the plan.
 */
function inGreenOrder(tasks: readonly Task[]): Task[] {
  const selectPlace = ({stage}: Task): number =>
    stage.at === 'validated' || stage.at === 'merging' ? (stage.seq ?? 0) : 0;
  return tasks.toSorted((one, other) => selectPlace(one) - selectPlace(other));
}

export function runOfTask(state: State, task: Task): Run | undefined {
  return selectRun(state, runIdIn(task.id));
}
