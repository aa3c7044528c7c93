import {runIdIn, type TaskId} from '../ids.ts';
import type {EventBody} from '../event.ts';
import type {Run} from '../run.ts';
import {
  selectAttempt,
  selectInteractiveWorker,
  selectRun,
  selectSession,
  selectTask,
} from '../select/find.ts';
import {selectPicked, selectVariants} from '../select/variants.ts';
import {isInteractive, isLive} from '../session.ts';
import type {State} from '../state.ts';
import type {Attempt, Task} from '../task.ts';
import {type CommandHandlers, type Refusal, refuse} from './answer.ts';

export const taskCommandHandlers: CommandHandlers<
  'grant-attempt' | 'take-over' | 'hand-back' | 'check-task' | 'reset-task' | 'pick-variant'
> = {
  'grant-attempt': (state, {task: id, hint}) => {
    // Also allowed while the plan waits for a new approval; the attempt starts with its hint after
    // that.
    const found = findWorkableTask(state, id, ['working', 'reviewing']);
    if ('refused' in found) return found;
    const {stage} = found.task;
    if (stage.at !== 'stopped' && stage.at !== 'merged')
      return refuse(
        `${id} is ${stage.at}; you can grant a try to a task that stopped or is merged`,
      );
    return {type: 'attempt-granted', task: id, ...(hint === undefined ? {} : {hint})};
  },

  'take-over': (state, {task: id}) => {
    const found = findWorkableTask(state, id);
    if ('refused' in found) return found;
    const {stage} = found.task;
    if (
      stage.at === 'taken-over' &&
      (stage.session === undefined || isRunning(state, stage.session))
    )
      return refuse(`you already took over ${id}`);
    if (stage.at !== 'stopped' && stage.at !== 'attempting' && stage.at !== 'taken-over')
      return refuse(`${id} is ${stage.at}; there is nothing to take over`);
    return {type: 'task-taken-over', task: id, ...selectInterrupted(found.task)};
  },

  'hand-back': (state, {task: id, to, note}) => {
    const found = findWorkableTask(state, id);
    if ('refused' in found) return found;
    const {stage, attempts, allowed} = found.task;
    if (stage.at !== 'taken-over') return refuse(`${id} is ${stage.at}; you did not take it over`);
    const {attempt, left = 0} = stage;
    const next = attempts.length + 1;
    if (to !== 'agent') {
      if (note !== undefined)
        return refuse('a note is for the agent: hand the task back to it, or leave the note out');
      return handToChecks(found.task, left);
    }

    const text = note === undefined || note.trim() === '' ? {} : {note};
    // A task that had stopped gets one more attempt, as by a grant.
    return {
      type: 'task-handed-back',
      task: id,
      to,
      ...text,
      ...(attempt === undefined
        ? {attempt: next, allowed: attempts.length + Math.max(1, left)}
        : {attempt, allowed}),
    };
  },

  'check-task': (state, {task: id}) => {
    const found = findWorkableTask(state, id);
    if ('refused' in found) return found;
    const {run, task} = found;
    const {stage} = task;
    if (stage.at === 'taken-over') return handToChecks(task, stage.left ?? 0);
    const isOpen = run.request.open !== undefined;
    const open = selectInteractiveWorker(state, id);
    if (isOpen && stage.at === 'stopped')
      return open?.turn?.at === 'open'
        ? refuse(`the agent of ${id} is at work; check it when its turn has ended`)
        : {type: 'check-asked', task: id, attempt: task.attempts.length + 1};
    const attempt = selectAttempt(task);
    if (isOpen && attempt !== undefined && canAskForCheck(state, attempt))
      return attempt.isCheckAsked === true
        ? refuse(`${id} is checked as soon as the turn of its agent has ended`)
        : {type: 'check-asked', task: id, attempt: attempt.number};
    return refuse(uncheckable[stage.at]?.(id) ?? `${id} is ${stage.at}; there is nothing to check`);
  },

  'reset-task': (state, {task: id}) => {
    const found = findWorkableTask(state, id);
    if ('refused' in found) return found;
    const step = selectAttempt(found.task)?.step.at;
    if (
      found.task.stage.at !== 'attempting' ||
      (step !== 'ready' && step !== 'working' && step !== 'pausing')
    ) {
      return refuse(`no agent works on ${id}; only a working agent can get a fresh context`);
    }

    return {type: 'task-reset', task: id};
  },

  'pick-variant': (state, {task: id, commit}) => {
    const found = findWorkableTask(state, id);
    if ('refused' in found) return found;
    const {run, task} = found;
    if (selectVariants(run, task).length === 1)
      return refuse(`${id} is the only variant of its task; there is nothing to pick from`);
    const picked = selectPicked(run, task);
    if (picked !== undefined)
      return refuse(`${picked.id} counts already: you picked it, or it is merged`);
    const {stage} = task;
    if (stage.at !== 'validated')
      return refuse(`${id} is ${stage.at}; only a variant that passed its checks can be picked`);
    return stage.commit === commit
      ? {type: 'variant-picked', task: id, commit}
      : refuse(`${id} is at ${stage.commit} now, not at ${commit}; look at it again`);
  },
};

/** An agent in its own interface is under way. */
function canAskForCheck(state: State, {step}: Attempt): boolean {
  const session = step.at === 'working' ? selectSession(state, step.session) : undefined;
  return session !== undefined && isInteractive(session);
}

/** Judges the person's work as it is. */
function handToChecks({id, attempts}: Task, left: number): EventBody {
  const next = attempts.length + 1;
  return {
    type: 'task-handed-back',
    task: id,
    attempt: next,
    ...(left === 0 ? {} : {allowed: next + left}),
  };
}

/** Why a task in this stage cannot be checked on request, and what to do instead. */
const uncheckable: Readonly<Partial<Record<Task['stage']['at'], (id: TaskId) => string>>> = {
  attempting: (id) =>
    `the agent of ${id} is at work, or its checks run already; they run when it is done. To check ` +
    'it as it is, take it over first',
  stopped: (id) => `${id} has used its tries; grant one more, or take it over and check it`,
  merged: (id) => `${id} is already checked and merged`,
};

function findWorkableTask(
  state: State,
  id: TaskId,
  stages: readonly Run['stage']['at'][] = ['working'],
): {readonly run: Run; readonly task: Task} | Refusal {
  const run = selectRun(state, runIdIn(id));
  const task = selectTask(state, id);
  if (run === undefined || task === undefined) return refuse(`there is no task ${id}`);
  return stages.includes(run.stage.at)
    ? {run, task}
    : refuse(`${run.id} is ${run.stage.at}; its tasks can change only under an approved plan`);
}

/**
 * The agent's work that a takeover interrupts. A failed attempt is used up; one that is under way,
 * or a person's own, is not.
 */
function selectInterrupted({stage, attempts, allowed}: Task): {
  readonly attempt?: number;
  readonly left?: number;
} {
  if (stage.at === 'taken-over')
    return {
      ...(stage.attempt === undefined ? {} : {attempt: stage.attempt}),
      ...(stage.left === undefined ? {} : {left: stage.left}),
    };
  const last = attempts.at(-1);
  if (stage.at !== 'attempting' || last === undefined) return {};
  const isOpen = last.by === 'agent' && last.step.at !== 'failed' && last.step.at !== 'passed';
  const left = allowed - last.number + (isOpen ? 1 : 0);
  return {...(isOpen ? {attempt: last.number} : {}), ...(left > 0 ? {left} : {})};
}

function isRunning(state: State, id: `s${number}`): boolean {
  const session = selectSession(state, id);
  return session !== undefined && isLive(session);
}
