import type {Effect} from '../effect.ts';
import {type TaskId, toTaskId} from '../ids.ts';
import type {MovedBranch, PlanRound, Run} from '../run.ts';
import {checkOfSession, hasLiveSessionIn, selectSession, selectWorktree} from '../select/find.ts';
import {isRunActive, isTaskActive, selectMerger} from '../select/progress.ts';
import {
  isPlanOpen,
  selectLastPlanner,
  selectOpenPlanner,
  selectUnreadTurn,
} from '../select/planner.ts';
import {hasExited} from '../select/sessions.ts';
import type {State} from '../state.ts';
import {isInteractive, type Session} from '../session.ts';
import {deadlineEffects, isPromptDue, taskEffects} from './task-effects.ts';
import {isBaselineDue, isBaselineOver, isRecalled, selectBaseline} from '../select/baseline.ts';

/** A halted run has no effects. Its tasks have effects only under an approval. */
export function runEffects(state: State, run: Run): Effect[] {
  if (!isRunActive(run)) return [];
  const {id, stage} = run;
  switch (stage.at) {
    case 'surveying':
      return [{key: `${id}/survey`, do: 'survey', run: id}];
    case 'planning':
      return run.rounds
        .slice(-1)
        .flatMap((round) => planRoundEffects(state, run, round, stage.ground.base));
    case 'reviewing': {
      const owners = selectTasksToPrepare(state, run);
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
      return [...ahead, ...openPlannerEffects(state, run), ...baselineEffects(state, run)];
    }

    case 'working':
      return [
        ...runClockEffects(run, stage.approval.at),
        ...activeTaskEffects(state, run),
        ...mergeEffects(state, run),
        ...baselineEffects(state, run),
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

/** Tasks whose worktrees are created while the plan is read: those that will start first. */
export function selectTasksToPrepare(state: State, run: Run): TaskId[] {
  if (run.stage.at !== 'reviewing') return [];
  const first = run.stage.proposal.plan.tasks
    .filter(({after}) => after.length === 0)
    .map((task) => toTaskId(run.id, task.id));
  return first
    .filter((owner) => selectWorktree(run, owner) === undefined)
    .slice(0, state.project.limits.workers);
}

function activeTaskEffects(state: State, run: Run): Effect[] {
  return run.tasks
    .filter((task) => isTaskActive(run, task))
    .flatMap((task) => taskEffects(state, run, task));
}

function planRoundEffects(
  state: State,
  run: Run,
  {number, asking, step}: PlanRound,
  base: string,
): Effect[] {
  if (step.at === 'preparing') {
    const owner = `${run.id}.plan` as const;
    const worktree = selectWorktree(run, owner);
    if (worktree === undefined)
      return [{key: `${owner}/make`, do: 'make-worktree', run: run.id, owner, from: base}];
    if (step.setup !== undefined)
      return deadlineEffects(state, run, `${run.id}/setup-clock`, step.setup);
    // A planner in its own interface may still answer the person.
    const open = selectOpenPlanner(state, run);
    if (open !== undefined && worktree.commit === base)
      return deadlineEffects(state, run, `${run.id}/plan-clock`, open.id);
    // The person's branch has moved since the previous round; this round reads the new commit.
    return worktree.commit === base || hasLiveSessionIn(state, owner)
      ? []
      : [{key: `${owner}/renew/${base}`, do: 'renew-worktree', run: run.id, owner, from: base}];
  }

  if (step.at !== 'thinking') return [];
  const planner = selectSession(state, step.session);
  if (planner !== undefined && isInteractive(planner) && planner.life.at === 'running') {
    const reading = readTurnEffects(run, planner);
    if (reading.length > 0) return reading;
    if (isPromptDue(planner))
      return [
        {
          key: `${run.id}/ask-prompt/${number}-${asking}/${step.session}/${planner.earlier?.turns ?? 0}`,
          do: 'ask-prompt',
          run: run.id,
          session: step.session,
        },
      ];
  }

  if (!hasExited(state, step.session))
    return deadlineEffects(state, run, `${run.id}/plan-clock`, step.session);
  return [
    {
      key: `${run.id}/read-plan/${number}-${asking}/${step.session}`,
      do: 'read-plan',
      run: run.id,
      session: step.session,
    },
  ];
}

/** Reads the turns of a planner with whom the person discusses the plan that they read. */
function openPlannerEffects(state: State, run: Run): Effect[] {
  const planner = isPlanOpen(run) ? selectLastPlanner(state, run) : undefined;
  if (planner === undefined) return [];
  const reading = readTurnEffects(run, planner);
  if (reading.length > 0) return reading;
  return planner.stop === undefined
    ? deadlineEffects(state, run, `${run.id}/plan-clock`, planner.id)
    : [];
}

function readTurnEffects(run: Run, planner: Session): Effect[] {
  const turn = selectUnreadTurn(planner);
  const round = run.rounds.at(-1);
  return turn === undefined || round === undefined
    ? []
    : [
        {
          key: `${run.id}/read-plan/${round.number}-${round.asking}/${planner.id}/${turn}`,
          do: 'read-plan',
          run: run.id,
          session: planner.id,
        },
      ];
}

function runClockEffects(run: Run, approvedAt: number): Effect[] {
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

/** Effects of the checks on the base, in addition to their live sessions. */
function baselineEffects(state: State, run: Run): Effect[] {
  if (!isBaselineDue(state, run) || run.head === undefined) return [];
  const {session: id, recalls} = selectBaseline(run);
  if (id !== undefined) {
    const purpose = selectSession(state, id)?.purpose;
    if (purpose?.for === 'worktree-setup')
      return deadlineEffects(state, run, `${run.id}/setup-clock`, id);
    return purpose?.for === 'baseline' && hasExited(state, id)
      ? [
          {
            key: `${run.id}/read-baseline/${purpose.check}/${id}`,
            do: 'read-baseline',
            run: run.id,
            check: purpose.check,
            session: id,
          },
        ]
      : [];
  }

  if (isBaselineOver(state, run)) return [];
  const recall: Effect[] = isRecalled(state, run)
    ? []
    : [{key: `${run.id}/recall-baseline/${recalls + 1}`, do: 'recall-baseline', run: run.id}];
  return [...recall, ...baseWorktreeEffects(state, run, run.head)];
}

/** Brings the merge worktree to the base. */
function baseWorktreeEffects(state: State, run: Run, base: string): Effect[] {
  const owner = `${run.id}.merge` as const;
  const worktree = selectWorktree(run, owner);
  if (hasLiveSessionIn(state, owner) || worktree?.commit === base) return [];
  return worktree === undefined
    ? [{key: `${owner}/make`, do: 'make-worktree', run: run.id, owner, from: base}]
    : [{key: `${owner}/renew/${base}`, do: 'renew-worktree', run: run.id, owner, from: base}];
}

/**
 * Merges happen one after another and outside of every checkout: built, checked, and only then
 * published.
 */
function mergeEffects(state: State, run: Run): Effect[] {
  if (run.moved !== undefined) return movedBranchEffects(run, run.moved);
  const task = selectMerger(run);
  if (task?.stage.at !== 'merging' || run.head === undefined) return [];
  const of = {run: run.id, task: task.id};
  const owner = `${run.id}.merge` as const;
  // The base is checked in the same worktree first.
  if (task.stage.step.at === 'building' && !isBaselineOver(state, run)) return [];
  if (selectWorktree(run, owner) === undefined)
    return [{key: `${owner}/make`, do: 'make-worktree', ...of, owner, from: run.head}];
  const {commit, step} = task.stage;
  switch (step.at) {
    case 'building':
      // A worktree with a running check or service of another task is not replaced.
      if (hasLiveSessionIn(state, owner)) return [];
      return [
        {
          key: `${task.id}/build-merge/${commit}/${run.head}`,
          do: 'build-merge',
          ...of,
          commit,
          onto: run.head,
        },
      ];
    case 'checking': {
      const check = step.session === undefined ? undefined : checkOfSession(state, step.session);
      if (check === undefined || step.session === undefined || !hasExited(state, step.session))
        return [];
      return [
        {
          key: `${task.id}/read-merge-check/${check}/${step.session}`,
          do: 'read-check',
          ...of,
          on: 'merge',
          check,
          session: step.session,
        },
      ];
    }

    case 'publishing':
      return [
        {
          key: `${task.id}/publish-merge/${step.candidate}`,
          do: 'publish-merge',
          ...of,
          candidate: step.candidate,
          onto: step.onto,
        },
      ];
  }
}

/**
 * Someone else moved the branch: nothing is built on it until a person decides which commit counts.
 */
function movedBranchEffects({id, head}: Run, {branch, found, isRestoring}: MovedBranch): Effect[] {
  if (isRestoring !== true || head === undefined) return [];
  return [
    {
      key: `${id}/restore-branch/${found}`,
      do: 'restore-branch',
      run: id,
      branch,
      to: head,
      from: found,
    },
  ];
}
