import {without} from '../../shared/index.ts';
import type {EventOf} from '../event.ts';
import type {SessionId} from '../ids.ts';
import type {State} from '../state.ts';
import type {Task, TaskMessage} from '../task.ts';
import {changeTask, type EventHandlers, formatOutOfOrder, type TransitionResult} from './change.ts';

type MessageEvent = 'message-asked' | 'message-delivered' | 'message-queued' | 'message-failed';

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

  'message-delivered': (state, event) =>
    changeMessage(state, event, (message) => ({
      ...without(message, 'why'),
      fate: 'delivered',
      session: event.session,
      how: event.how,
    })),

  'message-queued': (state, event) =>
    changeMessage(state, event, (message) =>
      message.fate === 'pending'
        ? {...without(message, 'session'), fate: 'queued', why: event.why}
        : formatOutOfOrder(event, message.fate),
    ),

  'message-failed': (state, event) =>
    changeMessage(state, event, (message) => ({...message, fate: 'failed', why: event.why})),
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
  event: EventOf<'message-delivered' | 'message-queued' | 'message-failed'>,
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
