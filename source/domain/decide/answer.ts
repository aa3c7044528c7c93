import type {Intent} from '../command.ts';
import type {EventBody} from '../event.ts';
import type {State} from '../state.ts';
import {runIdIn, toSessionId} from '../ids.ts';
import {selectWorker} from '../select/agents.ts';
import {busySessionsOfTask, liveSessionsOfTask, selectRun, selectTask} from '../select/find.ts';
import {hasCapacityForSession} from '../select/progress.ts';
import {isInteractive, type Purpose} from '../session.ts';
import type {Task} from '../task.ts';

/**
 * The direct result of one command: an event, a refusal, or nothing. What follows from it is added
 * by `conclude`.
 */
export type Answer = EventBody | Refusal | undefined;

export type Refusal = {readonly refused: string};

/** Handlers for commands of some types. */
export type CommandHandlers<Types extends Intent['type']> = {
  readonly [Type in Types]: (
    state: State,
    command: Extract<Intent, {readonly type: Type}>,
  ) => Answer;
};

export function refuse(sentence: string): Refusal {
  return {refused: sentence};
}

/**
 * A new session for a task, once there is capacity for it and the task's previous session has
 * ended. Checks and setup run beside an agent that waits for a prompt; those of a merge, in another
 * worktree, also beside one that works.
 */
export function askTaskSession(state: State, task: Task, purpose: Purpose): EventBody | undefined {
  const isBusy =
    purpose.for === 'check' || purpose.for === 'setup'
      ? busySessionsOfTask(state, task.id).some(
          (session) => purpose.on !== 'merge' || !isInteractive(session),
        )
      : isTaskBusy(state, task);
  return hasCapacityForSession(state) && !isBusy ? askSession(state, purpose) : undefined;
}

export function askSession(state: State, purpose: Purpose): EventBody {
  return {
    type: 'session-asked',
    session: toSessionId(state.sessions.size + 1),
    purpose,
    ...selectAgentToAsk(state, purpose),
  };
}

/** Named only where it is not the run's, so that other journals stay as they were. */
function selectAgentToAsk(state: State, purpose: Purpose): {readonly agent?: string} {
  if (purpose.for !== 'attempt' && purpose.for !== 'takeover') return {};
  const run = selectRun(state, runIdIn(purpose.task));
  const task = selectTask(state, purpose.task);
  if (run === undefined || task === undefined) return {};
  const {agent, isOwnOfRun} = selectWorker(state, run, task);
  return isOwnOfRun ? {} : {agent};
}

export function isTaskBusy(state: State, task: Task): boolean {
  return liveSessionsOfTask(state, task.id).length > 0;
}
