import {selectSession} from '../select/find.ts';
import {hasBegunSince, isInteractive, isLive, type Session} from '../session.ts';
import {
  changeSession,
  type EventHandlers,
  formatOutOfOrder,
  isInvalidTransition,
  type TransitionResult,
} from './change.ts';
import type {EventOf} from '../event.ts';
import type {State} from '../state.ts';
import {openTurn} from './open-turn.ts';
import {endPlannerWait} from './planner.ts';
import {withoutWaiting} from './turn.ts';

type InputEvent = 'input-asked' | 'input-typed' | 'input-held' | 'input-uncertain' | 'secret-typed';

/** What is typed into a session. */
export const inputHandlers: EventHandlers<InputEvent> = {
  'input-asked': (state, event) =>
    changeSession(state, event.session, (asked) => {
      if (!isLive(asked)) return formatOutOfOrder(event, asked.life.at);
      if (event.input !== asked.inputs.length + 1)
        return `input ${event.input} is not the next one`;
      const {input: number, text, at, prompt, answers} = event;
      return {
        ...asked,
        inputs: [
          ...asked.inputs,
          {
            number,
            text,
            at,
            fate: 'pending',
            ...(prompt === undefined ? {} : {prompt}),
            ...(answers === undefined ? {} : {answers}),
          },
        ],
      };
    }),

  'input-typed': (state, event) => {
    const typed = setInputFate(state, event, 'typed');
    if (isInvalidTransition(typed)) return typed;
    const opened = changeSession(typed, event.session, (session) =>
      openTurnByInput(session, event.input, event.at),
    );
    if (isInvalidTransition(opened)) return opened;
    return isAnswered(opened, event) ? opened : endPlannerWait(opened, event.session);
  },

  'input-held': (state, event) =>
    changeSession(state, event.session, (held) => ({
      ...held,
      inputs: held.inputs.map((input) =>
        input.number === event.input ? {...input, heldSince: event.at} : input,
      ),
    })),

  'input-uncertain': (state, event) => setInputFate(state, event, 'uncertain'),

  'secret-typed': (state, {session: id, at}) =>
    changeSession(state, id, (answered) => withoutWaiting(answered, at)),
};

/**
 * A prompt that was accepted begins a turn, unless the agent has reported that one itself. After a
 * prompt of which nobody knows whether it arrived, so does what the person sends instead.
 */
function openTurnByInput(session: Session, number: number, at: number): Session {
  const {turn, inputs} = session;
  const input = inputs.find((one) => one.number === number);
  const prompt = inputs.findLast((one) => one.prompt !== undefined && one.number <= number);
  const isAwaited = prompt !== undefined && (prompt === input || prompt.fate === 'uncertain');
  return !isInteractive(session) || !isAwaited || hasBegunSince(turn, prompt.at)
    ? session
    : openTurn(session, at, prompt === input ? 'orchestra' : 'person');
}

/** The agent was faster than the report that its prompt was typed: that turn is over already. */
function isAnswered(state: State, {session, input: number}: EventOf<'input-typed'>): boolean {
  const {turn, inputs = []} = selectSession(state, session) ?? {};
  const input = inputs.find((one) => one.number === number);
  return input?.prompt !== undefined && turn?.at === 'ended' && hasBegunSince(turn, input.at);
}

function setInputFate(
  state: State,
  event: EventOf<'input-typed' | 'input-uncertain'>,
  fate: 'typed' | 'uncertain',
): TransitionResult<State> {
  return changeSession(state, event.session, (asked) => {
    if (!asked.inputs.some(({number}) => number === event.input))
      return `there is no input ${event.input} for ${event.session}`;
    const why = event.type === 'input-uncertain' && event.why !== undefined ? {why: event.why} : {};
    return {
      ...asked,
      inputs: asked.inputs.map((input) =>
        input.number === event.input ? {...input, fate, ...why} : input,
      ),
    };
  });
}
