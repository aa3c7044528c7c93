import {withLedgerEntry, without} from '../../shared/index.ts';
import type {EventOf} from '../event.ts';
import {type SessionId, toIdNumber} from '../ids.ts';
import {runIdOfSession, selectSession} from '../select/find.ts';
import {isLive, noUsage, type Session} from '../session.ts';
import type {State} from '../state.ts';
import {assignSession} from './assign-session.ts';
import {
  changeAttempt,
  changeRun,
  changeSession,
  type EventHandlers,
  formatOutOfOrder,
  isInvalidTransition,
  type TransitionResult,
} from './change.ts';

type SessionEvent =
  | 'session-asked'
  | 'session-created'
  | 'session-running'
  | 'session-exited'
  | 'session-lost'
  | 'session-stop-asked'
  | 'session-unstoppable'
  | 'session-waiting'
  | 'session-moved-on'
  | 'input-asked'
  | 'input-typed'
  | 'input-uncertain'
  | 'secret-typed'
  | 'usage-counted'
  | 'conversation-known'
  | 'conversation-lost'
  | 'retry-noticed'
  | 'retry-ended'
  | 'loop-noticed'
  | 'loop-seen'
  | 'tool-called'
  | 'network-refused'
  | 'question-asked'
  | 'question-answered';

