import type {Effect} from '../effect.ts';
import type {TaskId} from '../ids.ts';
import {baselineOf, isBaselineDue} from '../select/baseline.ts';
import {
  attemptOf,
  liveSessionsOf,
  runIdOfSession,
  runOf,
  serviceOf,
  taskIdOfSession,
  taskOf,
  worktreeOf,
} from '../select/find.ts';
import {isRunActive, isTaskActive, runOfTask} from '../select/progress.ts';
import type {Session} from '../session.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';

/** A live process that its owner still counts on goes on; any other is stopped. */
export function wantedOfSessions(state: State): Effect[] {
  return liveSessionsOf(state).flatMap((session): Effect[] => {
    const {id} = session;
    if (!isSessionWanted(state, session))
      return [{key: `${id}/stop`, do: 'stop-session', session: id}];
    const typing =
      session.life.at === 'running' ? session.inputs.filter(({fate}) => fate === 'pending') : [];
    return [
      {key: `${id}/run`, do: 'run-session', session: id, ...ownerOf(session)},
      // One at a time: the second line must not overtake the first. A prompt waits by itself: a person's answer may have to come before it.
      ...typing
        .filter(({prompt}) => prompt === undefined)
        .slice(0, 1)
        .map(({number}): Effect => ({
          key: `${id}/type-${number}`,
          do: 'type-input',
          session: id,
          input: number,
        })),
      ...typing
        .filter(({prompt}) => prompt !== undefined)
        .map(({number}): Effect => ({
          key: `${id}/type-${number}`,
          do: 'type-prompt',
          session: id,
          input: number,
        })),
    ];
  });
}

export function isSessionWanted(state: State, session: Session): boolean {
  const {id, purpose} = session;
  if (session.stop !== undefined) return false;
  switch (purpose.for) {
    case 'person':
      return true;
    case 'service': {
      const service = serviceOf(state, purpose.service);
      return (
        service?.desire === 'wanted' && service.stage.at === 'up' && service.stage.session === id
      );
    }

    case 'plan': {
      const run = runOf(state, purpose.run);
      const step = run?.rounds.at(-1)?.step;
      return (
        run?.stage.at === 'planning' &&
        isRunActive(run) &&
        step?.at === 'thinking' &&
        step.session === id
      );
    }

    case 'shell':
      return isShellWanted(state, purpose.task);
    case 'worktree-setup':
    case 'baseline':
      return isWantedByRun(state, session);
    case 'setup':
    case 'attempt':
    case 'takeover':
    case 'check':
      return isWantedByTask(state, session);
  }
}

/** Before a planner begins, or on the base. */
function isWantedByRun(state: State, session: Session): boolean {
  const id = runIdOfSession(session);
  const run = id === undefined ? undefined : runOf(state, id);
  if (run === undefined || !isRunActive(run)) return false;
  const step = run.rounds.at(-1)?.step;
  if (run.stage.at === 'planning') return step?.at === 'preparing' && step.setup === session.id;
  return (
    isBaselineDue(state, run) &&
    (run.stage.at === 'reviewing' || run.stage.at === 'working') &&
    baselineOf(run).session === session.id
  );
}

function isWantedByTask(state: State, session: Session): boolean {
  const {id} = session;
  const taskId = taskIdOfSession(session);
  const task = taskId === undefined ? undefined : taskOf(state, taskId);
  const run = task === undefined ? undefined : runOfTask(state, task);
  if (task === undefined || run === undefined || !isTaskActive(run, task)) return false;
  const {stage} = task;
  if (stage.at === 'preparing') return stage.setup === id;
  if (session.purpose.for === 'setup')
    return task.setupSession === id && isSetupAwaited(task, session.purpose.on);
  if (stage.at === 'taken-over') return stage.session === id;
  if (stage.at === 'merging') return stage.step.at === 'checking' && stage.step.session === id;
  const step = attemptOf(task)?.step;
  return (
    stage.at === 'attempting' &&
    (step?.at === 'working' || step?.at === 'checking') &&
    step.session === id
  );
}

/** Whoever is to begin after it still is to. */
function isSetupAwaited({stage, attempts}: Task, on: 'change' | 'merge' | undefined): boolean {
  if (on === 'merge') return stage.at === 'merging' && stage.step.at === 'checking';
  const step = attempts.at(-1)?.step.at;
  return stage.at === 'attempting' && (step === 'ready' || step === 'checking');
}

/** It stays as long as its task may still be worked on in its worktree: also while the task waits for a person. */
export function isShellWanted(state: State, id: TaskId): boolean {
  const task = taskOf(state, id);
  const run = task === undefined ? undefined : runOfTask(state, task);
  if (
    task === undefined ||
    run === undefined ||
    !isTaskActive(run, task) ||
    worktreeOf(run, id) === undefined
  )
    return false;
  return task.stage.at !== 'merged' && task.stage.at !== 'discarded';
}

function ownerOf(session: Session): Pick<Effect, 'run' | 'task'> {
  const task = taskIdOfSession(session);
  const run = runIdOfSession(session);
  return {...(run === undefined ? {} : {run}), ...(task === undefined ? {} : {task})};
}
