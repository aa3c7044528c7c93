import {
  isSessionId,
  isTaskId,
  type RunId,
  runIdIn,
  type SessionId,
  type TaskId,
  toRunId,
} from '../ids.ts';
import type {MovedBranch, Run} from '../run.ts';
import {findChangedVariables} from '../select/environment.ts';
import {
  hasLiveSessionIn,
  selectAttempt,
  selectRun,
  selectSession,
  selectTask,
  selectWorktree,
  taskIdOfSession,
} from '../select/find.ts';
import {isReady, isRunActive} from '../select/progress.ts';
import {isLive} from '../session.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import {findOpenProblem, findSourceProblem} from './open-run.ts';
import {type Answer, type CommandHandlers, type Refusal, refuse} from './answer.ts';

export const runCommandHandlers: CommandHandlers<
  | 'start-run'
  | 'move-in-queue'
  | 'stop'
  | 'resume'
  | 'discard'
  | 'accept-run'
  | 'adopt-branch'
  | 'restore-branch'
  | 'extend-budget'
  | 'refresh-environment'
  | 'tidy-worktree'
> = {
  'start-run': (state, {request, budget, environment, by}) => {
    if (request.objective.trim() === '') return refuse('a run needs an objective');
    const problem = findOpenProblem(request) ?? findSourceProblem(state, request);
    if (problem !== undefined) return refuse(problem);
    return {
      type: 'run-created',
      run: toRunId(state.runs.size + 1),
      request,
      budget,
      ...(environment === undefined ? {} : {environment}),
      // The start of a run without a planner is its approval, so it is recorded who gave it.
      ...(request.open === undefined || by.kind !== 'person' ? {} : {client: by.client}),
    };
  },

  'move-in-queue': (state, {run, position}) => {
    if (!state.queue.includes(run)) return refuse(`${run} is not in the queue`);
    if (!Number.isInteger(position) || position < 1 || position > state.queue.length) {
      return refuse(
        `expected a position from 1 to ${state.queue.length} in the queue, got ${position}`,
      );
    }

    return {type: 'queue-moved', run, position};
  },

  stop: (state, {what, reason}) => {
    const because = reason === undefined ? {} : {reason};
    if (isSessionId(what)) return stopSession(state, what, because);
    if (isTaskId(what)) return stopTask(state, what, because);
    const run = selectRun(state, what);
    if (run === undefined) return refuse(`there is no run ${what}`);
    if (run.stage.at === 'accepted' || run.stage.at === 'discarded')
      return refuse(`${what} is over: ${run.stage.at}`);
    return run.hold === undefined
      ? {type: 'run-held', run: what, ...because}
      : refuse(`${what} is already stopped`);
  },

  resume: (state, {what}) => {
    if (isTaskId(what)) return resumeTask(state, what);
    const run = selectRun(state, what);
    if (run === undefined) return refuse(`there is no run ${what}`);
    if (run.hold !== undefined || run.trouble !== undefined || run.parked !== undefined)
      return {type: 'run-resumed', run: what};
    if (run.exhausted !== undefined)
      return refuse(`${what} reached its budget (${run.exhausted.budget}); raise it to continue`);
    const waiting = run.tasks.filter(isPausing).map(({id}) => id);
    return refuse(
      waiting.length === 0
        ? `${what} is not stopped`
        : `${what} is not stopped; ${waiting.join(', ')} ` +
            `${waiting.length === 1 ? 'waits' : 'wait'} for the agent's service: resume the ` +
            'task to try it now',
    );
  },

  discard: (state, {what}) => {
    if (isTaskId(what)) return discardTask(state, what);
    const run = selectRun(state, what);
    if (run === undefined) return refuse(`there is no run ${what}`);
    if (run.stage.at === 'accepted' || run.stage.at === 'discarded')
      return refuse(`${what} is over: ${run.stage.at}`);
    if (run.stage.at === 'accepting' && isRunActive(run))
      return refuse(`${what} is being accepted into your branch; wait for the result`);
    return {type: 'run-discarded', run: what};
  },

  'accept-run': (
    state,
    {run: id, commit, way = state.project.accept ?? 'merge', into, signed, sign},
  ) => {
    const run = selectRun(state, id);
    if (run === undefined) return refuse(`there is no run ${id}`);
    if (!isRunActive(run)) return refuse(`${id} is halted; resume it first`);
    if (run.moved !== undefined)
      return refuse(
        `somebody moved ${run.moved.branch}; decide first which commit counts: adopt ` +
          'what is there, or restore the branch',
      );
    if (!isReady(run)) return refuse(`${id} is not ready: ${formatUnsettled(run)}`);
    if (run.head !== commit)
      return refuse(
        `${id} is at ${run.head ?? 'no commit'} now, not at ${commit}: ` +
          `${formatNewSince(run, commit)}. Look at it again before you accept: orchestra ` +
          `diff ${id}`,
      );
    if (state.project.sign === 'accept' && signed === undefined && sign !== false) {
      return refuse(
        'the project file says "sign: accept", but this is not signed. Signing needs ' +
          `your key, so accept in a terminal: orchestra accept ${id} --commit ` +
          `${commit.slice(0, 12)}. Without a signature: --no-sign`,
      );
    }

    return {
      type: 'accept-asked',
      run: id,
      commit,
      ...(way === 'merge' ? {} : {way}),
      ...(into === undefined ? {} : {into}),
      ...(signed === undefined ? {} : {signed}),
    };
  },

  'adopt-branch': (state, {run: id, commit}) => {
    const moved = findMovedBranch(state, id, commit);
    if ('refused' in moved) return moved;
    if (moved.relation !== 'ahead')
      return refuse(
        `${moved.branch} does not contain what ${id} has merged; restore it, or discard ${id}`,
      );
    return {type: 'branch-adopted', run: id, commit};
  },

  'restore-branch': (state, {run: id, commit}) => {
    const moved = findMovedBranch(state, id, commit);
    return 'refused' in moved ? moved : {type: 'branch-restore-asked', run: id, commit};
  },

  'extend-budget': (state, {run: id, tokens, wallClock}) => {
    const run = selectRun(state, id);
    if (run === undefined) return refuse(`there is no run ${id}`);
    if (tokens === undefined && wallClock === undefined)
      return refuse('name a budget (tokens or wall clock) and its new limit');
    const isTooSmall = [
      [tokens, run.budget.tokens],
      [wallClock, run.budget.wallClock],
    ].some(([more, now]) => more !== undefined && more <= (now ?? 0));
    if (isTooSmall)
      return refuse(
        `expected more than the current budget: ${run.budget.tokens ?? 'no'} tokens, ` +
          `${run.budget.wallClock ?? 'no'} ms`,
      );
    return {
      type: 'budget-extended',
      run: id,
      ...(tokens === undefined ? {} : {tokens}),
      ...(wallClock === undefined ? {} : {wallClock}),
    };
  },

  'refresh-environment': (state, {run: id, environment}) => {
    const run = selectRun(state, id);
    if (run === undefined) return refuse(`there is no run ${id}`);
    if (run.stage.at === 'accepted' || run.stage.at === 'discarded')
      return refuse(`${id} is over: ${run.stage.at}`);
    if (environment === undefined)
      return refuse('the request has no environment; send it with a client of this version');
    return {
      type: 'environment-refreshed',
      run: id,
      environment,
      changed: findChangedVariables(run.environment?.variables ?? [], environment.variables),
    };
  },

  'tidy-worktree': (state, {owner}) => {
    const run = selectRun(state, runIdIn(owner));
    if (run === undefined || selectWorktree(run, owner) === undefined)
      return refuse(`${owner} has no worktree`);
    if (hasLiveSessionIn(state, owner))
      return refuse(`a process still runs in the worktree of ${owner}`);
    const isOver = run.stage.at === 'accepted' || run.stage.at === 'discarded';
    return isOver
      ? {type: 'worktree-tidied', owner}
      : refuse(`${run.id} still needs the worktree of ${owner}; accept or discard the run first`);
  },
};

