import {withLedgerEntry, without} from '../../shared/index.ts';
import type {Event, EventOf, EventType} from '../event.ts';
import {
  type RunId,
  runIdIn,
  type SessionId,
  type TaskId,
  toIdNumber,
  type WorktreeOwner,
} from '../ids.ts';
import type {Run, Worktree} from '../run.ts';
import {selectAttempt, selectRun, selectService, selectSession} from '../select/find.ts';
import type {Service} from '../service.ts';
import type {Session} from '../session.ts';
import type {State} from '../state.ts';
import type {Attempt, Task} from '../task.ts';
import type {CheckResult} from '../verdict.ts';

/** A new value, or the reason why the event does not fit the state. */
export type TransitionResult<T> = T | string;

export type EventHandlers<Types extends EventType> = {
  readonly [Type in Types]: (state: State, event: EventOf<Type>) => TransitionResult<State>;
};

export function isInvalidTransition<T>(fit: TransitionResult<T>): fit is string {
  return typeof fit === 'string';
}

export function changeRun(
  state: State,
  id: RunId,
  change: (run: Run) => TransitionResult<Run>,
): TransitionResult<State> {
  const run = selectRun(state, id);
  if (run === undefined) return `there is no run ${id}`;
  const changed = change(run);
  return isInvalidTransition(changed)
    ? changed
    : {...state, runs: withLedgerEntry(state.runs, toIdNumber(id), changed)};
}

export function changeTask(
  state: State,
  id: TaskId,
  change: (task: Task, run: Run) => TransitionResult<Task>,
): TransitionResult<State> {
  return changeRun(state, runIdIn(id), (run) => {
    const task = run.tasks.find((candidate) => candidate.id === id);
    if (task === undefined) return `there is no task ${id}`;
    const changed = change(task, run);
    return isInvalidTransition(changed)
      ? changed
      : {...run, tasks: run.tasks.map((other) => (other === task ? changed : other))};
  });
}

/** Changes the latest attempt; an event about an earlier one does not fit. */
export function changeAttempt(
  state: State,
  id: TaskId,
  number: number,
  change: (attempt: Attempt, task: Task) => TransitionResult<Attempt>,
): TransitionResult<State> {
  return changeTask(state, id, (task) => {
    const attempt = selectAttempt(task);
    if (attempt?.number !== number) return `attempt ${number} of ${id} is not the current one`;
    const changed = change(attempt, task);
    return isInvalidTransition(changed) ? changed : withAttempt(task, changed);
  });
}

/** The task with its latest attempt replaced. */
export function withAttempt(task: Task, attempt: Attempt): Task {
  return {...task, attempts: [...task.attempts.slice(0, -1), attempt]};
}

export function changeSession(
  state: State,
  id: SessionId,
  change: (session: Session) => TransitionResult<Session>,
): TransitionResult<State> {
  const session = selectSession(state, id);
  if (session === undefined) return `there is no session ${id}`;
  const changed = change(session);
  return isInvalidTransition(changed)
    ? changed
    : {...state, sessions: withLedgerEntry(state.sessions, toIdNumber(id), changed)};
}

export function changeService(
  state: State,
  name: string,
  change: (service: Service) => TransitionResult<Service>,
): TransitionResult<State> {
  const service = selectService(state, name);
  if (service === undefined) return `there is no service ${name}`;
  const changed = change(service);
  return isInvalidTransition(changed)
    ? changed
    : {...state, services: state.services.map((other) => (other === service ? changed : other))};
}

/** The sentence for an event that came at the wrong moment. */
export function formatOutOfOrder(event: Event, at: string): string {
  return `${event.type} cannot follow ${at}`;
}

export function changeWorktree(
  run: Run,
  owner: WorktreeOwner,
  change: (worktree: Worktree) => Worktree,
): Run {
  return {
    ...run,
    worktrees: run.worktrees.map((worktree) =>
      worktree.owner === owner ? change(worktree) : worktree,
    ),
  };
}

/**
 * The files of the worktree changed. `reads` is the new fingerprint of those that `setup` reads, if
 * it is known.
 */
export function withReads(worktree: Worktree, reads: string | undefined): Worktree {
  return reads === undefined ? without(worktree, 'reads') : {...worktree, reads};
}

/** Records that the setup command passed for the files that the worktree contains now. */
export function markSetUp({project: {setup = ''}}: State, run: Run, owner: WorktreeOwner): Run {
  return changeWorktree(run, owner, (worktree) => ({
    ...worktree,
    setUp: {command: setup, ...(worktree.reads === undefined ? {} : {reads: worktree.reads})},
  }));
}

/**
 * Continues a task after a halt that began at `since`. A session that ended by itself before the
 * halt keeps its result; one that the halt ended, or is still ending, is dropped, and a new one
 * takes its place in the same attempt.
 */
export function settleAttempts(state: State, halted: Task, since: number): Task {
  const isUsable = (id: SessionId): boolean => {
    const life = selectSession(state, id)?.life;
    return life?.at === 'exited' && life.when < since;
  };

  const task =
    halted.setupSession === undefined || isUsable(halted.setupSession)
      ? halted
      : without(halted, 'setupSession');
  const {stage} = task;
  if (stage.at === 'preparing') return {...task, stage: {at: 'preparing', setups: 0}};
  if (
    stage.at === 'merging' &&
    stage.step.at === 'checking' &&
    stage.step.session !== undefined &&
    !isUsable(stage.step.session)
  ) {
    return {...task, stage: {...stage, step: without(stage.step, 'session')}};
  }

  const attempt = selectAttempt(task);
  if (stage.at !== 'attempting' || attempt === undefined) return task;
  const {step} = attempt;
  if (step.at === 'working' && !isUsable(step.session))
    return withAttempt(task, {...attempt, step: {at: 'ready'}});
  if (step.at === 'checking' && step.session !== undefined && !isUsable(step.session)) {
    return withAttempt(task, {...attempt, step: without(step, 'session')});
  }

  return task;
}

/** Removes results of the checks that run on the task now, so that these checks run again. */
export function withoutResults(task: Task, isRemoved: (result: CheckResult) => boolean): Task {
  const rest = (results: readonly CheckResult[]): CheckResult[] =>
    results.filter((result) => !isRemoved(result));
  const {stage} = task;
  if (stage.at === 'merging' && stage.step.at === 'checking') {
    const {step} = stage;
    return {...task, stage: {...stage, step: {...step, results: rest(step.results)}}};
  }

  const attempt = selectAttempt(task);
  if (attempt?.step.at !== 'checking') return task;
  const {step} = attempt;
  return withAttempt(task, {...attempt, step: {...step, results: rest(step.results)}});
}

/** Removes what a person's resume lifts from a run or task. */
export function withoutHalt<T extends {readonly hold?: unknown; readonly trouble?: unknown}>(
  halted: T,
): Omit<T, 'hold' | 'trouble'> {
  return without(halted, 'hold', 'trouble');
}
