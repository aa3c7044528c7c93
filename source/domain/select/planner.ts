import type {PlanRound, Run} from '../run.ts';
import {isInteractive, isLive, type Session} from '../session.ts';
import type {State} from '../state.ts';
import {selectSession, selectWorktree} from './find.ts';
import {findLastConversation} from './sessions.ts';

/** The run's planners in their own interface, in order, since the last new conversation. */
function selectPlanners(state: State, run: Run): Session[] {
  const first = run.rounds.findLast(({isAnew}) => isAnew === true)?.number ?? 1;
  return run.sessions
    .flatMap((id) => selectSession(state, id) ?? [])
    .filter(
      (session) =>
        session.purpose.for === 'plan' && session.purpose.round >= first && isInteractive(session),
    );
}

/** The last planner of the run in its own interface, also one that has ended. */
export function selectLastPlanner(state: State, run: Run): Session | undefined {
  return selectPlanners(state, run).at(-1);
}

/** The planner in its own interface that is open and stays so. */
export function selectOpenPlanner(state: State, run: Run): Session | undefined {
  const last = selectLastPlanner(state, run);
  return last !== undefined && isLive(last) && last.stop === undefined ? last : undefined;
}

/** A planner in its own interface continues with the next round, unless its base has moved. */
export function canContinuePlanner(run: Run): boolean {
  return (
    run.stage.at === 'planning' &&
    selectWorktree(run, `${run.id}.plan`)?.commit === run.stage.ground.base
  );
}

/** No plan was approved yet, so the person may still discuss it with the planner. */
export function isPlanOpen({stage, tasks}: Run): boolean {
  return stage.at === 'planning' || (stage.at === 'reviewing' && tasks.length === 0);
}

/** The turn of a planner in its own interface that has ended and was not read for a plan. */
export function selectUnreadTurn(session: Session): number | undefined {
  const {turn, earlier, readTurn = 0} = session;
  const read = Math.max(readTurn, earlier?.turns ?? 0);
  return isInteractive(session) && turn?.at === 'ended' && turn.number > read
    ? turn.number
    : undefined;
}

/** Since when the planner waits for the person's answer, and in which session. */
export function selectWaitingPlanner(
  state: State,
  {stage, rounds}: Run,
): {readonly session: Session; readonly since: number} | undefined {
  const round = rounds.at(-1);
  if (stage.at !== 'planning' || round?.waitsSince === undefined || round.step.at !== 'thinking')
    return undefined;
  const session = selectSession(state, round.step.session);
  return session === undefined || !isLive(session) ? undefined : {session, since: round.waitsSince};
}

/** The conversation that a planner in its own interface can resume for the person. */
export function hasPlannerConversation(state: State, run: Run): boolean {
  return findLastConversation(selectPlanners(state, run)) !== undefined;
}

/**
 * Whether the planner was cut short while the person reads its plan, and is opened again for them.
 * One that ended by itself stays closed; so does one that was cut short too often.
 */
export function isPlannerDue(state: State, run: Run, limit: number): boolean {
  const last = selectLastPlanner(state, run);
  if (last === undefined || isLive(last) || last.stop !== undefined || !isPlanOpen(run))
    return false;
  const round = run.rounds.at(-1)?.number;
  const fallen = selectPlanners(state, run).filter(
    (session) => isPlannerOf(session, round) && isCut(session),
  );
  return isCut(last) && fallen.length < limit && hasPlannerConversation(state, run);
}

function isPlannerOf({purpose}: Session, round: PlanRound['number'] | undefined): boolean {
  return purpose.for === 'plan' && purpose.round === round;
}

/** It did not end by itself with success. A sandbox passes a signal on as an exit code. */
function isCut({life}: Session): boolean {
  return life.at === 'lost' || (life.at === 'exited' && life.code !== 0);
}
