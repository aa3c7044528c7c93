import type {SessionId} from '../ids.ts';
import type {Run} from '../run.ts';
import {isLive, type Session} from '../session.ts';
import type {State} from '../state.ts';
import type {Task, TaskMessage} from '../task.ts';
import {selectAttempt, selectSession} from './find.ts';
import {isTaskActive} from './progress.ts';

/** The live session of the agent that works on the task now, if one does and goes on. */
export function selectWorkerSession(state: State, run: Run, task: Task): Session | undefined {
  if (!isTaskActive(run, task)) return undefined;
  const id = selectWorkerId(task);
  const session = id === undefined ? undefined : selectSession(state, id);
  return session !== undefined && isLive(session) && session.stop === undefined
    ? session
    : undefined;
}

function selectWorkerId(task: Task): SessionId | undefined {
  const {stage} = task;
  if (stage.at === 'taken-over') return stage.session;
  const step = stage.at === 'attempting' ? selectAttempt(task)?.step : undefined;
  return step?.at === 'working' ? step.session : undefined;
}

/** The fate of every message to an earlier session is found out before the next prompt. */
export function hasUnsettledMessage({messages = []}: Task): boolean {
  return messages.some(({fate}) => fate === 'pending');
}

/** The messages that a prompt of the session has. */
export function selectPromptMessages(
  {messages = []}: Pick<Task, 'messages'>,
  {id}: Pick<Session, 'id'>,
): readonly TaskMessage[] {
  return messages.filter(
    ({fate, session, how}) =>
      session === id && (fate === 'queued' || (fate === 'delivered' && how === 'prompt')),
  );
}
