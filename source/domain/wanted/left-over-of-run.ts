import type {Effect} from '../effect.ts';
import {isTaskId} from '../ids.ts';
import type {Run, Worktree} from '../run.ts';
import {liveSessionsOf, worktreeOwnerOf} from '../select/find.ts';
import {isReady, isRunActive} from '../select/progress.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';

/** What is still to be done for something that has come to its end: its summary, and the worktrees that may go. */
export function leftOverOfRun(state: State, run: Run): Effect[] {
  if (!isRunActive(run)) return [];
  return [
    ...run.tasks.flatMap((task) => summaryOfTask(run, task)),
    ...summaryOfRun(run),
    ...removals(state, run),
  ];
}

/** One for each end a task came to, also for one that stopped: why a path failed is worth the most. */
function summaryOfTask(run: Run, task: Task): Effect[] {
  if (task.endings === task.summarised || task.attempts.length === 0 || task.trouble !== undefined)
    return [];
  return [
    {
      key: `${task.id}/summary-${task.endings}`,
      do: 'write-summary',
      run: run.id,
      task: task.id,
      endings: task.endings,
    },
  ];
}

function summaryOfRun(run: Run): Effect[] {
  const endings = run.tasks.reduce((sum, task) => sum + task.endings, 0);
  const isOver = isReady(run) || run.stage.at === 'accepted' || run.stage.at === 'discarded';
  if (
    !isOver ||
    endings === run.summarised ||
    run.tasks.every(({attempts}) => attempts.length === 0)
  )
    return [];
  return [{key: `${run.id}/summary-${endings}`, do: 'write-summary', run: run.id, endings}];
}

/** Nothing is removed without a person's word, nor while a process lives in it. */
function removals(state: State, run: Run): Effect[] {
  const free = run.worktrees.filter((worktree) => mayGo(run, worktree));
  if (free.length === 0) return [];
  const inUse = new Set(liveSessionsOf(state).map(worktreeOwnerOf));
  return free
    .filter(({owner}) => !inUse.has(owner))
    .map(({owner}): Effect => ({
      key: `${owner}/remove`,
      do: 'remove-worktree',
      run: run.id,
      owner,
      ...(isTaskId(owner) ? {task: owner} : {}),
    }));
}

function mayGo(run: Run, {owner, isTidied}: Worktree): boolean {
  const task = run.tasks.find(({id}) => id === owner);
  if (task?.trouble !== undefined) return false;
  if (isTidied || run.stage.at === 'discarded') return true;
  // The planner's worktree and the one for merges hold nobody's work.
  if (run.stage.at === 'accepted') return owner === `${run.id}.plan` || owner === `${run.id}.merge`;
  return task?.stage.at === 'discarded';
}
