import {withEntry} from '../../base/index.ts';
import type {Event, EventOf, EventType} from '../event.ts';
import {countOf, runIdIn, type RunId, type SessionId, type TaskId} from '../ids.ts';
import type {Run} from '../run.ts';
import {attemptOf, runOf, serviceOf, sessionOf} from '../select/find.ts';
import type {Service} from '../service.ts';
import type {Session} from '../session.ts';
import type {State} from '../state.ts';
import type {Attempt, Task} from '../task.ts';

/** A new value, or the reason why the event does not fit what is known. */
export type Fit<T> = T | string;

export type Handlers<Types extends EventType> = {
  readonly [Type in Types]: (state: State, event: EventOf<Type>) => Fit<State>;
};

export function isMisfit<T>(fit: Fit<T>): fit is string {
  return typeof fit === 'string';
}

export function changeRun(state: State, id: RunId, change: (run: Run) => Fit<Run>): Fit<State> {
  const run = runOf(state, id);
  if (run === undefined) return `there is no run ${id}`;
  const changed = change(run);
  return isMisfit(changed)
    ? changed
    : {...state, runs: withEntry(state.runs, countOf(id), changed)};
}

export function changeTask(
  state: State,
  id: TaskId,
  change: (task: Task, run: Run) => Fit<Task>,
): Fit<State> {
  return changeRun(state, runIdIn(id), (run) => {
    const task = run.tasks.find((candidate) => candidate.id === id);
    if (task === undefined) return `there is no task ${id}`;
    const changed = change(task, run);
    return isMisfit(changed)
      ? changed
      : {...run, tasks: run.tasks.map((other) => (other === task ? changed : other))};
  });
}

/** Changes the attempt that counts; an event about an earlier one does not fit. */
export function changeAttempt(
  state: State,
  id: TaskId,
  number: number,
  change: (attempt: Attempt, task: Task) => Fit<Attempt>,
): Fit<State> {
  return changeTask(state, id, (task) => {
    const attempt = attemptOf(task);
    if (attempt?.number !== number) return `attempt ${number} of ${id} is not the one under way`;
    const changed = change(attempt, task);
    return isMisfit(changed) ? changed : withAttempt(task, changed);
  });
}

/** The task with its latest attempt replaced. */
export function withAttempt(task: Task, attempt: Attempt): Task {
  return {...task, attempts: [...task.attempts.slice(0, -1), attempt]};
}

export function changeSession(
  state: State,
  id: SessionId,
  change: (session: Session) => Fit<Session>,
): Fit<State> {
  const session = sessionOf(state, id);
  if (session === undefined) return `there is no session ${id}`;
  const changed = change(session);
  return isMisfit(changed)
    ? changed
    : {...state, sessions: withEntry(state.sessions, countOf(id), changed)};
}

export function changeService(
  state: State,
  name: string,
  change: (service: Service) => Fit<Service>,
): Fit<State> {
  const service = serviceOf(state, name);
  if (service === undefined) return `there is no service ${name}`;
  const changed = change(service);
  return isMisfit(changed)
    ? changed
    : {...state, services: state.services.map((other) => (other === service ? changed : other))};
}

/** The sentence for an event that came at the wrong moment. */
export function cameTooLate(event: Event, at: string): string {
  return `${event.type} does not follow on ${at}`;
}
