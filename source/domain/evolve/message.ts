import {without} from '../../shared/index.ts';
import type {EventOf} from '../event.ts';
import type {SessionId} from '../ids.ts';
import type {State} from '../state.ts';
import type {Task, TaskMessage} from '../task.ts';
import {
  changeSession,
  changeTask,
  type EventHandlers,
  formatOutOfOrder,
  isInvalidTransition,
  type TransitionResult,
} from './change.ts';
import {openTurn} from './open-turn.ts';

type MessageEvent =
  'message-asked' | 'message-delivered' | 'message-held' | 'message-queued' | 'message-failed';

export const messageHandlers: EventHandlers<MessageEvent> = {
  'message-asked': (state, event) =>
    changeTask(state, event.task, (task) => {
      const {number, text, session, at} = event;
      const before = task.messages ?? [];
      if (number !== before.length + 1) return `message ${number} is not the next one`;
      const message: TaskMessage =
        session === undefined
          ? {number, text, at, fate: 'queued'}
          : {number, text, at, fate: 'pending', session};
      return {...task, messages: [...before, message]};
    }),

  'message-delivered': (state, event) => {
    const delivered = changeMessage(state, event, (message) => ({
      ...without(message, 'why', 'held'),
      fate: 'delivered',
      session: event.session,
      how: event.how,
    }));
    return isInvalidTransition(delivered) || event.turn === undefined
      ? delivered
      : changeSession(delivered, event.session, (session) =>
          session.turn?.at === 'ended' && session.turn.number === event.turn
            ? openTurn(session, event.at, 'person')
            : session,
        );
  },

  'message-held': (state, event) =>
    changeMessage(state, event, (message) =>
      message.fate === 'pending'
        ? {...message, held: {why: event.why, since: event.at}}
        : formatOutOfOrder(event, message.fate),
    ),

  'message-queued': (state, event) =>
    changeMessage(state, event, (message) =>
      message.fate === 'pending'
        ? {...without(message, 'session', 'held'), fate: 'queued', why: event.why}
        : formatOutOfOrder(event, message.fate),
    ),

  'message-failed': (state, event) =>
    changeMessage(state, event, (message) => ({
      ...without(message, 'held'),
      fate: 'failed',
      why: event.why,
    })),
};

/** The prompt of the session has every message that is queued when the session is asked for. */
export function putIntoPrompt(task: Task, session: SessionId): Task {
  return task.messages?.some(({fate}) => fate === 'queued') === true
    ? {
        ...task,
        messages: task.messages.map((message) =>
          message.fate === 'queued' ? {...message, session} : message,
        ),
      }
    : task;
}

function changeMessage(
  state: State,
  event: EventOf<'message-delivered' | 'message-held' | 'message-queued' | 'message-failed'>,
  change: (message: TaskMessage) => TransitionResult<TaskMessage>,
): TransitionResult<State> {
  return changeTask(state, event.task, (task) => {
    const open = task.messages?.find(({number}) => number === event.number);
    if (open === undefined) return `there is no message ${event.number} to ${task.id}`;
    if (open.fate === 'delivered' || open.fate === 'failed')
      return formatOutOfOrder(event, open.fate);
    const changed = change(open);
    return typeof changed === 'string'
      ? changed
      : {
          ...task,
          messages: (task.messages ?? []).map((message) => (message === open ? changed : message)),
        };
  });
}
