import {isTaskId, type RunId, runIdIn, type TaskId} from '../ids.ts';
import type {Run, UndoKind} from '../run.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import {selectOpenRuns, selectRun, selectRuns, selectTask, selectWorktree} from './find.ts';
import {isRunActive} from './progress.ts';
import {selectPicked} from './variants.ts';

/** For so long after a decision it can be undone. */
export const undoMs = 10 * 60_000;

/** A decision of a person that can be taken back. `text` says what undoing it does. */
export type Undoable = {
  readonly kind: UndoKind;
  readonly run: RunId;
  readonly task?: TaskId;
  readonly title: string;
  readonly at: number;
  readonly until: number;
  readonly text: string;
};

/** The newest decision that can be undone now. */
export function selectUndoable(state: State, now: number): Undoable | undefined {
  return selectUndoables(state, now)[0];
}

/** Every decision that can be undone now, newest first. */
export function selectUndoables(state: State, now: number): Undoable[] {
  return selectRuns(state)
    .flatMap((run) => decisionsOf(state, run))
    .filter((decision) => isRecent(decision, now) && decision.problem === undefined)
    .toSorted((a, b) => b.at - a.at)
    .map(({kind, run, task, title, at, text}) => ({
      kind,
      run,
      ...(task === undefined ? {} : {task}),
      title,
      at,
      until: at + undoMs,
      text,
    }));
}

/** Why the last decision about a run or task cannot be undone; undefined if it can. */
export function findUndoProblem(
  state: State,
  what: RunId | TaskId,
  kind: UndoKind,
  now: number,
): string | undefined {
  const run = selectRun(state, runIdIn(what));
  const found = run === undefined ? [] : decisionsOf(state, run);
  const decision = found.find(
    (one) => one.kind === kind && (isTaskId(what) ? one.task === what : one.task === undefined),
  );
  if (decision === undefined) return `there is no decision to ${kind} ${what} that can be undone`;
  return isRecent(decision, now)
    ? decision.problem
    : `that was more than ${undoMs / 60_000} minutes ago`;
}

/** A decision with what stands in the way of undoing it. */
type PastDecision = Omit<Undoable, 'until'> & {readonly problem?: string | undefined};

function isRecent({at}: PastDecision, now: number): boolean {
  return now - at <= undoMs;
}

function decisionsOf(state: State, run: Run): PastDecision[] {
  return [
    ...decisionsAboutRun(state, run),
    ...run.tasks.flatMap((task) => decisionsAboutTask(run, task)),
  ];
}

function decisionsAboutRun(state: State, run: Run): PastDecision[] {
  const {id, stage, undoable, hold} = run;
  const about = {run: id, title: run.request.objective};
  const isAsked = undoable?.isAsked === true ? `${id} is being undone already` : undefined;
  if (undoable?.kind === 'accept' && stage.at === 'accepted') {
    const {at, branch, from} = undoable;
    const text = `moves ${branch} back to ${from.slice(0, 7)}; ${id} is ready to accept again`;
    const problem = isAsked ?? describeBuiltOn(state, stage.commit);
    return [{...about, kind: 'accept', at, text, problem}];
  }

  if (undoable?.kind === 'discard' && stage.at === 'discarded')
    return [
      {
        ...about,
        kind: 'discard',
        at: undoable.at,
        text: `brings ${id} back, with its branches and worktrees; it stays stopped until you resume it`,
        problem: isAsked,
      },
    ];
  const rejected: PastDecision[] =
    undoable?.kind === 'reject' && stage.at === 'planning'
      ? [
          {
            ...about,
            kind: 'reject',
            at: undoable.at,
            text: `the plan of ${id} waits for you again, and its planner stops`,
          },
        ]
      : [];
  return hold === undefined || hold.isRestored === true || isOver(run)
    ? rejected
    : [
        ...rejected,
        {
          ...about,
          kind: 'stop',
          at: hold.at,
          text: `${id} goes on`,
          problem: describeOtherHalt(id, run),
        },
      ];
}

