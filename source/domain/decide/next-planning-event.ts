import type {EventBody} from '../event.ts';
import type {Run} from '../run.ts';
import type {SessionId} from '../ids.ts';
import {hasLiveSessionIn, selectSession, selectWorktree} from '../select/find.ts';
import {isCutShort} from '../select/sessions.ts';
import {needsSetup, selectSetupStatus} from '../select/environment.ts';
import {workedFor} from '../session.ts';
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
  if (step.at === 'invalid') {
    if (asking === 1) return {type: 'plan-asked-again', run: run.id, round: number, problems};
    return {
      type: 'planning-failed',
      run: run.id,
      why: {kind: 'invalid', problems, ...(words === undefined ? {} : {words})},
    };
  }

  if (step.at === 'thinking') {
    const limit = run.budget.attemptWallClock;
    const session = selectSession(state, step.session);
    const used = session === undefined ? 0 : workedFor(session, at);
    if (limit !== undefined && used >= limit)
      return {type: 'planning-failed', run: run.id, why: {kind: 'wall-clock', used, limit}};
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
  const isBaseLaidOut = selectWorktree(run, owner)?.commit === run.stage.ground.base;
  if (hasLiveSessionIn(state, owner) || !isBaseLaidOut) return undefined;
  if (state.project.plannerSetup === true && needsSetup(state, run, owner))
    return askSession(state, {for: 'worktree-setup', run: run.id, owner});
  return askSession(state, {for: 'plan', run: run.id, round: number, asking});
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
