import type {Happening} from '../event.ts';
import type {Run} from '../run.ts';
import {liveSessionsOf, sessionOf, worktreeOf} from '../select/find.ts';
import {isCutShort} from '../select/session-end.ts';
import {workedFor} from '../session.ts';
import {interruptionLimit, type State} from '../state.ts';
import {askSession} from './ask-session.ts';

/** From a surveyed repository, or a rejected plan, to a plan or to an explanation why there is none. */
export function followPlanning(state: State, run: Run, at: number): Happening | undefined {
  if (run.stage.at !== 'planning') return undefined;
  const round = run.rounds.at(-1);
  if (round === undefined || round.step.at === 'over') {
    const because = run.stage.because === undefined ? {} : {because: run.stage.because};
    return {type: 'planning-started', run: run.id, round: run.rounds.length + 1, ...because, ...(run.stage.isAnew === undefined ? {} : {anew: true})};
  }

  const {number, asking, step, problems, words, interruptions} = round;
  if (step.at === 'invalid') {
    if (asking === 1) return {type: 'plan-asked-again', run: run.id, round: number, problems};
    return {type: 'planning-failed', run: run.id, why: {kind: 'invalid', problems, ...(words === undefined ? {} : {words})}};
  }

  if (step.at === 'thinking') {
    const limit = run.budget.attemptWallClock;
    const session = sessionOf(state, step.session);
    const used = session === undefined ? 0 : workedFor(session, at);
    if (limit !== undefined && used >= limit) return {type: 'planning-failed', run: run.id, why: {kind: 'wall-clock', used, limit}};
    return isCutShort(state, step.session) ? {type: 'planning-interrupted', run: run.id, round: number} : undefined;
  }

  if (interruptions >= interruptionLimit) return {type: 'planning-failed', run: run.id, why: {kind: 'interrupted', times: interruptions}};
  const isBusy = liveSessionsOf(state).some(({purpose}) => purpose.for === 'plan' && purpose.run === run.id);
  if (isBusy || worktreeOf(run, `${run.id}.plan`)?.commit !== run.stage.ground.base) return undefined;
  return askSession(state, {for: 'plan', run: run.id, round: number, asking});
}
