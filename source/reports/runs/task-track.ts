import {
  type Attempt,
  type Run,
  selectAttempt,
  selectPlannedWorker,
  selectTaskQuestion,
  selectVariants,
  type State,
  type StopReason,
  type Task,
  type TaskId,
} from '../../domain/index.ts';
import {toSafeLine} from '../terminal-text.ts';

/**
 * The stages of a task. `work`: from the worktree to the agent's end. `rules`: scope and rules.
 * `checks`: on the change. `merge`: the merge and the checks after it.
 */
export const trackStages = ['work', 'rules', 'checks', 'merge'] as const;

export type TrackStage = (typeof trackStages)[number];

/** `asks`: it waits for the person there. `yours`: the person took it over there. */
export type SegmentState = 'done' | 'active' | 'todo' | 'failed' | 'asks' | 'yours';

export type TaskTrack = Readonly<Record<TrackStage, SegmentState>>;

/** How far a task is. */
export function selectTrack(state: State, task: Task): TaskTrack {
  const {stage, trouble} = task;
  if (stage.at === 'merged') return trackUpTo('merge', 'done');
  if (stage.at === 'stopped') return toFailedTrack(stage.why);
  if (stage.at === 'taken-over') return trackUpTo('work', 'yours');
  const [place, own] = findPlace(task);
  if (own !== 'active') return trackUpTo(place, own);
  if (trouble !== undefined) return trackUpTo(place, 'failed');
  return trackUpTo(place, selectTaskQuestion(state, task.id) === undefined ? 'active' : 'asks');
}

/** The track of an attempt that failed for this reason. */
export function toFailedTrack(why: StopReason): TaskTrack {
  return trackUpTo(findFailedStage(why), 'failed');
}

/** The number of a task for people: its place in the plan. Its pane has the same number. */
export function selectTaskNumber(run: Run, task: TaskId): number | undefined {
  const index = run.tasks.findIndex(({id}) => id === task);
  return index === -1 ? undefined : index + 1;
}

/** The title of a task for people. Variants have the same title, so the agent stands before it. */
export function toTaskTitle(run: Run, task: Task): string {
  const title = toSafeLine(task.planned.title);
  return selectVariants(run, task).length === 1
    ? title
    : `${toSafeLine(selectPlannedWorker(run, task.planned).agent)}: ${title}`;
}

function trackUpTo(place: TrackStage, own: SegmentState): TaskTrack {
  const at = trackStages.indexOf(place);
  const stateOf = (stage: TrackStage): SegmentState => {
    const index = trackStages.indexOf(stage);
    if (index === at) return own;
    return index < at ? 'done' : 'todo';
  };
  return {
    work: stateOf('work'),
    rules: stateOf('rules'),
    checks: stateOf('checks'),
    merge: stateOf('merge'),
  };
}

function findPlace(task: Task): readonly [TrackStage, SegmentState] {
  switch (task.stage.at) {
    case 'preparing':
      return ['work', 'active'];
    case 'validated':
      return ['merge', 'todo'];
    case 'merging':
      return ['merge', 'active'];
    case 'attempting':
    case 'discarded':
      return findPlaceOfAttempt(selectAttempt(task), task.stage.at === 'attempting');
    default:
      return ['work', 'todo'];
  }
}

/** `isOpen`: without it, the attempt has ended with its task, and nothing is under way. */
function findPlaceOfAttempt(
  attempt: Attempt | undefined,
  isOpen: boolean,
): readonly [TrackStage, SegmentState] {
  const step = attempt?.step;
  const own = isOpen ? 'active' : 'todo';
  switch (step?.at) {
    case 'capturing':
    case 'judging':
      return ['rules', own];
    case 'checking':
      return ['checks', own];
    case 'committing':
      return ['checks', 'done'];
    case 'passed':
      return ['merge', 'todo'];
    case 'failed':
      return [findFailedStage(step.failure), 'failed'];
    case 'gave-up':
      return ['work', 'failed'];
    default:
      return ['work', own];
  }
}

function findFailedStage(why: StopReason): TrackStage {
  switch (why.kind) {
    case 'scope':
    case 'rule':
      return 'rules';
    case 'check':
      return why.on === 'merge' ? 'merge' : 'checks';
    case 'conflict':
      return 'merge';
    default:
      return 'work';
  }
}
