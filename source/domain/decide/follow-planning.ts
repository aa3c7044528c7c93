import type {Happening} from '../event.ts';
import type {Run} from '../run.ts';
import type {SessionId} from '../ids.ts';
import {liveSessionsOf, sessionOf, worktreeOf, worktreeOwnerOf} from '../select/find.ts';
import {isCutShort} from '../select/session-end.ts';
import {needsSetup, setupEndOf} from '../select/setup.ts';
import {workedFor} from '../session.ts';
import {interruptionLimit, type State} from '../state.ts';
import {askSession} from './ask-session.ts';
import {stopForLoop} from './watch-agent.ts';

/** From a surveyed repository, or a rejected plan, to a plan or to an explanation why there is none. */
export function followPlanning(state: State, run: Run, at: number): Happening | undefined {
  if (run.stage.at !== 'planning') return undefined;
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
    const session = sessionOf(state, step.session);
    const used = session === undefined ? 0 : workedFor(session, at);
    if (limit !== undefined && used >= limit)
      return {type: 'planning-failed', run: run.id, why: {kind: 'wall-clock', used, limit}};
    const loop = session === undefined ? undefined : stopForLoop(state, session);
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
  if (step.setup !== undefined) return followPlannerSetup(state, run, number, step.setup, at);
  const isBusy = liveSessionsOf(state).some((session) => worktreeOwnerOf(session) === owner);
  if (isBusy || worktreeOf(run, owner)?.commit !== run.stage.ground.base) return undefined;
  if (state.project.plannerSetup === true && needsSetup(state, run, owner))
    return askSession(state, {for: 'worktree-setup', run: run.id, owner});
  return askSession(state, {for: 'plan', run: run.id, round: number, asking});
}

/** Where the project wants the planner's worktree set up as well: a planner that cannot run what it reads about plans worse. */
function followPlannerSetup(
  state: State,
  run: Run,
  round: number,
  session: SessionId,
  at: number,
): Happening | undefined {
  const end = setupEndOf(state, run, session, at);
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
          words: `setup ended with ${end.code ?? 'no status'} in the planner's worktree (${session})`,
        },
      };
  }
}
