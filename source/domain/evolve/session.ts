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
import {withoutWaiting} from './turn.ts';

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
        ? withOpenPrompt({...running, life: {at: 'running', since: event.at}}, event.at)
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
        // The plan that the person reads does not depend on the conversation.
        if (run.stage.at === 'reviewing') return run;
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

/** An agent that resumes its conversation for a person starts at its prompt. */
function withOpenPrompt(session: Session, at: number): Session {
  const {purpose} = session;
  return purpose.for === 'plan' && purpose.waits === true
    ? {...session, turn: {number: 0, at: 'ended', since: at}}
    : session;
}
