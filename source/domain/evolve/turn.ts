import {isBetweenTurns, isLive, type Session, type Turn, workedFor} from '../session.ts';
import {without} from '../../shared/index.ts';
import {
  changeAttempt,
  changeSession,
  changeTask,
  type EventHandlers,
  formatOutOfOrder,
  isInvalidTransition,
  type TransitionResult,
} from './change.ts';
import {putIntoPrompt} from './message.ts';
import {openTurn} from './open-turn.ts';
import {endPlannerWait} from './planner.ts';

type TurnEvent = 'turn-began' | 'turn-ended' | 'done-reported' | 'session-continued';

/** The turns of an agent in its own interface. */
export const turnHandlers: EventHandlers<TurnEvent> = {
  'turn-began': (state, event) =>
    endPlannerWait(
      changeSession(state, event.session, (session) => {
        if (!isLive(session) || session.turn?.at === 'open')
          return formatOutOfOrder(event, session.turn?.at ?? session.life.at);
        return withSignals(openTurn(session, event.at, event.by), event.signals);
      }),
      event.session,
    ),

  'turn-ended': (state, event) =>
    changeSession(state, event.session, (session) => {
      const {source, words, error, done, at} = event;
      if (session.turn?.at !== 'open')
        return formatOutOfOrder(event, session.turn?.at ?? session.life.at);
      const turn: Turn = {
        number: session.turn.number,
        at: 'ended',
        since: at,
        source,
        ...(session.turn.by === undefined ? {} : {by: session.turn.by}),
        ...(session.turn.isDone === true || done === true ? {isDone: true} : {}),
        ...(words === undefined ? {} : {words}),
        ...(error === undefined ? {} : {error}),
      };
      return withSignals({...withoutWaiting(session, at), turn}, event.signals);
    }),

  'done-reported': (state, event) =>
    changeSession(state, event.session, (session) =>
      session.turn?.at === 'open'
        ? {...session, turn: {...session.turn, isDone: true}}
        : formatOutOfOrder(event, session.turn?.at ?? session.life.at),
    ),

  'session-continued': (state, event) => {
    const {task, attempt: number, session: id, at} = event;
    const assigned = changeAttempt(state, task, number, (attempt) =>
      attempt.step.at === 'ready'
        ? {...attempt, step: {at: 'working', session: id}}
        : formatOutOfOrder(event, attempt.step.at),
    );
    const continued = isInvalidTransition(assigned)
      ? assigned
      : changeSession(assigned, id, (session) => continueSession(session, number, at));
    return isInvalidTransition(continued)
      ? continued
      : changeTask(continued, task, (owner) => putIntoPrompt(owner, id));
  },
};

function withSignals(session: Session, signals: number | undefined): Session {
  return signals === undefined ? session : {...session, signals};
}

/** The session works on another attempt of its task; what it did so far counts for the earlier one. */
function continueSession(session: Session, attempt: number, at: number): TransitionResult<Session> {
  const {purpose, earlier, usage, turn, inputs} = session;
  if (purpose.for !== 'attempt' || !isBetweenTurns(session) || !isLive(session))
    return `${session.id} cannot continue with attempt ${attempt}`;
  return {
    ...session,
    purpose: {...purpose, attempt},
    earlier: {
      worked: (earlier?.worked ?? 0) + workedFor(session, at),
      turns: turn?.number ?? 0,
      inputs: inputs.length,
      usage: [...(earlier?.usage ?? []), {attempt: purpose.attempt, usage}],
    },
  };
}

/** Clears `waiting`, and adds the time to the total. */
export function withoutWaiting(moved: Session, at: number): Session {
  const {waiting, waited = 0} = moved;
  return waiting === undefined
    ? moved
    : {...without(moved, 'waiting'), waited: waited + at - waiting.since};
}
