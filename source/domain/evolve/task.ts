import {without} from '../../shared/index.ts';
import {selectAttempt} from '../select/find.ts';
import type {Attempt, Task} from '../task.ts';
import {runIdIn} from '../ids.ts';
import {
  changeRun,
  changeTask,
  type EventHandlers,
  formatOutOfOrder,
  isInvalidTransition,
  markSetUp,
  settleAttempts,
  withAttempt,
  withoutHalt,
  withoutResults,
} from './change.ts';
import {abandonAttempt} from './run.ts';

type TaskEvent =
  | 'task-begun'
  | 'setup-passed'
  | 'attempt-started'
  | 'attempt-continued'
  | 'task-stopped'
  | 'attempt-granted'
  | 'task-taken-over'
  | 'task-handed-back'
  | 'check-asked'
  | 'task-reset'
  | 'task-held'
  | 'task-resumed'
  | 'task-discarded'
  | 'variant-picked';

export const taskHandlers: EventHandlers<TaskEvent> = {
  'task-begun': (state, event) =>
    changeTask(state, event.task, (begun) =>
      begun.stage.at === 'waiting'
        ? {...begun, stage: {at: 'preparing', setups: 0}}
        : formatOutOfOrder(event, begun.stage.at),
    ),

  'setup-passed': (state, event) => {
    const {task: id, on} = event;
    const passed = changeTask(state, id, (prepared) => {
      const {stage} = prepared;
      if (on === undefined)
        return stage.at === 'preparing'
          ? {...prepared, isSetUp: true, stage: {at: 'preparing', setups: 0}}
          : formatOutOfOrder(event, stage.at);
      return stage.at === (on === 'merge' ? 'merging' : 'attempting')
        ? without(prepared, 'setupSession')
        : formatOutOfOrder(event, stage.at);
    });
    return isInvalidTransition(passed)
      ? passed
      : changeRun(passed, runIdIn(id), (run) =>
          markSetUp(state, run, on === 'merge' ? `${run.id}.merge` : id),
        );
  },

  'attempt-started': (state, event) =>
    changeTask(state, event.task, (started) => {
      const isNext =
        event.attempt === started.attempts.length + 1 && event.attempt <= started.allowed;
      const last = selectAttempt(started)?.step.at;
      if (
        !isNext ||
        (started.stage.at !== 'preparing' &&
          !(started.stage.at === 'attempting' && last === 'failed'))
      ) {
        return formatOutOfOrder(event, started.stage.at);
      }

      const {attempt: number, repairs, hint} = event;
      const attempt: Attempt = {
        number,
        by: 'agent',
        interruptions: 0,
        context: 1,
        step: {at: 'ready'},
        ...selectSubstitute(started),
        ...(repairs === undefined ? {} : {repairs}),
        ...(hint === undefined ? {} : {hint}),
      };
      return {
        ...without(started, 'hint'),
        stage: {at: 'attempting'},
        attempts: [...started.attempts, attempt],
      };
    }),

  'attempt-continued': (state, event) =>
    changeTask(state, event.task, (continued) =>
      continued.stage.at === 'preparing' && selectAttempt(continued)?.number === event.attempt
        ? {...continued, stage: {at: 'attempting'}}
        : formatOutOfOrder(event, continued.stage.at),
    ),

  'task-stopped': (state, event) =>
    changeTask(state, event.task, (stopped) =>
      isAtWork(stopped)
        ? {
            ...abandonAttempt(stopped),
            stage: {at: 'stopped', why: event.why, since: event.at},
            endings: stopped.endings + 1,
          }
        : formatOutOfOrder(event, stopped.stage.at),
    ),

  'attempt-granted': (state, event) =>
    changeTask(state, event.task, (granted) => {
      if (granted.stage.at !== 'stopped' && granted.stage.at !== 'merged')
        return formatOutOfOrder(event, granted.stage.at);
      const hint = event.hint === undefined ? {} : {hint: event.hint};
      return {
        ...withoutHalt(granted),
        ...hint,
        stage: {at: 'waiting'},
        allowed: granted.attempts.length + 1,
      };
    }),

  'task-taken-over': (state, event) =>
    changeTask(state, event.task, (taken) =>
      isAtWork(taken) || taken.stage.at === 'stopped' || taken.stage.at === 'taken-over'
        ? {
            ...withoutHalt(abandonAttempt(taken)),
            stage: {
              at: 'taken-over',
              ...(event.attempt === undefined ? {} : {attempt: event.attempt}),
              ...(event.left === undefined ? {} : {left: event.left}),
            },
          }
        : formatOutOfOrder(event, taken.stage.at),
    ),

  'task-handed-back': (state, event) =>
    changeTask(state, event.task, (back) => {
      if (back.stage.at !== 'taken-over') return formatOutOfOrder(event, back.stage.at);
      const going = {
        ...back,
        stage: {at: 'attempting'} as const,
        allowed: event.allowed ?? event.attempt,
      };
      const last = selectAttempt(back);
      const handedBack = event.note === undefined ? {} : {note: event.note};
      if (event.to === 'agent' && last?.number === event.attempt) {
        return last.by === 'agent' && last.step.at === 'abandoned'
          ? withAttempt(going, {...last, handedBack, step: {at: 'ready'}})
          : formatOutOfOrder(event, last.step.at);
      }

      if (event.attempt !== back.attempts.length + 1) return formatOutOfOrder(event, back.stage.at);
      const of = {number: event.attempt, interruptions: 0, context: 1};
      const repairs = last?.step.at === 'failed' ? {repairs: last.step.failure} : {};
      const attempt: Attempt =
        event.to === 'agent'
          ? {
              ...of,
              by: 'agent',
              ...selectSubstitute(back),
              ...repairs,
              handedBack,
              step: {at: 'ready'},
            }
          : {...of, by: 'person', step: {at: 'capturing'}};
      return {...going, attempts: [...back.attempts, attempt]};
    }),

  'check-asked': (state, event) =>
    changeTask(state, event.task, (asked) => {
      const attempt = selectAttempt(asked);
      const {attempt: number} = event;
      if (asked.stage.at === 'attempting' && attempt?.number === number)
        return attempt.step.at === 'working'
          ? withAttempt(asked, {...attempt, isCheckAsked: true})
          : formatOutOfOrder(event, attempt.step.at);
      if (asked.stage.at !== 'stopped' || number !== asked.attempts.length + 1)
        return formatOutOfOrder(event, asked.stage.at);
      const own: Attempt = {
        number,
        by: 'person',
        interruptions: 0,
        context: 1,
        step: {at: 'capturing'},
      };
      return {
        ...withoutHalt(asked),
        stage: {at: 'attempting'},
        allowed: number,
        attempts: [...asked.attempts, own],
      };
    }),

  'task-reset': (state, event) =>
    changeTask(state, event.task, (reset) => {
      const attempt = selectAttempt(reset);
      if (reset.stage.at !== 'attempting' || attempt === undefined)
        return formatOutOfOrder(event, reset.stage.at);
      return withAttempt(reset, {...attempt, context: attempt.context + 1, step: {at: 'ready'}});
    }),

  'task-held': (state, {task: id, reason, at}) =>
    changeTask(state, id, (held) => ({
      ...held,
      hold: {at, ...(reason === undefined ? {} : {reason})},
    })),

  'task-resumed': (state, {task: id}) =>
    changeTask(state, id, (resumed) => {
      const moments = [resumed.hold?.at, resumed.trouble?.at].filter(
        (moment) => moment !== undefined,
      );
      // The outcome of a session without an account is not read again.
      const isUnavailable = resumed.trouble?.why.kind === 'agent-unavailable';
      const why = resumed.trouble?.why;
      // A check that could not run, or that is red on the base as well, runs again.
      const rechecked = withoutResults(
        resumed,
        ({check, outcome}) =>
          outcome === 'broken' || (why?.kind === 'red-on-base' && check.name === why.name),
      );
      const going = withoutHalt(isUnavailable ? withOwnAgent(rechecked) : rechecked);
      return settleAttempts(state, going, isUnavailable ? -Infinity : Math.min(...moments));
    }),

  'task-discarded': (state, event) =>
    changeTask(state, event.task, (discarded) =>
      discarded.stage.at === 'merged' || discarded.stage.at === 'discarded'
        ? formatOutOfOrder(event, discarded.stage.at)
        : {
            ...withoutHalt(abandonAttempt(discarded)),
            undoable: {at: event.at, before: without(discarded, 'undoable')},
            stage: {at: 'discarded', why: event.why, since: event.at},
            endings: discarded.endings + 1,
          },
    ),

  'variant-picked': (state, event) =>
    changeTask(state, event.task, (picked) =>
      picked.stage.at === 'validated' && picked.stage.commit === event.commit
        ? {...picked, picked: true}
        : formatOutOfOrder(event, picked.stage.at),
    ),
};

function isAtWork({stage}: Task): boolean {
  return (
    stage.at === 'waiting' ||
    stage.at === 'preparing' ||
    stage.at === 'attempting' ||
    stage.at === 'validated' ||
    stage.at === 'merging'
  );
}

/**
 * A person made the agent available: the task's own agent is tried first again, and pauses are
 * counted from 0.
 */
function withOwnAgent(task: Task): Task {
  const attempt = selectAttempt(task);
  return attempt === undefined
    ? task
    : withAttempt(task, without(attempt, 'paused', 'agent', 'unavailable'));
}

/**
 * A replaced agent stays replaced in the next attempt, which continues the conversation of the new
 * one. No agent is tried twice for a task.
 */
function selectSubstitute({attempts}: Task): Pick<Attempt, 'agent' | 'unavailable'> {
  const last = attempts.findLast(({by}) => by === 'agent');
  return {
    ...(last?.agent === undefined ? {} : {agent: last.agent}),
    ...(last?.unavailable === undefined ? {} : {unavailable: last.unavailable}),
  };
}
