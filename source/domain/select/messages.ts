import type {SessionId} from '../ids.ts';
import type {Run} from '../run.ts';
import {isInteractive, isLive, type Session} from '../session.ts';
import type {State} from '../state.ts';
import type {Task, TaskMessage} from '../task.ts';
import {
  selectAttempt,
  selectInteractiveWorker,
  selectSession,
  selectTask,
  taskIdOfSession,
} from './find.ts';
import {isTaskActive} from './progress.ts';

/** The live session of the agent that works on the task now, if one does and goes on. */
export function selectWorkerSession(state: State, run: Run, task: Task): Session | undefined {
  if (!isTaskActive(run, task)) return undefined;
  const id = selectWorkerId(state, task);
  const session = id === undefined ? undefined : selectSession(state, id);
  return session !== undefined && isLive(session) && session.stop === undefined
    ? session
    : undefined;
}

/** An agent in its own interface works again when it is written to while its work is checked. */
function selectWorkerId(state: State, task: Task): SessionId | undefined {
  const {stage} = task;
  if (stage.at === 'taken-over') return stage.session;
  const step = stage.at === 'attempting' ? selectAttempt(task)?.step : undefined;
  if (step?.at === 'working') return step.session;
  return step?.at === 'capturing' || step?.at === 'judging' || step?.at === 'checking'
    ? selectInteractiveWorker(state, task.id)?.id
    : undefined;
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
  return messages.filter(({fate, session}) => session === id && fate === 'queued');
}

/**
 * Whether the agent has got the prompt of the session. In its own interface that is when the turn of
 * the prompt has begun.
 */
export function hasGotPrompt(session: Session): boolean {
  const {life, turn, earlier} = session;
  if (isInteractive(session)) return (turn?.number ?? 0) > (earlier?.turns ?? 0);
  return (
    life.at === 'running' ||
    ((life.at === 'exited' || life.at === 'lost') && life.since !== undefined)
  );
}

/** The messages that are being delivered to the session. */
export function selectMessagesUnderway(state: State, session: Session): readonly TaskMessage[] {
  const id = taskIdOfSession(session);
  const task = id === undefined ? undefined : selectTask(state, id);
  return (task?.messages ?? []).filter(
    (message) => message.fate === 'pending' && message.session === session.id,
  );
}
