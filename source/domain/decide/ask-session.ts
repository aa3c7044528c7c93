import type {Happening} from '../event.ts';
import {sessionIdOf} from '../ids.ts';
import {liveSessionsOfTask} from '../select/find.ts';
import {hasRoomForSession} from '../select/progress.ts';
import type {Purpose} from '../session.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';

/** A new process for a task, once there is room and its old one is gone. */
export function askTaskSession(state: State, task: Task, purpose: Purpose): Happening | undefined {
  return hasRoomForSession(state) && !isBusy(state, task) ? askSession(state, purpose) : undefined;
}

export function askSession(state: State, purpose: Purpose): Happening {
  return {type: 'session-asked', session: sessionIdOf(state.sessions.size + 1), purpose};
}

export function isBusy(state: State, task: Task): boolean {
  return liveSessionsOfTask(state, task.id).length > 0;
}
