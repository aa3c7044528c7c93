import {without} from '../../base/index.ts';
import type {Event} from '../event.ts';
import type {TaskId} from '../ids.ts';
import {runIdIn} from '../ids.ts';
import {attemptOf} from '../select/find.ts';
import type {State} from '../state.ts';
import type {Failure} from '../verdict.ts';
import type {Task, TaskStage} from '../task.ts';
import {
  cameTooLate,
  changeRun,
  changeTask,
  type Fit,
  type Handlers,
  isMisfit,
  withAttempt,
} from './change.ts';
import {changeWorktree, laidOut} from './worktree.ts';

type MergeEvent =
  | 'merge-begun'
  | 'merge-built'
  | 'merge-conflicted'
  | 'merge-outdated'
  | 'merge-validated'
  | 'merge-refused'
  | 'task-merged';

export const merge: Handlers<MergeEvent> = {
  'merge-begun': (state, event) =>
    changeTask(state, event.task, (task) =>
      task.stage.at === 'validated'
        ? {...task, stage: {...task.stage, at: 'merging', step: {at: 'building'}}}
        : cameTooLate(event, task.stage.at),
    ),

  'merge-built': (state, event) => {
    const {candidate, onto, reads} = event;
    const built = moveMerge(state, event, (stage) =>
      stage.step.at === 'building'
        ? {...stage, step: {at: 'checking', candidate, onto, results: []}}
        : cameTooLate(event, stage.step.at),
    );
    if (isMisfit(built)) return built;
    return changeRun(built, runIdIn(event.task), (run) =>
      changeWorktree(run, `${run.id}.merge`, (worktree) => ({
        ...laidOut(worktree, reads),
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
    return isMisfit(outdated)
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
        : cameTooLate(event, stage.step.at),
    ),

  'merge-refused': (state, event) => refuseMerge(state, event, event.failure),

  'task-merged': (state, event) => {
    const merged = changeTask(state, event.task, (task) =>
      task.stage.at === 'merging' && task.stage.step.at === 'publishing'
        ? {
            ...task,
            stage: {at: 'merged', commit: event.commit, since: event.at},
            endings: task.endings + 1,
          }
        : cameTooLate(event, task.stage.at),
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
  move: (stage: Merging) => Fit<Merging>,
): Fit<State> {
  return changeTask(state, event.task, (task) => {
    if (task.stage.at !== 'merging') return cameTooLate(event, task.stage.at);
    const stage = move(task.stage);
    return typeof stage === 'string' ? stage : {...task, stage};
  });
}

/** The attempt was green on its own and is red beside the others: that is its failure, and the law goes on from there. */
function refuseMerge(
  state: State,
  event: Event & {readonly task: TaskId},
  failure: Failure,
): Fit<State> {
  return changeTask(state, event.task, (task): Fit<Task> => {
    const attempt = attemptOf(task);
    if (task.stage.at !== 'merging' || attempt === undefined)
      return cameTooLate(event, task.stage.at);
    return withAttempt(
      {...task, stage: {at: 'attempting'}},
      {...attempt, step: {at: 'failed', failure}},
    );
  });
}
