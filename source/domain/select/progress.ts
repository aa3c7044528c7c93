import {isTaskId, runIdIn, taskIdOf, type WorktreeOwner} from '../ids.ts';
import type {Check} from '../rules.ts';
import type {Run} from '../run.ts';
import {instanceName} from '../service.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import {liveSessionsOf, openRunsOf, runOf, serviceOf, worktreeOf, worktreeOwnerOf} from './find.ts';

/** Nobody and nothing has halted the run: its effects may be in flight. */
export function isRunActive(run: Run): boolean {
  return (
    run.hold === undefined &&
    run.trouble === undefined &&
    run.exhausted === undefined &&
    run.parked === undefined
  );
}

/** Tasks move only under an approval. */
export function isTaskActive(run: Run, task: Task): boolean {
  return (
    run.stage.at === 'working' &&
    isRunActive(run) &&
    task.hold === undefined &&
    task.trouble === undefined
  );
}

/** It was begun, and stands still because its run does: halted, or its plan waits for a person again. */
export function isResting(run: Run, task: Task): boolean {
  const isBegun =
    task.stage.at === 'preparing' ||
    task.stage.at === 'attempting' ||
    task.stage.at === 'validated' ||
    task.stage.at === 'merging';
  return isBegun && !(run.stage.at === 'working' && isRunActive(run));
}

/** It will come to an end without a person's help. */
export function isGoing(state: State, run: Run, task: Task): boolean {
  if (!isTaskActive(run, task)) return false;
  switch (task.stage.at) {
    case 'preparing':
      return canServe(state, task, task.id);
    case 'attempting':
      return true;
    // A person has to say what holds in the run's branch before anything is merged into it.
    case 'validated':
      return run.moved === undefined;
    case 'merging':
      return run.moved === undefined && canServe(state, task, `${run.id}.merge`);
    case 'waiting':
      return (
        task.planned.services.every((name) => canBecomeReady(state, name)) &&
        predecessorsOf(run, task).every(
          (earlier) => earlier.stage.at === 'merged' || isGoing(state, run, earlier),
        )
      );
    default:
      return false;
  }
}

/** The services that it has for itself are not waited for in vain. */
function canServe(state: State, task: Task, owner: WorktreeOwner): boolean {
  return task.planned.services
    .filter((name) => isPerTask(state, name))
    .every((name) => {
      const instance = instanceName(name, owner);
      return serviceOf(state, instance) === undefined || canBecomeReady(state, instance);
    });
}

export function isPerTask(state: State, name: string): boolean {
  return serviceOf(state, name)?.spec.per === 'task';
}

function canBecomeReady(state: State, name: string): boolean {
  const service = serviceOf(state, name);
  return (
    service !== undefined &&
    service.desire !== 'stopped-by-person' &&
    service.stage.at !== 'failed' &&
    service.stage.at !== 'foreign-port'
  );
}

export function predecessorsOf(run: Run, task: Task): Task[] {
  return task.planned.after.flatMap(
    (id) => run.tasks.find((other) => other.id === taskIdOf(run.id, id)) ?? [],
  );
}

/** Its turn has come: whatever it builds on is merged. */
export function isNext(run: Run, task: Task): boolean {
  return (
    task.stage.at === 'waiting' &&
    isTaskActive(run, task) &&
    predecessorsOf(run, task).every(({stage}) => stage.at === 'merged')
  );
}

/** Nothing but room keeps it from starting. */
export function isStartable(state: State, run: Run, task: Task): boolean {
  return (
    isNext(run, task) &&
    task.planned.services.every((name) => isPerTask(state, name) || isServiceReady(state, name))
  );
}

export function isServiceReady(state: State, name: string): boolean {
  const stage = serviceOf(state, name)?.stage;
  return stage?.at === 'up' && stage.condition === 'ready';
}

/** Room for one more task at work, over all runs. */
export function hasRoomForTask(state: State): boolean {
  const atWork = openRunsOf(state).flatMap((run) =>
    run.tasks.filter((task) => isTaskActive(run, task) && occupiesRoom(run, task)),
  );
  return atWork.length < state.project.limits.workers;
}

function occupiesRoom({moved}: Run, {stage}: Task): boolean {
  return (
    stage.at === 'preparing' ||
    stage.at === 'attempting' ||
    (stage.at === 'merging' && moved === undefined)
  );
}

/** Room for one more process on behalf of a task. One that is being stopped still takes its place. */
export function hasRoomForSession(state: State): boolean {
  const limited = liveSessionsOf(state).filter(
    ({purpose}) => purpose.for === 'attempt' || purpose.for === 'setup' || purpose.for === 'check',
  );
  return limited.length < state.project.limits.workers;
}