function decisionsAboutTask(run: Run, task: Task): PastDecision[] {
  const {id, stage, undoable, hold, planned} = task;
  const about = {run: run.id, task: id, title: planned.title};
  if (isOver(run)) return [];
  if (stage.at === 'discarded')
    return undoable === undefined || stage.why.kind !== 'person'
      ? []
      : [
          {
            ...about,
            kind: 'discard',
            at: undoable.at,
            text: `brings ${id} back, with its branch and worktree; it stays stopped until you resume it`,
            problem: findRestoreProblem(run, task),
          },
        ];
  return hold === undefined || hold.isRestored === true || stage.at === 'merged'
    ? []
    : [
        {
          ...about,
          kind: 'stop',
          at: hold.at,
          text: `${id} goes on`,
          problem: describeOtherHalt(id, task),
        },
      ];
}

function isOver({stage}: Run): boolean {
  return stage.at === 'accepted' || stage.at === 'discarded';
}

/** Lifting a stop lifts troubles as well, and nobody has decided about those. */
function describeOtherHalt(
  id: string,
  {trouble, parked}: {readonly trouble?: unknown; readonly parked?: unknown},
): string | undefined {
  return trouble === undefined && parked === undefined
    ? undefined
    : `${id} also has a problem that needs you; see orchestra needs, then resume it`;
}

function findRestoreProblem(run: Run, task: Task): string | undefined {
  const {id, undoable, trouble} = task;
  const picked = selectPicked(run, task);
  if (picked !== undefined) return `${picked.id}, another variant of the same task, counts`;
  if (undoable?.isAsked === true) return `${id} is being undone already`;
  if (trouble !== undefined)
    return `${id} could not be put away; see orchestra needs, then resume it`;
  return isRunActive(run) ? undefined : `${run.id} is halted; resume it first`;
}

/** A run that started from the accepted commit would lose its base. */
function describeBuiltOn(state: State, commit: string): string | undefined {
  const builder = selectOpenRuns(state).find(
    ({stage}) => 'ground' in stage && stage.ground.base === commit,
  );
  return builder === undefined ? undefined : `${builder.id} was started from it`;
}

/** The tasks whose worktrees an undo of a discard brings back. */
export function selectTasksToRestore(run: Run): Task[] {
  const {undoable} = run;
  if (run.stage.at === 'discarded')
    return undoable?.kind === 'discard' && undoable.isAsked === true
      ? undoable.before.tasks.filter(({stage}) => stage.at !== 'merged' && stage.at !== 'discarded')
      : [];
  return run.tasks.filter(
    (task) => task.stage.at === 'discarded' && task.undoable?.isAsked === true,
  );
}

/** The worktree of a discarded task is there again, or there was none. */
export function isWorktreeBack(run: Run, owner: TaskId): boolean {
  const removed = run.removed?.find((one) => one.owner === owner);
  return removed === undefined ? selectWorktree(run, owner) === undefined : removed.isBack === true;
}

/** Whether the removal that the discard caused is over; then the task can come back. */
export function isTaskRestorable(run: Run, task: Task): boolean {
  const {stage} = task;
  if (stage.at !== 'discarded' || task.undoable?.isAsked !== true) return false;
  const needed = stage.why.kind === 'needs' ? selectNeeded(run, stage.why.task) : undefined;
  return needed?.stage.at !== 'discarded' && isWorktreeBack(run, task.id);
}

function selectNeeded(run: Run, id: TaskId): Task | undefined {
  return run.tasks.find((task) => task.id === id);
}

/** The same for a discarded run: nothing of it is being removed any more. */
export function isRunRestorable(run: Run): boolean {
  if (run.stage.at !== 'discarded' || run.undoable?.isAsked !== true) return false;
  const isBack = (owner: string): boolean =>
    run.removed?.some((one) => one.owner === owner && one.isBack === true) ?? false;
  return (
    run.worktrees.every(({owner}) => isBack(owner)) &&
    selectTasksToRestore(run).every(({id}) => isWorktreeBack(run, id))
  );
}

/** The task that an undo is about, with those that were discarded because they need it. */
export function selectDiscardedWith(state: State, id: TaskId): TaskId[] {
  const run = selectRun(state, runIdIn(id));
  if (run === undefined || selectTask(state, id) === undefined) return [];
  const found = new Set<TaskId>([id]);
  let size = 0;
  while (size < found.size) {
    size = found.size;
    for (const {id: other, stage, undoable} of run.tasks)
      if (
        stage.at === 'discarded' &&
        stage.why.kind === 'needs' &&
        undoable !== undefined &&
        found.has(stage.why.task)
      )
        found.add(other);
  }

  return [...found];
}
