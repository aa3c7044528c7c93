import type {EventBody} from '../event.ts';
import type {Run} from '../run.ts';
import type {SessionId} from '../ids.ts';
import {hasLiveSessionIn, selectSession, selectWorktree} from '../select/find.ts';
import {
  canContinuePlanner,
  hasPlannerConversation,
  isPlannerDue,
  isPlanOpen,
  selectLastPlanner,
  selectOpenPlanner,
} from '../select/planner.ts';
import {isCutShort} from '../select/sessions.ts';
import {needsSetup, selectSetupStatus} from '../select/environment.ts';
import {isBetweenTurns, isLive, type Session, workedFor} from '../session.ts';
import {interruptionLimit, type State} from '../state.ts';
import {askSession} from './answer.ts';
import {makeOpenPlan} from './open-run.ts';
import {selectStoppingLoop} from './watch-agent.ts';

/**
 * Leads from a surveyed repository or a rejected plan to a new plan, or to the reason why there is
 * none.
 */
export function nextPlanningEvent(state: State, run: Run, at: number): EventBody | undefined {
  if (run.stage.at !== 'planning') return undefined;
  if (run.request.open !== undefined) return makeOpenPlan(run);
  const round = run.rounds.at(-1);
  if (round === undefined || round.step.at === 'over') {
    const because = run.stage.because === undefined ? {} : {because: run.stage.because};
    return {
      type: 'planning-started',
      run: run.id,
      round: run.rounds.length + 1,
      ...because,
      ...(run.stage.isAnew === undefined ? {} : {anew: true}),
    };
  }

  const {number, asking, step, problems, words, interruptions} = round;
  const open = selectOpenPlanner(state, run);
  if (step.at === 'invalid') {
    const hasLeft = open === undefined && selectLastPlanner(state, run) !== undefined;
    if (asking === 1 && !hasLeft)
      return {type: 'plan-asked-again', run: run.id, round: number, problems};
    if (open !== undefined)
      return {
        type: 'planner-waiting',
        run: run.id,
        round: number,
        from: {session: open.id, turn: open.turn?.number ?? 0},
      };
    return {
      type: 'planning-failed',
      run: run.id,
      why: {kind: 'invalid', problems, ...(words === undefined ? {} : {words})},
    };
  }

  const session = step.at === 'thinking' ? selectSession(state, step.session) : open;
  const limit = run.budget.attemptWallClock;
  const used = session === undefined ? 0 : workedFor(session, at);
  if (limit !== undefined && used >= limit && (step.at === 'thinking' || !isIdle(session)))
    return {type: 'planning-failed', run: run.id, why: {kind: 'wall-clock', used, limit}};
  if (step.at === 'thinking') {
    const loop = session === undefined ? undefined : selectStoppingLoop(state, session);
    if (loop !== undefined) {
      const {kind, ...rest} = loop;
      return {type: 'planning-failed', run: run.id, why: {kind: 'loop', loop: kind, ...rest}};
    }

    return isCutShort(state, step.session)
      ? {type: 'planning-interrupted', run: run.id, round: number}
      : undefined;
  }

  if (interruptions >= interruptionLimit)
    return {type: 'planning-failed', run: run.id, why: {kind: 'interrupted', times: interruptions}};
  const owner = `${run.id}.plan` as const;
  if (step.setup !== undefined) return nextPlannerSetupEvent(state, run, number, step.setup, at);
  if (open !== undefined && canContinuePlanner(run))
    return isBetweenTurns(open) && open.life.at === 'running'
      ? {type: 'planner-continued', run: run.id, round: number, asking, session: open.id}
      : undefined;
  const isBaseLaidOut = selectWorktree(run, owner)?.commit === run.stage.ground.base;
  if (hasLiveSessionIn(state, owner) || !isBaseLaidOut) return undefined;
  if (state.project.plannerSetup === true && needsSetup(state, run, owner))
    return askSession(state, {for: 'worktree-setup', run: run.id, owner});
  const waits = round.waitsSince !== undefined && hasPlannerConversation(state, run);
  return askSession(state, {
    for: 'plan',
    run: run.id,
    round: number,
    asking,
    ...(run.request.planners === 'interactive' ? {mode: 'interactive' as const} : {}),
    ...(waits ? {waits: true as const} : {}),
  });
}

function isIdle(session: Session | undefined): boolean {
  return session === undefined || isBetweenTurns(session);
}

/** While the person reads the plan, the planner in its own interface stays open for them. */
export function nextOpenPlannerEvent(state: State, run: Run, at: number): EventBody | undefined {
  const planner = selectLastPlanner(state, run);
  const round = run.rounds.at(-1);
  if (planner === undefined || round === undefined || !isPlanOpen(run)) return undefined;
  const limit = run.budget.attemptWallClock;
  if (isLive(planner)) {
    return limit !== undefined && planner.stop === undefined && workedFor(planner, at) >= limit
      ? {type: 'session-stop-asked', session: planner.id}
      : undefined;
  }

  const owner = `${run.id}.plan` as const;
  return isPlannerDue(state, run, interruptionLimit) &&
    selectWorktree(run, owner) !== undefined &&
    !hasLiveSessionIn(state, owner)
    ? askSession(state, {
        for: 'plan',
        run: run.id,
        round: round.number,
        asking: round.asking,
        mode: 'interactive',
        waits: true,
      })
    : undefined;
}

/**
 * Runs `setup` in the planner's worktree where the project asks for it: a planner that can run the
 * code plans better.
 */
function nextPlannerSetupEvent(
  state: State,
  run: Run,
  round: number,
  session: SessionId,
  at: number,
): EventBody | undefined {
  const end = selectSetupStatus(state, run, session, at);
  switch (end.at) {
    case 'running':
      return undefined;
    case 'passed':
      return {type: 'worktree-set-up', owner: `${run.id}.plan`};
    case 'cut-short':
      return {type: 'planning-interrupted', run: run.id, round};
    case 'failed':
      return {
        type: 'planning-failed',
        run: run.id,
        why: {
          kind: 'planner-failed',
          words: `setup exited with ${end.code ?? 'no status'} in the planner's worktree (${session})`,
        },
      };
  }
}