/** Room for one more run before queued ones have to wait. A run that waits for a person takes none. */
export function hasRoomForRun(state: State): boolean {
  return (
    openRunsOf(state).filter((run) => isRunBusy(state, run)).length < state.project.limits.runs
  );
}

function isRunBusy(state: State, run: Run): boolean {
  if (!isRunActive(run)) return false;
  if (run.stage.at === 'surveying' || run.stage.at === 'planning' || run.stage.at === 'accepting')
    return true;
  return run.tasks.some((task) => isGoing(state, run, task));
}

/** A session may still begin in this worktree without a person's word: its task has not come to its end; of the one for merges, some task. */
export function hasWorkLeft({tasks}: Run, owner: WorktreeOwner): boolean {
  const isOpen = ({stage}: Task): boolean => stage.at !== 'merged' && stage.at !== 'discarded';
  return isTaskId(owner)
    ? tasks.some((task) => task.id === owner && isOpen(task))
    : tasks.length === 0 || tasks.some(isOpen);
}

/** Every task has come to its end and there is something to accept. */
export function isReady(run: Run): boolean {
  return (
    run.stage.at === 'working' &&
    run.tasks.every((task) => task.stage.at === 'merged' || task.stage.at === 'discarded') &&
    run.tasks.some((task) => task.stage.at === 'merged')
  );
}

/**
 * What failed only beside the others can be repaired only beside them: the task's work has to stand on what is merged now. So
 * does what goes on with work that is merged itself, which would else conflict with what it did before.
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

/** Validation commands in order: those of the rules file first, then the plan's own. On one name the rules win. */
export function checksOf(run: Run): Check[] {
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
 * The one task whose merge may proceed. Several can have begun when a person stopped one and resumed it later: the one that is furthest
 * goes on, so that no candidate is taken away under another's checks; then the one that was green first.
 */
export function mergerOf(run: Run): Task | undefined {
  const merging = run.tasks.filter(
    (task) => task.stage.at === 'merging' && isTaskActive(run, task),
  );
  return (
    merging.find(({stage}) => stage.at === 'merging' && stage.step.at === 'publishing') ??
    merging.find((task) => isLaidOut(run, task)) ??
    inGreenOrder(merging)[0]
  );
}

/** What its checks run on lies in the merge worktree. Another task's candidate may have been laid out there since. */
export function isLaidOut(run: Run, {stage}: Task): boolean {
  return (
    stage.at === 'merging' &&
    stage.step.at === 'checking' &&
    stage.step.candidate === worktreeOf(run, `${run.id}.merge`)?.commit
  );
}

/** A check of some task, or its setup, still runs in the merge worktree. */
export function isMergePlaceOccupied(state: State, run: Run): boolean {
  return liveSessionsOf(state).some(
    (session) =>
      session.purpose.for !== 'service' && worktreeOwnerOf(session) === `${run.id}.merge`,
  );
}

/**
 * Tasks are merged in the order in which they became green. One waits for those that it comes after, as long as they come to their end by
 * themselves: nobody waits for a slower sibling, nor for what waits for a person.
 */
export function isItsTurnToMerge(state: State, run: Run, task: Task): boolean {
  if (mergerOf(run) !== undefined) return false;
  return inGreenOrder(run.tasks.filter((other) => isMergeable(state, run, other)))[0] === task;
}

function isMergeable(state: State, run: Run, task: Task): boolean {
  return (
    task.stage.at === 'validated' &&
    isTaskActive(run, task) &&
    aheadOf(state, run, task).length === 0
  );
}

/** What it comes after, is not merged, and will be without a person's help: merged once, and granted another attempt since. */
function aheadOf(state: State, run: Run, task: Task): Task[] {
  return predecessorsOf(run, task).filter(
    (earlier) => earlier.stage.at !== 'merged' && isGoing(state, run, earlier),
  );
}

/** Whom a green task waits for before it is merged: what it comes after, else who is merged now, else who was green before. */
export function awaitedByGreen(state: State, run: Run, task: Task): Task[] {
  const ahead = aheadOf(state, run, task);
  if (ahead.length > 0) return ahead;
  const first =
    mergerOf(run) ?? inGreenOrder(run.tasks.filter((other) => isMergeable(state, run, other)))[0];
  return first === undefined || first === task ? [] : [first];
}

/** By the place in the journal at which each became green; what an older release wrote has none, and keeps the order of the plan. */
function inGreenOrder(tasks: readonly Task[]): Task[] {
  const placeOf = ({stage}: Task): number =>
    stage.at === 'validated' || stage.at === 'merging' ? (stage.seq ?? 0) : 0;
  return tasks.toSorted((one, other) => placeOf(one) - placeOf(other));
}

export function runOfTask(state: State, task: Task): Run | undefined {
  return runOf(state, runIdIn(task.id));
}