export const sessionHandlers: EventHandlers<SessionEvent> = {
  'session-asked': (state, event) => {
    const {session: id, purpose, agent} = event;
    if (toIdNumber(id) !== state.sessions.size + 1) return `${id} is not the next session`;
    const asked: Session = {
      id,
      purpose,
      ...(agent === undefined ? {} : {agent}),
      life: {at: 'asked'},
      inputs: [],
      usage: noUsage,
    };
    const opened = {
      ...state,
      sessions: withLedgerEntry(state.sessions, toIdNumber(id), asked),
      live: [...state.live, id],
    };
    const run = runIdOfSession(asked);
    const listed =
      run === undefined
        ? opened
        : changeRun(opened, run, (owner) => ({...owner, sessions: [...owner.sessions, id]}));
    return isInvalidTransition(listed) ? listed : assignSession(listed, event);
  },

  'session-created': (state, event) =>
    changeSession(state, event.session, (created) =>
      created.life.at === 'asked'
        ? {...created, life: {at: 'created'}}
        : formatOutOfOrder(event, created.life.at),
    ),

  'session-running': (state, event) =>
    changeSession(state, event.session, (running) =>
      running.life.at === 'created'
        ? {...running, life: {at: 'running', since: event.at}}
        : formatOutOfOrder(event, running.life.at),
    ),

  'session-exited': (state, event) =>
    endSession(state, event, {
      at: 'exited',
      when: event.at,
      code: event.code,
      signal: event.signal,
    }),

  'session-lost': (state, event) =>
    endSession(state, event, {at: 'lost', when: event.at, why: event.why}),

  'session-stop-asked': (state, event) =>
    changeSession(state, event.session, (stopped) =>
      isLive(stopped)
        ? {...stopped, stop: {at: event.at}}
        : formatOutOfOrder(event, stopped.life.at),
    ),

  'session-unstoppable': (state, event) =>
    changeSession(state, event.session, (going) =>
      isLive(going)
        ? {...going, unstoppable: {words: event.words, at: event.at}}
        : formatOutOfOrder(event, going.life.at),
    ),

  'session-waiting': (state, event) =>
    changeSession(state, event.session, (waiting) => {
      const {proof, secret, question, source, options, keys, readsKeys, idle, at} = event;
      const more = {
        ...(source === undefined ? {} : {source}),
        ...(options === undefined ? {} : {options}),
        ...(keys === undefined ? {} : {keys}),
        ...(readsKeys === undefined ? {} : {readsKeys}),
        ...(idle === undefined ? {} : {idle}),
      };
      return isLive(waiting)
        ? {...withoutWaiting(waiting, at), waiting: {proof, secret, question, ...more, since: at}}
        : formatOutOfOrder(event, waiting.life.at);
    }),

  'session-moved-on': (state, event) =>
    changeSession(state, event.session, (moved) => withoutWaiting(moved, event.at)),

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

  'input-typed': (state, event) => setInputFate(state, event, 'typed'),

  'input-uncertain': (state, event) => setInputFate(state, event, 'uncertain'),

  'secret-typed': (state, {session: id, at}) =>
    changeSession(state, id, (answered) => withoutWaiting(answered, at)),

  'usage-counted': (state, {session: id, usage}) =>
    changeSession(state, id, (counted) => ({...counted, usage})),

  'retry-noticed': (state, event) =>
    changeSession(state, event.session, (trying) => {
      const {since, times, words, status} = event;
      return isLive(trying)
        ? {...trying, retrying: {since, times, words, ...(status === undefined ? {} : {status})}}
        : formatOutOfOrder(event, trying.life.at);
    }),

  'retry-ended': (state, {session: id}) =>
    changeSession(state, id, (served) => without(served, 'retrying')),

  'loop-noticed': (state, event) =>
    changeSession(state, event.session, (looping) => {
      if (!isLive(looping)) return formatOutOfOrder(event, looping.life.at);
      const {number, kind, key, evidence, times, since, at} = event;
      const before = looping.loops ?? [];
      return number === before.length + 1
        ? {...looping, loops: [...before, {number, kind, key, evidence, times, since, at}]}
        : `loop ${number} is not the next one`;
    }),

  'loop-seen': (state, event) =>
    changeSession(state, event.session, (looping) => {
      const open = looping.loops?.find(
        ({number, isSeen}) => number === event.number && isSeen !== true,
      );
      return open === undefined
        ? `there is no open loop ${event.number} of ${event.session}`
        : {
            ...looping,
            loops: (looping.loops ?? []).map((loop) =>
              loop === open ? {...open, isSeen: true as const} : loop,
            ),
          };
    }),

  'conversation-known': (state, {session: id, conversation}) =>
    changeSession(state, id, (known) => ({...known, conversation})),

  'conversation-lost': (state, event) => {
    const marked = changeSession(state, event.session, (loser) => ({
      ...loser,
      lostConversation: true,
    }));
    const purpose = isInvalidTransition(marked)
      ? undefined
      : selectSession(marked, event.session)?.purpose;
    if (isInvalidTransition(marked) || (purpose?.for !== 'attempt' && purpose?.for !== 'plan'))
      return marked;
    if (purpose.for === 'plan') {
      return changeRun(marked, purpose.run, (run) => {
        const round = run.rounds.at(-1);
        if (
          round?.number !== purpose.round ||
          round.step.at !== 'thinking' ||
          round.step.session !== event.session
        )
          return formatOutOfOrder(event, round?.step.at ?? run.stage.at);
        return {...run, rounds: [...run.rounds.slice(0, -1), {...round, step: {at: 'preparing'}}]};
      });
    }

    return changeAttempt(marked, purpose.task, purpose.attempt, (attempt, task) =>
      task.stage.at === 'attempting' &&
      attempt.step.at === 'working' &&
      attempt.step.session === event.session
        ? {...attempt, step: {at: 'ready'}}
        : formatOutOfOrder(event, attempt.step.at),
    );
  },

  'tool-called': (state, {session: id}) => changeSession(state, id, (caller) => caller),

  'network-refused': (state, {session: id, host, port}) =>
    changeSession(state, id, (asking) => ({
      ...asking,
      networkRefused: [...(asking.networkRefused ?? []), {host, port}],
    })),

  'question-asked': (state, event) =>
    changeSession(state, event.session, (asking) => {
      if (!isLive(asking)) return formatOutOfOrder(event, asking.life.at);
      const {number, question, options, at} = event;
      const before = asking.questions ?? [];
      if (number !== before.length + 1) return `question ${number} is not the next one`;
      return {
        ...asking,
        questions: [...before, {number, question, at, ...(options === undefined ? {} : {options})}],
      };
    }),

  'question-answered': (state, event) =>
    changeSession(state, event.session, (asking) => {
      const {number, text, at} = event;
      const open = asking.questions?.find(
        (question) => question.number === number && question.answer === undefined,
      );
      if (!isLive(asking) || open === undefined)
        return `there is no open question ${number} of ${event.session}`;
      return {
        ...asking,
        questions: (asking.questions ?? []).map((question) =>
          question === open ? {...open, answer: {text, at}} : question,
        ),
      };
    }),
};

/** Clears `waiting`, and adds the time to the total. */
function withoutWaiting(moved: Session, at: number): Session {
  const {waiting, waited = 0} = moved;
  return waiting === undefined
    ? moved
    : {...without(moved, 'waiting'), waited: waited + at - waiting.since};
}

/** The process has ended: it no longer waits, and pending input becomes uncertain. */
function endSession(
  state: State,
  event: EventOf<'session-exited' | 'session-lost'>,
  life: Extract<Session['life'], {readonly at: 'exited' | 'lost'}>,
): TransitionResult<State> {
  const ended = changeSession(state, event.session, (dead) => {
    if (!isLive(dead)) return formatOutOfOrder(event, dead.life.at);
    const inputs = dead.inputs.map((input) =>
      input.fate === 'pending' ? {...input, fate: 'uncertain' as const} : input,
    );
    return {
      ...without(without(withoutWaiting(dead, event.at), 'unstoppable'), 'retrying'),
      life: dead.life.at === 'running' ? {...life, since: dead.life.since} : life,
      inputs,
    };
  });
  return isInvalidTransition(ended)
    ? ended
    : {...ended, live: ended.live.filter((id: SessionId) => id !== event.session)};
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
