import {without} from '../../shared/index.ts';
import {selectAttempt} from '../select/find.ts';
import type {Attempt, AttemptStep, Task} from '../task.ts';
import {runIdIn} from '../ids.ts';
import {
  changeAttempt,
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

type AttemptEvent =
  | 'attempt-interrupted'
  | 'attempt-paused'
  | 'pause-ended'
  | 'attempt-reopened'
  | 'agent-replaced'
  | 'agent-finished'
  | 'agent-gave-up'
  | 'agent-failed'
  | 'change-captured'
  | 'change-judged'
  | 'check-finished'
  | 'change-validated'
  | 'change-committed'
  | 'attempt-failed';

export const attemptHandlers: EventHandlers<AttemptEvent> = {
  'attempt-interrupted': (state, event) =>
    changeTask(state, event.task, (task) => {
      const interrupted = selectAttempt(task);
      if (interrupted?.number !== event.attempt)
        return `attempt ${event.attempt} of ${task.id} is not the current one`;
      const counted = {...interrupted, interruptions: interrupted.interruptions + 1};
      const {stage} = task;
      const {step} = interrupted;
      if (task.setupSession === event.session)
        return withAttempt(without(task, 'setupSession'), counted);
      if (
        stage.at === 'merging' &&
        stage.step.at === 'checking' &&
        stage.step.session === event.session
      ) {
        return withAttempt(
          {...task, stage: {...stage, step: without(stage.step, 'session')}},
          counted,
        );
      }

      if (step.at === 'working' && step.session === event.session)
        return withAttempt(task, {...counted, step: {at: 'ready'}});
      if (step.at === 'checking' && step.session === event.session)
        return withAttempt(task, {...counted, step: without(step, 'session')});
      return formatOutOfOrder(event, step.at);
    }),

  'attempt-paused': (state, event) =>
    changeAttempt(state, event.task, event.attempt, (paused, task) => {
      if (task.stage.at !== 'attempting' || paused.step.at !== 'working')
        return formatOutOfOrder(event, paused.step.at);
      const {times, total} = paused.paused ?? {times: 0, total: 0};
      return {
        ...paused,
        paused: {times: times + 1, total: total + Math.max(0, event.until - event.at)},
        step: {at: 'pausing', until: event.until},
      };
    }),

  'pause-ended': (state, event) =>
    changeAttempt(state, event.task, event.attempt, (paused, task): TransitionResult<Attempt> => {
      if (task.stage.at !== 'attempting' || paused.step.at !== 'pausing')
        return formatOutOfOrder(event, paused.step.at);
      return {...(event.by === 'person' ? without(paused, 'paused') : paused), step: {at: 'ready'}};
    }),

  'attempt-reopened': (state, event) =>
    changeTask(state, event.task, (task) => {
      const reopened = selectAttempt(task);
      if (reopened?.number !== event.attempt || !isReopenable(reopened.step))
        return formatOutOfOrder(event, reopened?.step.at ?? task.stage.at);
      return withAttempt(without(task, 'setupSession'), {
        ...without(reopened, 'isCheckAsked'),
        step: {at: 'working', session: event.session},
      });
    }),

  'agent-replaced': (state, event) =>
    changeAttempt(state, event.task, event.attempt, (replaced, task): TransitionResult<Attempt> => {
      if (task.stage.at !== 'attempting' || replaced.step.at !== 'working')
        return formatOutOfOrder(event, replaced.step.at);
      const unavailable = [...(replaced.unavailable ?? []), event.from];
      if (unavailable.includes(event.to))
        return `${event.to} was unavailable for ${task.id} already`;
      // The pauses were those of the other agent's service.
      return {...without(replaced, 'paused'), agent: event.to, unavailable, step: {at: 'ready'}};
    }),

  'agent-finished': (state, event) =>
    moveStep(state, event, 'working', () => ({
      at: 'capturing',
      ...(event.denied === undefined ? {} : {denied: event.denied}),
    })),

  'agent-gave-up': (state, event) =>
    moveStep(state, event, 'working', () => ({at: 'gave-up', words: event.words})),

  'agent-failed': (state, event) =>
    moveStep(state, event, 'working', () => ({
      at: 'failed',
      failure: {kind: 'agent', words: event.words},
    })),

  'change-captured': (state, event) => {
    const captured = moveStep(state, event, 'capturing', ({denied}) => ({
      at: 'judging',
      change: event.change,
      ...(denied === undefined ? {} : {denied}),
    }));
    const {reads} = event.change;
    if (isInvalidTransition(captured) || reads === undefined) return captured;
    return changeRun(captured, runIdIn(event.task), (run) =>
      changeWorktree(run, event.task, (worktree) => withReads(worktree, reads)),
    );
  },

  'change-judged': (state, event) =>
    moveStep(state, event, 'judging', ({change}) => ({
      at: 'checking',
      change,
      judgement: event.judgement,
      results: [],
    })),

  'check-finished': (state, event) => {
    if (event.on === 'change') {
      return moveStep(state, event, 'checking', (step) => ({
        ...without(step, 'session'),
        results: [...step.results, event.result],
      }));
    }

    return changeTask(state, event.task, (task) => {
      if (task.stage.at !== 'merging' || task.stage.step.at !== 'checking')
        return formatOutOfOrder(event, task.stage.at);
      const {step} = task.stage;
      return {
        ...task,
        stage: {
          ...task.stage,
          step: {...without(step, 'session'), results: [...step.results, event.result]},
        },
      };
    });
  },

  'change-validated': (state, event) =>
    moveStep(state, event, 'checking', ({change, judgement, results}) => ({
      at: 'committing',
      change,
      judgement,
      results,
    })),

  'change-committed': (state, event) =>
    changeTask(state, event.task, (task) => {
      const committed = selectAttempt(task);
      if (
        task.stage.at !== 'attempting' ||
        committed?.number !== event.attempt ||
        committed.step.at !== 'committing'
      ) {
        return formatOutOfOrder(event, committed?.step.at ?? task.stage.at);
      }

      const passed = withAttempt(task, {
        ...committed,
        step: {...committed.step, at: 'passed', commit: event.commit},
      });
      return {
        ...passed,
        stage: {at: 'validated', commit: event.commit, seq: state.seq + 1, since: event.at},
      };
    }),

  'attempt-failed': (state, event) =>
    changeTask(state, event.task, (task) => {
      const failed = selectAttempt(task);
      if (failed?.number !== event.attempt)
        return `attempt ${event.attempt} of ${task.id} is not the current one`;
      const isOpen = failed.step.at === 'judging' || failed.step.at === 'checking';
      return isOpen
        ? withAttempt(without(task, 'setupSession'), {
            ...failed,
            step: {at: 'failed', failure: event.failure},
          })
        : formatOutOfOrder(event, failed.step.at);
    }),
};

/** What was captured is not committed yet. */
function isReopenable({at}: AttemptStep): boolean {
  return at === 'capturing' || at === 'judging' || at === 'checking';
}

type StepAt<At extends AttemptStep['at']> = Extract<AttemptStep, {readonly at: At}>;

/**
 * Moves the attempt from the step `from` to the next one; in any other step the event is out of
 * order.
 */
function moveStep<At extends AttemptStep['at']>(
  state: Parameters<typeof changeAttempt>[0],
  event: Parameters<typeof formatOutOfOrder>[0] & {
    readonly task: Task['id'];
    readonly attempt: number;
  },
  from: At,
  move: (step: StepAt<At>) => AttemptStep,
): ReturnType<typeof changeAttempt> {
  return changeAttempt(
    state,
    event.task,
    event.attempt,
    (current, task): TransitionResult<Attempt> => {
      if (task.stage.at !== 'attempting' || current.step.at !== from)
        return formatOutOfOrder(event, current.step.at);
      return {...current, step: move(current.step as StepAt<At>)};
    },
  );
}
