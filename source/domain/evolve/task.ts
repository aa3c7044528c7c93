import {without} from '../../base/index.ts';
import {attemptOf} from '../select/find.ts';
import type {Attempt, Task} from '../task.ts';
import {runIdIn} from '../ids.ts';
import {
  cameTooLate,
  changeRun,
  changeTask,
  type Handlers,
  isMisfit,
  withAttempt,
} from './change.ts';
import {withoutResult} from './baseline.ts';
import {lifted} from './house.ts';
import {abandon} from './run.ts';
import {settleAttempts} from './settle-attempts.ts';
import {setUp} from './worktree.ts';

type TaskEvent =
  | 'task-begun'
  | 'setup-passed'
  | 'attempt-started'
  | 'attempt-continued'
  | 'task-stopped'
  | 'attempt-granted'
  | 'task-taken-over'
  | 'task-handed-back'
  | 'task-reset'
  | 'task-held'
  | 'task-resumed'
  | 'task-discarded';

export const task: Handlers<TaskEvent> = {
  'task-begun': (state, event) =>
    changeTask(state, event.task, (begun) =>
      begun.stage.at === 'waiting'
        ? {...begun, stage: {at: 'preparing', setups: 0}}
        : cameTooLate(event, begun.stage.at),
    ),

  'setup-passed': (state, event) => {
    const {task: id, on} = event;
    const passed = changeTask(state, id, (prepared) => {
      const {stage} = prepared;
      if (on === undefined)
        return stage.at === 'preparing'
          ? {...prepared, isSetUp: true, stage: {at: 'preparing', setups: 0}}
          : cameTooLate(event, stage.at);
      return stage.at === (on === 'merge' ? 'merging' : 'attempting')
        ? without(prepared, 'setupSession')
        : cameTooLate(event, stage.at);
    });
    return isMisfit(passed)
      ? passed
      : changeRun(passed, runIdIn(id), (run) =>
          setUp(state, run, on === 'merge' ? `${run.id}.merge` : id),
        );
  },

  'attempt-started': (state, event) =>
    changeTask(state, event.task, (started) => {
      const isNext =
        event.attempt === started.attempts.length + 1 && event.attempt <= started.allowed;
      const last = attemptOf(started)?.step.at;
      if (
        !isNext ||
        (started.stage.at !== 'preparing' &&
          !(started.stage.at === 'attempting' && last === 'failed'))
      ) {
        return cameTooLate(event, started.stage.at);
      }

      const {attempt: number, repairs, hint} = event;
      const attempt: Attempt = {
        number,
        by: 'agent',
        interruptions: 0,
        context: 1,
        step: {at: 'ready'},
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
      continued.stage.at === 'preparing' && attemptOf(continued)?.number === event.attempt
        ? {...continued, stage: {at: 'attempting'}}
        : cameTooLate(event, continued.stage.at),
    ),

  'task-stopped': (state, event) =>
    changeTask(state, event.task, (stopped) =>
      isAtWork(stopped)
        ? {
            ...abandon(stopped),
            stage: {at: 'stopped', why: event.why, since: event.at},
            endings: stopped.endings + 1,
          }
        : cameTooLate(event, stopped.stage.at),
    ),

  'attempt-granted': (state, event) =>
    changeTask(state, event.task, (granted) => {
      if (granted.stage.at !== 'stopped' && granted.stage.at !== 'merged')
        return cameTooLate(event, granted.stage.at);
      const hint = event.hint === undefined ? {} : {hint: event.hint};
      return {
        ...lifted(granted),
        ...hint,
        stage: {at: 'waiting'},
        allowed: granted.attempts.length + 1,
      };
    }),

  'task-taken-over': (state, event) =>
    changeTask(state, event.task, (taken) =>
      isAtWork(taken) || taken.stage.at === 'stopped' || taken.stage.at === 'taken-over'
        ? {
            ...lifted(abandon(taken)),
            stage: {
              at: 'taken-over',
              ...(event.attempt === undefined ? {} : {attempt: event.attempt}),
              ...(event.left === undefined ? {} : {left: event.left}),
            },
          }
        : cameTooLate(event, taken.stage.at),
    ),

  'task-handed-back': (state, event) =>
    changeTask(state, event.task, (back) => {
      if (back.stage.at !== 'taken-over') return cameTooLate(event, back.stage.at);
      const going = {
        ...back,
        stage: {at: 'attempting'} as const,
        allowed: event.allowed ?? event.attempt,
      };
      const last = attemptOf(back);
      const handedBack = event.note === undefined ? {} : {note: event.note};
      if (event.to === 'agent' && last?.number === event.attempt) {
        return last.by === 'agent' && last.step.at === 'abandoned'
          ? withAttempt(going, {...last, handedBack, step: {at: 'ready'}})
          : cameTooLate(event, last.step.at);
      }

      if (event.attempt !== back.attempts.length + 1) return cameTooLate(event, back.stage.at);
      const of = {number: event.attempt, interruptions: 0, context: 1};
      const repairs = last?.step.at === 'failed' ? {repairs: last.step.failure} : {};
      const attempt: Attempt =
        event.to === 'agent'
          ? {...of, by: 'agent', ...repairs, handedBack, step: {at: 'ready'}}
          : {...of, by: 'person', step: {at: 'capturing'}};
      return {...going, attempts: [...back.attempts, attempt]};
    }),

  'task-reset': (state, event) =>
    changeTask(state, event.task, (reset) => {
      const attempt = attemptOf(reset);
      if (reset.stage.at !== 'attempting' || attempt === undefined)
        return cameTooLate(event, reset.stage.at);
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
      // What an agent without an account left behind is nothing to read again.
      const isUnavailable = resumed.trouble?.why.kind === 'agent-unavailable';
      const why = resumed.trouble?.why;
      const repaired = why?.kind === 'red-on-base' ? withoutResult(resumed, why.name) : resumed;
      const going = withoutBrokenChecks(lifted(isUnavailable ? withoutPauses(repaired) : repaired));
      return settleAttempts(state, going, isUnavailable ? -Infinity : Math.min(...moments));
    }),

  'task-discarded': (state, event) =>
    changeTask(state, event.task, (discarded) =>
      discarded.stage.at === 'merged' || discarded.stage.at === 'discarded'
        ? cameTooLate(event, discarded.stage.at)
        : {
            ...lifted(abandon(discarded)),
            stage: {at: 'discarded', why: event.why, since: event.at},
            endings: discarded.endings + 1,
          },
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

/** A person says that the agent is to be tried again: its pauses are counted from here. */
function withoutPauses(task: Task): Task {
  const attempt = attemptOf(task);
  return attempt === undefined ? task : withAttempt(task, without(attempt, 'paused'));
}

/** A check that could not run said nothing; after a person's repair it runs again. */
function withoutBrokenChecks(task: Task): Task {
  const attempt = attemptOf(task);
  const {stage} = task;
  if (stage.at === 'merging' && stage.step.at === 'checking') {
    return {
      ...task,
      stage: {
        ...stage,
        step: {
          ...stage.step,
          results: stage.step.results.filter(({outcome}) => outcome !== 'broken'),
        },
      },
    };
  }

  if (attempt?.step.at !== 'checking') return task;
  return withAttempt(task, {
    ...attempt,
    step: {
      ...attempt.step,
      results: attempt.step.results.filter(({outcome}) => outcome !== 'broken'),
    },
  });
}