/** Describes what was added to the run since the person looked at `commit`. */
function formatNewSince({tasks, head, adopted}: Run, commit: string): string {
  if (head !== undefined && adopted?.at(-1) === head)
    return `you took over ${head.slice(0, 12)}, which has not been checked`;
  const merged = tasks.flatMap(({id, stage}) => (stage.at === 'merged' ? [{id, ...stage}] : []));
  const seen = merged.find((one) => one.commit === commit);
  const newer = merged
    .filter((one) => (seen === undefined ? one.commit === head : one.since > seen.since))
    .map(({id}) => id);
  return newer.length === 0
    ? 'it changed since you looked'
    : `${newer.join(', ')} ${newer.length === 1 ? 'was' : 'were'} merged since you looked`;
}

/** Decisions apply only to the commit that the person was shown. */
function findMovedBranch(state: State, id: RunId, commit: string): MovedBranch | Refusal {
  const run = selectRun(state, id);
  if (run === undefined) return refuse(`there is no run ${id}`);
  const {moved} = run;
  if (moved === undefined) return refuse(`nobody moved the branch of ${id}`);
  if (!isRunActive(run)) return refuse(`${id} is halted; resume it first`);
  if (moved.isRestoring === true) return refuse(`${moved.branch} is already being restored`);
  return moved.found === commit
    ? moved
    : refuse(`${moved.branch} is at ${moved.found} now, not at ${commit}; look at it again`);
}

