import {ledgerEntries, ledgerEntry} from '../../shared/index.ts';
import {
  type RunId,
  runIdIn,
  type SessionId,
  type TaskId,
  toIdNumber,
  type WorktreeOwner,
} from '../ids.ts';
import type {Run, Worktree} from '../run.ts';
import {ownerInServiceName, type Service} from '../service.ts';
import {isBetweenTurns, isInteractive, type Session} from '../session.ts';
import type {State} from '../state.ts';
import type {Attempt, Task} from '../task.ts';

export function selectRun(state: State, id: RunId): Run | undefined {
  return ledgerEntry(state.runs, toIdNumber(id));
}

export function selectTask(state: State, id: TaskId): Task | undefined {
  return selectRun(state, runIdIn(id))?.tasks.find((task) => task.id === id);
}

export function selectSession(state: State, id: SessionId): Session | undefined {
  return ledgerEntry(state.sessions, toIdNumber(id));
}

export function selectService(state: State, name: string): Service | undefined {
  return state.services.find((service) => service.spec.name === name);
}

export function selectWorktree(run: Run, owner: WorktreeOwner): Worktree | undefined {
  return run.worktrees.find((worktree) => worktree.owner === owner);
}

export function selectRuns(state: State): Run[] {
  return ledgerEntries(state.runs);
}

/** Runs that can still change: all but accepted and discarded ones. */
export function selectOpenRuns(state: State): Run[] {
  return selectRuns(state).filter(
    (run) => run.stage.at !== 'accepted' && run.stage.at !== 'discarded',
  );
}

export function selectLiveSessions(state: State): Session[] {
  return state.live.flatMap((id) => selectSession(state, id) ?? []);
}

/** The latest attempt. */
export function selectAttempt(task: Task): Attempt | undefined {
  return task.attempts.at(-1);
}

/** The task that a session works for, if any. */
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
  const purpose = selectSession(state, id)?.purpose;
  return purpose?.for === 'check' ? purpose.check : undefined;
}

/** Whose worktree the session runs in, if it runs in one of ours. */
export function selectWorktreeOwner({
  purpose,
}: Pick<Session, 'purpose'>): WorktreeOwner | undefined {
  if (purpose.for === 'plan') return `${purpose.run}.plan`;
  if (purpose.for === 'worktree-setup') return purpose.owner;
  if (purpose.for === 'baseline') return `${purpose.run}.merge`;
  if ((purpose.for === 'check' || purpose.for === 'setup') && purpose.on === 'merge')
    return `${runIdIn(purpose.task)}.merge`;
  if (purpose.for === 'service') return ownerInServiceName(purpose.service);
  return taskIdOfSession({purpose});
}

/** Whether a process of ours still runs in this worktree, services and shells included. */
export function hasLiveSessionIn(state: State, owner: WorktreeOwner): boolean {
  return selectLiveSessions(state).some((session) => selectWorktreeOwner(session) === owner);
}

/** Sessions that work on the task. Shells stay open between attempts and block nothing. */
export function liveSessionsOfTask(state: State, task: TaskId): Session[] {
  return selectLiveSessions(state).filter(
    (session) => session.purpose.for !== 'shell' && taskIdOfSession(session) === task,
  );
}

/** The task's agent in its own interface, if it is open. */
export function selectInteractiveWorker(state: State, task: TaskId): Session | undefined {
  return liveSessionsOfTask(state, task).find(isInteractive);
}

/** Sessions that work on the task now. An agent that waits for a prompt does not. */
export function busySessionsOfTask(state: State, task: TaskId): Session[] {
  return liveSessionsOfTask(state, task).filter((session) => !isBetweenTurns(session));
}

/** The task's live shell of this name, unless it is being stopped. */
export function selectShell(state: State, task: TaskId, name: string): Session | undefined {
  return selectLiveSessions(state).find(
    ({purpose, stop}) =>
      purpose.for === 'shell' &&
      purpose.task === task &&
      purpose.name === name &&
      stop === undefined,
  );
}
