import type {Effect} from '../effect.ts';
import {isTaskId, type RunId} from '../ids.ts';
import {
  selectLiveSessions,
  selectOpenRuns,
  selectRun,
  selectRuns,
  selectSession,
  selectWorktreeOwner,
} from '../select/find.ts';
import type {State} from '../state.ts';
import {runEffects} from './run-effects.ts';
import {sessionEffects} from './session-effects.ts';
import type {Service} from '../service.ts';
import {selectReadyDeadline} from '../select/services.ts';
import type {Run, Worktree} from '../run.ts';
import {isReady, isRunActive} from '../select/progress.ts';
import type {Task} from '../task.ts';
import {selectTasksToRestore} from '../select/undo.ts';

/**
 * The effects that should be in flight now. An effect that is wanted and missing is started, one in
 * flight that is not wanted is stopped. A restart needs no other memory.
 */
export function wanted(state: State): Effect[] {
  return [
    ...sessionEffects(state),
    ...selectOpenRuns(state).flatMap((run) => runEffects(state, run)),
    ...selectRuns(state).flatMap((run) => cleanupEffects(state, run)),
    ...selectRuns(state).flatMap((run) => messageEffects(state, run)),
    ...state.services.flatMap((service) => serviceEffects(state, service)),
  ];
}

/**
 * The wanted effects of one run, without computing those of all others (there may be a thousand).
 */
export function wantedForRun(state: State, id: RunId): Effect[] {
  const run = selectRun(state, id);
  return run === undefined ? [] : [...runEffects(state, run), ...cleanupEffects(state, run)];
}

/**
 * One message at a time keeps their order. It is wanted after the end of its session as well: what
 * became of it is then found out. A halted run has it, too.
 */
function messageEffects(state: State, run: Run): Effect[] {
  return run.tasks.flatMap(({id, messages = []}): Effect[] => {
    const next = messages.find(({fate}) => fate === 'pending');
    const session = next?.session === undefined ? undefined : selectSession(state, next.session);
    if (next === undefined || session === undefined) return [];
    const {at} = session.life;
    if (at === 'asked' || at === 'created') return [];
    return [
      {
        key: `${id}/message-${next.number}`,
        do: 'deliver-message',
        run: run.id,
        task: id,
        session: session.id,
        message: next.number,
      },
    ];
  });
}

/** A service that is up is watched; one that backs off waits for its next start. */
function serviceEffects(state: State, service: Service): Effect[] {
  const {
    spec: {name},
    desire,
    stage,
  } = service;
  if (desire !== 'wanted') return [];
  if (stage.at === 'backing-off')
    return [{key: `service/${name}/back-off/${stage.until}`, do: 'wait', until: stage.until}];
  if (stage.at !== 'up' || selectSession(state, stage.session)?.life.at !== 'running') return [];
  const deadline = selectReadyDeadline(state, service);
  return [
    {
      key: `service/${name}/watch/${stage.session}`,
      do: 'watch-service',
      service: name,
      session: stage.session,
    },
    ...(deadline === undefined
      ? []
      : [
          {
            key: `service/${name}/ready/${stage.session}/${deadline}`,
            do: 'wait' as const,
            until: deadline,
          },
        ]),
  ];
}

/** Effects that remain after an end: summaries, and the removal of worktrees. */
function cleanupEffects(state: State, run: Run): Effect[] {
  if (!isRunActive(run)) return [];
  return [
    ...run.tasks.flatMap((task) => taskSummaryEffects(run, task)),
    ...runSummaryEffects(run),
    ...removalEffects(state, run),
    ...undoEffects(
      run,
      run.worktrees.some((worktree) => isRemovable(run, worktree)),
    ),
  ];
}

/**
 * One summary for each ending of a task, including failures: the reasons why an approach failed are
 * the most useful part.
 */
function taskSummaryEffects(run: Run, task: Task): Effect[] {
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

function runSummaryEffects(run: Run): Effect[] {
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

/** Nothing is removed without a person's consent, nor while a process runs in it. */
function removalEffects(state: State, run: Run): Effect[] {
  const free = run.worktrees.filter((worktree) => isRemovable(run, worktree));
  if (free.length === 0) return [];
  const inUse = new Set(selectLiveSessions(state).map(selectWorktreeOwner));
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

function isRemovable(run: Run, {owner, isTidied}: Worktree): boolean {
  const task = run.tasks.find(({id}) => id === owner);
  if (task?.trouble !== undefined) return false;
  if (run.removed?.some((one) => one.owner === owner && one.isBack === true) === true) return false;
  if (isTidied || run.stage.at === 'discarded') return true;
  // The planner's worktree and the merge worktree contain no work of their own.
  if (run.stage.at === 'accepted') return owner === `${run.id}.plan` || owner === `${run.id}.merge`;
  return task?.stage.at === 'discarded';
}

/** Effects of an undo that a person asked for. The removals of before are finished first. */
function undoEffects(run: Run, isRemoving: boolean): Effect[] {
  const {id, stage, undoable} = run;
  if (stage.at === 'accepted')
    return undoable?.kind === 'accept' && undoable.isAsked === true && !isRemoving
      ? [
          {
            key: `${id}/undo-accept/${stage.commit}`,
            do: 'undo-accept',
            run: id,
            branch: undoable.branch,
            from: stage.commit,
            to: undoable.from,
          },
        ]
      : [];
  return selectTasksToRestore(run).flatMap(({id: owner}): Effect[] => {
    const removed = run.removed?.find((one) => one.owner === owner);
    if (removed === undefined || removed.isBack === true) return [];
    const endings = run.tasks.find(({id: task}) => task === owner)?.endings ?? 0;
    return [
      {
        key: `${owner}/restore-${endings}`,
        do: 'restore-worktree',
        run: id,
        task: owner,
        owner,
        base: removed.commit,
        tip: removed.tip ?? removed.commit,
        kept: removed.kept,
      },
    ];
  });
}
