import {without} from '../../shared/index.ts';
import type {Run} from '../run.ts';
import type {Task, TaskStage} from '../task.ts';
import {
  changeRun,
  changeTask,
  changeWorktree,
  type EventHandlers,
  formatOutOfOrder,
  isInvalidTransition,
  type TransitionResult,
  withAttempt,
  withReads,
} from './change.ts';
import type {Event} from '../event.ts';
import {runIdIn, type TaskId} from '../ids.ts';
import {selectAttempt} from '../select/find.ts';
import {selectVariants} from '../select/variants.ts';
import type {State} from '../state.ts';
import type {Failure} from '../verdict.ts';

type BranchEvent = 'branch-moved' | 'branch-adopted' | 'branch-restore-asked' | 'branch-restored';

/** Someone else moved the run's own branch, and a person has to decide which commit counts. */
export const branchHandlers: EventHandlers<BranchEvent> = {
  'branch-moved': (state, event) =>
    changeRun(state, event.run, (run) => {
      const {branch: name, expected, found, relation, at} = event;
      if (run.stage.at !== 'working' && run.stage.at !== 'accepting')
        return formatOutOfOrder(event, run.stage.at);
      const stage: Run['stage'] =
        run.stage.at === 'accepting'
          ? {...without(run.stage, 'commit', 'way', 'into', 'signed'), at: 'working'}
          : run.stage;
      return {
        ...run,
        stage,
        tasks: run.tasks.map(restartMerge),
        moved: {branch: name, expected, found, relation, at},
      };
    }),

  'branch-adopted': (state, event) =>
    changeRun(state, event.run, (run) =>
      run.moved?.found === event.commit && run.moved.relation === 'ahead'
        ? {
            ...without(run, 'moved'),
            head: event.commit,
            adopted: [...(run.adopted ?? []), event.commit],
          }
        : `${event.commit} was not found on top of the branch of ${run.id}`,
    ),

  'branch-restore-asked': (state, event) =>
    changeRun(state, event.run, (run): TransitionResult<Run> =>
      run.moved?.found === event.commit
        ? {...run, moved: {...run.moved, isRestoring: true}}
        : `${event.commit} was not found on the branch of ${run.id}`,
    ),

  'branch-restored': (state, event) =>
    changeRun(state, event.run, (run) =>
      run.moved === undefined ? `the branch of ${run.id} was not moved` : without(run, 'moved'),
    ),
};

/**
 * A candidate that was built on the expected tip is built again on the tip that the person chooses.
 */
function restartMerge(task: Task): Task {
  return task.stage.at === 'merging'
    ? {...without(task, 'setupSession'), stage: {...task.stage, step: {at: 'building'}}}
    : task;
}

type MergeEvent =
  | 'merge-begun'
  | 'merge-built'
  | 'merge-conflicted'
  | 'merge-outdated'
  | 'merge-validated'
  | 'merge-refused'
  | 'task-merged';

export const mergeHandlers: EventHandlers<MergeEvent> = {
  'merge-begun': (state, event) =>
    changeTask(state, event.task, (task) =>
      task.stage.at === 'validated'
        ? {...task, stage: {...task.stage, at: 'merging', step: {at: 'building'}}}
        : formatOutOfOrder(event, task.stage.at),
    ),

  'merge-built': (state, event) => {
    const {candidate, onto, reads} = event;
    const built = moveMerge(state, event, (stage) =>
      stage.step.at === 'building'
        ? {...stage, step: {at: 'checking', candidate, onto, results: []}}
        : formatOutOfOrder(event, stage.step.at),
    );
    if (isInvalidTransition(built)) return built;
    return changeRun(built, runIdIn(event.task), (run) =>
      changeWorktree(run, `${run.id}.merge`, (worktree) => ({
        ...withReads(worktree, reads),
        commit: candidate,
      })),
    );
  },

  'merge-conflicted': (state, event) =>
    refuseMerge(state, event, {
      kind: 'conflict',
      paths: event.paths,
      ...(event.hunks === undefined ? {} : {hunks: event.hunks}),
    }),

  'merge-outdated': (state, event) => {
    const outdated = moveMerge(state, event, (stage) => ({...stage, step: {at: 'building'}}));
    return isInvalidTransition(outdated)
      ? outdated
      : changeTask(outdated, event.task, (task) => without(task, 'setupSession'));
  },

  'merge-validated': (state, event) =>
    moveMerge(state, event, (stage) =>
      stage.step.at === 'checking'
        ? {
            ...stage,
            step: {at: 'publishing', candidate: stage.step.candidate, onto: stage.step.onto},
          }
        : formatOutOfOrder(event, stage.step.at),
    ),

  'merge-refused': (state, event) => refuseMerge(state, event, event.failure),

  'task-merged': (state, event) => {
    const merged = changeTask(state, event.task, (task, run) =>
      task.stage.at === 'merging' && task.stage.step.at === 'publishing'
        ? {
            ...task,
            ...(selectVariants(run, task).length > 1 ? {picked: true} : {}),
            stage: {at: 'merged', commit: event.commit, since: event.at},
            endings: task.endings + 1,
          }
        : formatOutOfOrder(event, task.stage.at),
    );
    return typeof merged === 'string'
      ? merged
      : changeRun(merged, runIdIn(event.task), (run) => ({...run, head: event.commit}));
  },
};

type Merging = Extract<TaskStage, {readonly at: 'merging'}>;

function moveMerge(
  state: State,
  event: Event & {readonly task: TaskId},
  move: (stage: Merging) => TransitionResult<Merging>,
): TransitionResult<State> {
  return changeTask(state, event.task, (task) => {
    if (task.stage.at !== 'merging') return formatOutOfOrder(event, task.stage.at);
    const stage = move(task.stage);
    return typeof stage === 'string' ? stage : {...task, stage};
  });
}

/** The attempt was green alone and is red together with other tasks: the attempt has failed. */
function refuseMerge(
  state: State,
  event: Event & {readonly task: TaskId},
  failure: Failure,
): TransitionResult<State> {
  return changeTask(state, event.task, (task): TransitionResult<Task> => {
    const attempt = selectAttempt(task);
    if (task.stage.at !== 'merging' || attempt === undefined)
      return formatOutOfOrder(event, task.stage.at);
    return withAttempt(
      {...task, stage: {at: 'attempting'}},
      {...attempt, step: {at: 'failed', failure}},
    );
  });
}
