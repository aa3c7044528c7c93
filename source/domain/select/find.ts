import {entriesOf, entryOf} from '../../base/index.ts';
import {
  countOf,
  runIdIn,
  type RunId,
  type SessionId,
  type TaskId,
  type WorktreeOwner,
} from '../ids.ts';
import type {Run, Worktree} from '../run.ts';
import {ownerInServiceName, type Service} from '../service.ts';
import type {Session} from '../session.ts';
import type {State} from '../state.ts';
import type {Attempt, Task} from '../task.ts';

export function runOf(state: State, id: RunId): Run | undefined {
  return entryOf(state.runs, countOf(id));
}

export function taskOf(state: State, id: TaskId): Task | undefined {
  return runOf(state, runIdIn(id))?.tasks.find((task) => task.id === id);
}

export function sessionOf(state: State, id: SessionId): Session | undefined {
  return entryOf(state.sessions, countOf(id));
}

export function serviceOf(state: State, name: string): Service | undefined {
  return state.services.find((service) => service.spec.name === name);
}

export function worktreeOf(run: Run, owner: WorktreeOwner): Worktree | undefined {
  return run.worktrees.find((worktree) => worktree.owner === owner);
}

export function runsOf(state: State): Run[] {
  return entriesOf(state.runs);
}

/** Runs that can still change: everything but what a person has accepted or discarded. */
export function openRunsOf(state: State): Run[] {
  return runsOf(state).filter((run) => run.stage.at !== 'accepted' && run.stage.at !== 'discarded');
}

export function liveSessionsOf(state: State): Session[] {
  return state.live.flatMap((id) => sessionOf(state, id) ?? []);
}

/** The attempt that counts: the latest. */
export function attemptOf(task: Task): Attempt | undefined {
  return task.attempts.at(-1);
}

/** The run or task that a session works for, if any. */
export function taskIdOfSession({purpose}: Pick<Session, 'purpose'>): TaskId | undefined {
  return 'task' in purpose ? purpose.task : undefined;
}

export function runIdOfSession(session: Session): RunId | undefined {
  if ('run' in session.purpose) return session.purpose.run;
  const task = taskIdOfSession(session);
  return task === undefined ? undefined : runIdIn(task);
}

/** The name of the check that a session runs. */
export function checkOfSession(state: State, id: SessionId): string | undefined {
  const purpose = sessionOf(state, id)?.purpose;
  return purpose?.for === 'check' ? purpose.check : undefined;
}

/** Whose worktree the session runs in, if it runs in one of ours. */
export function worktreeOwnerOf({purpose}: Pick<Session, 'purpose'>): WorktreeOwner | undefined {
  if (purpose.for === 'plan') return `${purpose.run}.plan`;
  if (purpose.for === 'worktree-setup') return purpose.owner;
  if (purpose.for === 'baseline') return `${purpose.run}.merge`;
  if ((purpose.for === 'check' || purpose.for === 'setup') && purpose.on === 'merge')
    return `${runIdIn(purpose.task)}.merge`;
  if (purpose.for === 'service') return ownerInServiceName(purpose.service);
  return taskIdOfSession({purpose});
}

/** Whoever is at work on the task. A shell that stays open from one attempt to the next keeps nobody from it. */
export function liveSessionsOfTask(state: State, task: TaskId): Session[] {
  return liveSessionsOf(state).filter(
    (session) => session.purpose.for !== 'shell' && taskIdOfSession(session) === task,
  );
}

/** The shell of a task that an agent calls by this name, if it lives and nobody has stopped it. */
export function shellOf(state: State, task: TaskId, name: string): Session | undefined {
  return liveSessionsOf(state).find(
    ({purpose, stop}) =>
      purpose.for === 'shell' &&
      purpose.task === task &&
      purpose.name === name &&
      stop === undefined,
  );
}
