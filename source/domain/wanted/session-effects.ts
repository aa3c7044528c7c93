import type {Effect} from '../effect.ts';
import type {TaskId} from '../ids.ts';
import {selectWorker} from '../select/agents.ts';
import {isBaselineDue, selectBaseline} from '../select/baseline.ts';
import {
  runIdOfSession,
  selectAttempt,
  selectLiveSessions,
  selectRun,
  selectService,
  selectTask,
  selectWorktree,
  taskIdOfSession,
} from '../select/find.ts';
import {isOutgrown, isRunActive, isTaskActive, runOfTask} from '../select/progress.ts';
import {canContinuePlanner, isPlanOpen, selectOpenPlanner} from '../select/planner.ts';
import {isInteractive, type Session} from '../session.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import type {StopReason} from '../verdict.ts';
import type {Run} from '../run.ts';

/** A live session that is still needed continues; any other is stopped. */
export function sessionEffects(state: State): Effect[] {
  return selectLiveSessions(state).flatMap((session): Effect[] => {
    const {id} = session;
    if (!isSessionWanted(state, session))
      return [{key: `${id}/stop`, do: 'stop-session', session: id}];
    const typing =
      session.life.at === 'running' ? session.inputs.filter(({fate}) => fate === 'pending') : [];
    return [
      {key: `${id}/run`, do: 'run-session', session: id, ...selectOwner(session)},
      // One input at a time keeps the order. A prompt does not block other input: a person may have
      // to answer a dialog before it.
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
      const service = selectService(state, purpose.service);
      return (
        service?.desire === 'wanted' && service.stage.at === 'up' && service.stage.session === id
      );
    }

    case 'plan':
      return isPlannerWanted(state, session, selectRun(state, purpose.run));

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

/**
 * A headless planner ends with its answer. One in its own interface stays open until a plan is
 * approved, so that the person can discuss the plan and a rejection continues its conversation.
 */
function isPlannerWanted(state: State, session: Session, run: Run | undefined): boolean {
  if (run === undefined || !isRunActive(run)) return false;
  const step = run.rounds.at(-1)?.step;
  if (run.stage.at === 'planning' && step?.at === 'thinking') return step.session === session.id;
  const isOpen = selectOpenPlanner(state, run)?.id === session.id;
  if (!isOpen || !isPlanOpen(run)) return false;
  return run.stage.at === 'reviewing' || step?.at !== 'preparing' || canContinuePlanner(run);
}

/** Sessions before planning starts, or on the base. */
function isWantedByRun(state: State, session: Session): boolean {
  const id = runIdOfSession(session);
  const run = id === undefined ? undefined : selectRun(state, id);
  if (run === undefined || !isRunActive(run)) return false;
  const step = run.rounds.at(-1)?.step;
  if (run.stage.at === 'planning') return step?.at === 'preparing' && step.setup === session.id;
  return (
    isBaselineDue(state, run) &&
    (run.stage.at === 'reviewing' || run.stage.at === 'working') &&
    selectBaseline(run).session === session.id
  );
}

function isWantedByTask(state: State, session: Session): boolean {
  const {id} = session;
  const taskId = taskIdOfSession(session);
  const task = taskId === undefined ? undefined : selectTask(state, taskId);
  const run = task === undefined ? undefined : runOfTask(state, task);
  if (task === undefined || run === undefined || !isTaskActive(run, task)) return false;
  const {stage} = task;
  if (isInteractive(session)) return isInteractiveWorkerWanted(state, run, task, session);
  if (stage.at === 'preparing') return stage.setup === id;
  if (session.purpose.for === 'setup')
    return task.setupSession === id && isSetupAwaited(task, session.purpose.on);
  if (stage.at === 'taken-over') return stage.session === id;
  if (stage.at === 'merging') return stage.step.at === 'checking' && stage.step.session === id;
  const step = selectAttempt(task)?.step;
  return (
    stage.at === 'attempting' &&
    (step?.at === 'working' || step?.at === 'checking') &&
    step.session === id
  );
}

/**
 * An agent in its own interface stays open until its task is merged, so that a repair continues its
 * conversation. A task that stopped for a limit ends it; one that stopped for a failure leaves it
 * open for the person.
 */
function isInteractiveWorkerWanted(state: State, run: Run, task: Task, session: Session): boolean {
  const {id, purpose, turn} = session;
  const {stage} = task;
  const attempt = selectAttempt(task);
  switch (stage.at) {
    case 'waiting':
    case 'preparing':
    case 'validated':
    case 'merging':
      return true;
    case 'stopped':
      return !endingReasons.has(stage.why.kind);
    // Never ended in the middle of what a person wrote to it.
    case 'merged':
      return turn?.at === 'open';
    case 'attempting':
      break;
    default:
      return false;
  }

  if (attempt?.step.at === 'working') return attempt.step.session === id;
  if (attempt?.step.at === 'ready') return canContinueSession(state, run, task, session);
  // The person may ask to check the work of an agent whose attempts are used up.
  return (
    purpose.for === 'attempt' && (purpose.attempt === attempt?.number || attempt?.by === 'person')
  );
}

const endingReasons: ReadonlySet<StopReason['kind']> = new Set<StopReason['kind']>([
  'budget',
  'loop',
  'interrupted',
]);

/**
 * Not after `reset`, not while the worktree has to be moved to another commit, and not if another
 * agent works on the task now.
 */
export function canContinueSession(state: State, run: Run, task: Task, session: Session): boolean {
  const attempt = selectAttempt(task);
  return (
    attempt?.context === 1 &&
    !isOutgrown(run, task) &&
    (session.agent ?? run.request.worker) === selectWorker(state, run, task).agent
  );
}

/** The step that waits for this setup is still due. */
function isSetupAwaited({stage, attempts}: Task, on: 'change' | 'merge' | undefined): boolean {
  if (on === 'merge') return stage.at === 'merging' && stage.step.at === 'checking';
  const step = attempts.at(-1)?.step.at;
  return stage.at === 'attempting' && (step === 'ready' || step === 'checking');
}

/**
 * A shell stays open as long as its task may be worked on in its worktree, also while the task
 * waits for a person.
 */
export function isShellWanted(state: State, id: TaskId): boolean {
  const task = selectTask(state, id);
  const run = task === undefined ? undefined : runOfTask(state, task);
  if (
    task === undefined ||
    run === undefined ||
    !isTaskActive(run, task) ||
    selectWorktree(run, id) === undefined
  )
    return false;
  return task.stage.at !== 'merged' && task.stage.at !== 'discarded';
}

function selectOwner(session: Session): Pick<Effect, 'run' | 'task'> {
  const task = taskIdOfSession(session);
  const run = runIdOfSession(session);
  return {...(run === undefined ? {} : {run}), ...(task === undefined ? {} : {task})};
}
