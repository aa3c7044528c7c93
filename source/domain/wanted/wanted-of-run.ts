import type {Effect} from '../effect.ts';
import {taskIdOf, type TaskId} from '../ids.ts';
import type {PlanRound, Run} from '../run.ts';
import {liveSessionsOf, worktreeOf, worktreeOwnerOf} from '../select/find.ts';
import {isRunActive, isTaskActive} from '../select/progress.ts';
import {hasExited} from '../select/session-end.ts';
import type {State} from '../state.ts';
import {wantedOfBaseline} from './wanted-of-baseline.ts';
import {wantedOfClock} from './wanted-of-clock.ts';
import {wantedOfMerge} from './wanted-of-merge.ts';
import {wantedOfTask} from './wanted-of-task.ts';

/** A halted run wants nothing. Only under an approval does it want anything of its tasks. */
export function wantedOfRun(state: State, run: Run): Effect[] {
  if (!isRunActive(run)) return [];
  const {id, stage} = run;
  switch (stage.at) {
    case 'surveying':
      return [{key: `${id}/survey`, do: 'survey', run: id}];
    case 'planning':
      return run.rounds
        .slice(-1)
        .flatMap((round) => wantedOfRound(state, run, round, stage.ground.base));
    case 'reviewing': {
      const owners = aheadOf(state, run);
      const ahead: Effect[] =
        owners.length === 0
          ? []
          : [
              {
                key: `${id}/prepare/${stage.proposal.hash}/${run.head ?? stage.ground.base}`,
                do: 'prepare-worktrees',
                run: id,
                owners,
                from: run.head ?? stage.ground.base,
              },
            ];
      return [...ahead, ...wantedOfBaseline(state, run)];
    }

    case 'working':
      return [
        ...wantedOfRunClock(run, stage.approval.at),
        ...wantedOfTasks(state, run),
        ...wantedOfMerge(state, run),
        ...wantedOfBaseline(state, run),
      ];
    case 'accepting':
      return [
        {
          key: `${id}/bring-home/${stage.commit}${stage.way === undefined ? '' : `/${stage.way}`}`,
          do: 'bring-home',
          run: id,
          commit: stage.commit,
        },
      ];
    default:
      return [];
  }
}

/** Whose worktrees are made while the plan is read: the tasks that will start first. */
export function aheadOf(state: State, run: Run): TaskId[] {
  if (run.stage.at !== 'reviewing') return [];
  const first = run.stage.proposal.plan.tasks
    .filter(({after}) => after.length === 0)
    .map((task) => taskIdOf(run.id, task.id));
  return first
    .filter((owner) => worktreeOf(run, owner) === undefined)
    .slice(0, state.project.limits.workers);
}

function wantedOfTasks(state: State, run: Run): Effect[] {
  return run.tasks
    .filter((task) => isTaskActive(run, task))
    .flatMap((task) => wantedOfTask(state, run, task));
}

function wantedOfRound(
  state: State,
  run: Run,
  {number, asking, step}: PlanRound,
  base: string,
): Effect[] {
  if (step.at === 'preparing') {
    const owner = `${run.id}.plan` as const;
    const worktree = worktreeOf(run, owner);
    if (worktree === undefined)
      return [{key: `${owner}/make`, do: 'make-worktree', run: run.id, owner, from: base}];
    if (step.setup !== undefined)
      return wantedOfClock(state, run, `${run.id}/setup-clock`, step.setup);
    // The person's branch has moved on since the round before: this one reads what is there now.
    return worktree.commit === base || isAtWork(state, run)
      ? []
      : [{key: `${owner}/renew/${base}`, do: 'renew-worktree', run: run.id, owner, from: base}];
  }

  if (step.at !== 'thinking') return [];
  if (!hasExited(state, step.session))
    return wantedOfClock(state, run, `${run.id}/plan-clock`, step.session);
  return [
    {
      key: `${run.id}/read-plan/${number}-${asking}/${step.session}`,
      do: 'read-plan',
      run: run.id,
      session: step.session,
    },
  ];
}

function isAtWork(state: State, {id}: Run): boolean {
  return liveSessionsOf(state).some((session) => worktreeOwnerOf(session) === `${id}.plan`);
}

function wantedOfRunClock(run: Run, approvedAt: number): Effect[] {
  const {wallClock} = run.budget;
  return wallClock === undefined
    ? []
    : [
        {
          key: `${run.id}/wall-clock/${wallClock}`,
          do: 'wait',
          run: run.id,
          until: approvedAt + wallClock,
        },
      ];
}
