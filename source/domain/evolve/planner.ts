import {without} from '../../shared/index.ts';
import type {PlannerTurn} from '../events/run.ts';
import type {SessionId} from '../ids.ts';
import type {PlanRound, Run} from '../run.ts';
import {runIdOfSession, selectRun, selectSession} from '../select/find.ts';
import {isBetweenTurns, isLive, type Session, workedFor} from '../session.ts';
import type {State} from '../state.ts';
import {
  changeRun,
  changeSession,
  type EventHandlers,
  formatOutOfOrder,
  isInvalidTransition,
  type TransitionResult,
} from './change.ts';

/** Planners in their own interface: one session plans several rounds and talks to the person. */
export const plannerHandlers: EventHandlers<'planner-waiting' | 'planner-continued'> = {
  'planner-waiting': (state, event) => {
    const {session} = event.from;
    const waiting = changeRun(state, event.run, (run) => {
      const round = run.rounds.at(-1);
      if (round?.number !== event.round) return `round ${event.round} is not the current one`;
      if (run.stage.at === 'reviewing') return run;
      const {step} = round;
      const isIts = step.at === 'invalid' || (step.at === 'thinking' && step.session === session);
      return run.stage.at === 'planning' && isIts
        ? withRound(run, {...round, waitsSince: event.at, step: {at: 'thinking', session}})
        : formatOutOfOrder(event, step.at);
    });
    return readPlannerTurn(waiting, event.from);
  },

  'planner-continued': (state, event) => {
    const {run: id, round: number, asking, session, at} = event;
    const assigned = changeRun(state, id, (run) => {
      const round = run.rounds.at(-1);
      return run.stage.at === 'planning' &&
        round?.number === number &&
        round.asking === asking &&
        round.step.at === 'preparing'
        ? withRound(run, {...without(round, 'waitsSince'), step: {at: 'thinking', session}})
        : formatOutOfOrder(event, round?.step.at ?? run.stage.at);
    });
    return isInvalidTransition(assigned)
      ? assigned
      : changeSession(assigned, session, (planner) =>
          continuePlanner(planner, {round: number, asking}, at),
        );
  },
};

/** What it did so far counts for the earlier rounds. */
function continuePlanner(
  session: Session,
  next: {readonly round: number; readonly asking: 1 | 2},
  at: number,
): TransitionResult<Session> {
  const {purpose, earlier, turn, inputs} = session;
  if (purpose.for !== 'plan' || !isBetweenTurns(session) || !isLive(session))
    return `${session.id} cannot continue with round ${next.round}`;
  return {
    ...session,
    purpose: {...without(purpose, 'waits'), ...next},
    earlier: {
      worked: (earlier?.worked ?? 0) + workedFor(session, at),
      turns: turn?.number ?? 0,
      inputs: inputs.length,
      usage: [],
    },
  };
}

/** Notes which turn of the planner was read; without `from`, its session has ended. */
export function readPlannerTurn(
  state: TransitionResult<State>,
  from: PlannerTurn | undefined,
): TransitionResult<State> {
  return isInvalidTransition(state) || from === undefined
    ? state
    : changeSession(state, from.session, (planner) => ({
        ...planner,
        readTurn: from.turn,
        ...(from.handIns === undefined ? {} : {handIns: from.handIns}),
      }));
}

/** The person or orchestra wrote to the planner, so it no longer waits. */
export function endPlannerWait(
  state: TransitionResult<State>,
  id: SessionId,
): TransitionResult<State> {
  const session = isInvalidTransition(state) ? undefined : selectSession(state, id);
  const runId = session?.purpose.for === 'plan' ? runIdOfSession(session) : undefined;
  if (isInvalidTransition(state) || runId === undefined) return state;
  return selectRun(state, runId)?.rounds.at(-1)?.waitsSince === undefined
    ? state
    : changeRun(state, runId, (run) => {
        const round = run.rounds.at(-1);
        return round === undefined ? run : withRound(run, without(round, 'waitsSince'));
      });
}

function withRound(run: Run, round: PlanRound): Run {
  return {...run, rounds: [...run.rounds.slice(0, -1), round]};
}