/** Stopping a session also stops what it works for, so that no new session takes its place. */
function stopSession(state: State, id: SessionId, because: {readonly reason?: string}): Answer {
  const session = selectSession(state, id);
  if (session === undefined) return refuse(`there is no session ${id}`);
  if (!isLive(session)) return refuse(`${id} has already ended`);
  const {purpose} = session;
  if (purpose.for === 'person' || purpose.for === 'shell')
    return session.stop === undefined
      ? {type: 'session-stop-asked', session: id}
      : refuse(`${id} is already being stopped`);
  if (purpose.for === 'service') return {type: 'service-stopped', service: purpose.service};
  if ('run' in purpose)
    return (
      refuseIfHeld(selectRun(state, purpose.run)) ?? {
        type: 'run-held',
        run: purpose.run,
        ...because,
      }
    );
  const task = taskIdOfSession(session);
  return task === undefined ? refuse(`${id} belongs to no task`) : stopTask(state, task, because);
}

function refuseIfHeld(run: Run | undefined): Answer {
  return run?.hold === undefined ? undefined : refuse(`${run.id} is already stopped`);
}

function stopTask(state: State, id: TaskId, because: {readonly reason?: string}): Answer {
  const task = selectTask(state, id);
  if (task === undefined) return refuse(`there is no task ${id}`);
  if (task.stage.at === 'merged' || task.stage.at === 'discarded')
    return refuse(`${id} is over: ${task.stage.at}`);
  return task.hold === undefined
    ? {type: 'task-held', task: id, ...because}
    : refuse(`${id} is already stopped`);
}

function resumeTask(state: State, id: TaskId): Answer {
  const task = selectTask(state, id);
  if (task === undefined) return refuse(`there is no task ${id}`);
  if (task.hold !== undefined || task.trouble !== undefined)
    return {type: 'task-resumed', task: id};
  if (task.stage.at === 'stopped')
    return refuse(`${id} has used its tries; grant one more, take it over or discard it`);
  if (task.stage.at === 'taken-over')
    return refuse(`you took over ${id}; hand it back to run its checks`);
  if (isPausing(task)) return endPause(state, task);
  return refuse(`${id} is not stopped`);
}

/** The attempt waits for its agent's service; a person may decide to try the service now. */
function endPause(state: State, {id, attempts}: Task): Answer {
  const run = selectRun(state, runIdIn(id));
  if (run === undefined || !isRunActive(run))
    return refuse(`${runIdIn(id)} is halted; resume it first`);
  return {type: 'pause-ended', task: id, attempt: attempts.length, by: 'person'};
}

function isPausing(task: Task): boolean {
  return task.stage.at === 'attempting' && selectAttempt(task)?.step.at === 'pausing';
}

function discardTask(state: State, id: TaskId): Answer {
  const task = selectTask(state, id);
  if (task === undefined) return refuse(`there is no task ${id}`);
  const {stage} = task;
  if (stage.at === 'merged')
    return refuse(
      `${id} is already merged into the run; discard the run, or grant another try that undoes it`,
    );
  if (stage.at === 'discarded') return refuse(`${id} is already discarded`);
  // While the ref may be moving, it is unknown whether the work is merged.
  if (stage.at === 'merging' && stage.step.at === 'publishing' && task.trouble === undefined)
    return refuse(`${id} is being merged; wait for the result`);
  return {type: 'task-discarded', task: id, why: {kind: 'person'}};
}

function formatUnsettled(run: Run): string {
  if (run.stage.at !== 'working') return run.stage.at;
  const open = run.tasks
    .filter(({stage}) => stage.at !== 'merged' && stage.at !== 'discarded')
    .map(({id, stage}) => `${id} is ${stage.at}`);
  return open.length === 0 ? 'nothing was merged' : open.join(', ');
}
