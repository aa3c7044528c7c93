import {memoizeByObject} from '../../shared/index.ts';
import type {TaskId} from '../ids.ts';
import type {Need} from '../need.ts';
import type {Session} from '../session.ts';
import type {State} from '../state.ts';
import {selectRuns, selectSession, taskIdOfSession} from './find.ts';
import {selectNeeds} from './needs.ts';

/** Every session of a task, in the order in which they were asked for. */
export function selectTaskSessions(state: State, task: TaskId): readonly Session[] {
  return sessionsByTask(state).get(task) ?? [];
}

const sessionsByTask = memoizeByObject((state: State) => {
  const found = new Map<TaskId, Session[]>();
  for (const run of selectRuns(state))
    for (const id of run.sessions) {
      const session = selectSession(state, id);
      const task = session === undefined ? undefined : taskIdOfSession(session);
      if (session === undefined || task === undefined) continue;
      const own = found.get(task);
      if (own === undefined) found.set(task, [session]);
      else own.push(session);
    }

  return found;
});

export type QuestionNeed = Extract<Need, {readonly kind: 'question'}>;

/** The oldest open question of the task's sessions. */
export function selectTaskQuestion(state: State, task: TaskId): QuestionNeed | undefined {
  return questionsByTask(state).get(task);
}

const questionsByTask = memoizeByObject((state: State) => {
  const found = new Map<TaskId, QuestionNeed>();
  for (const need of memoizedNeeds(state)) {
    if (need.kind !== 'question') continue;
    const session = selectSession(state, need.session);
    const task = session === undefined ? undefined : taskIdOfSession(session);
    if (task !== undefined && !found.has(task)) found.set(task, need);
  }

  return found;
});

/** `selectNeeds`, computed once for a state: several parts of one screen show them. */
export const memoizedNeeds: (state: State) => readonly Need[] = memoizeByObject(selectNeeds);
