import type {EventOf} from '../event.ts';
import type {Run} from '../run.ts';
import {selectBaseline} from '../select/baseline.ts';
import type {Purpose} from '../session.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import {
  changeAttempt,
  changeRun,
  changeService,
  changeTask,
  formatOutOfOrder,
  isInvalidTransition,
  type TransitionResult,
} from './change.ts';
import {putIntoPrompt} from './message.ts';

const maxStarts = 5;

/** Records the session in the state of what it works for. */
export function assignSession(
  state: State,
  event: EventOf<'session-asked'>,
): TransitionResult<State> {
  const {session: id, purpose} = event;
  switch (purpose.for) {
    case 'plan':
      return changeRun(state, purpose.run, (run) => {
        const round = run.rounds.at(-1);
        // It resumes the conversation for the person, beside the plan that they read.
        if (run.stage.at === 'reviewing' && purpose.waits === true) return run;
        if (round?.number !== purpose.round || round.step.at !== 'preparing')
          return formatOutOfOrder(event, round?.step.at ?? run.stage.at);
        return {
          ...run,
          rounds: [...run.rounds.slice(0, -1), {...round, step: {at: 'thinking', session: id}}],
        };
      });
    case 'worktree-setup':
    case 'baseline':
      return changeRun(state, purpose.run, (run) => assignToRun(run, event));
    case 'setup':
      return changeTask(state, purpose.task, (task) => assignToSetup(task, event, purpose));
    case 'attempt': {
      const working = changeAttempt(state, purpose.task, purpose.attempt, (attempt) =>
        attempt.step.at === 'ready'
          ? {...attempt, step: {at: 'working', session: id}}
          : formatOutOfOrder(event, attempt.step.at),
      );
      return isInvalidTransition(working)
        ? working
        : changeTask(working, purpose.task, (task) => putIntoPrompt(task, id));
    }

    case 'takeover':
      return changeTask(state, purpose.task, (task) =>
        task.stage.at === 'taken-over'
          ? {...task, stage: {...task.stage, session: id}}
          : formatOutOfOrder(event, task.stage.at),
      );
    case 'check':
      return assignToCheck(state, event, purpose);
    case 'service':
      return changeService(state, purpose.service, (service) => ({
        ...service,
        starts: [...service.starts, event.at].slice(-maxStarts),
        stage: {at: 'up', session: id, condition: 'starting', since: event.at},
      }));
    case 'shell':
      return changeTask(state, purpose.task, (task) => task);
    case 'person':
      return state;
  }
}

function assignToSetup(
  task: Task,
  event: EventOf<'session-asked'>,
  {on}: Extract<Purpose, {for: 'setup'}>,
): TransitionResult<Task> {
  const {stage} = task;
  if (on !== undefined && (stage.at === 'attempting' || stage.at === 'merging'))
    return {...task, setupSession: event.session};
  return stage.at === 'preparing'
    ? {...task, stage: {at: 'preparing', setup: event.session, setups: stage.setups + 1}}
    : formatOutOfOrder(event, stage.at);
}

/** The session checks the base, or sets up the planner's worktree. */
function assignToRun(run: Run, event: EventOf<'session-asked'>): TransitionResult<Run> {
  const round = run.rounds.at(-1);
  if (run.stage.at !== 'planning')
    return {...run, baseline: {...selectBaseline(run), session: event.session}};
  if (round?.step.at !== 'preparing')
    return formatOutOfOrder(event, round?.step.at ?? run.stage.at);
  return {
    ...run,
    rounds: [...run.rounds.slice(0, -1), {...round, step: {at: 'preparing', setup: event.session}}],
  };
}

function assignToCheck(
  state: State,
  event: EventOf<'session-asked'>,
  purpose: Extract<Purpose, {for: 'check'}>,
): TransitionResult<State> {
  const {session: id} = event;
  if (purpose.on === 'change') {
    return changeAttempt(state, purpose.task, purpose.attempt, (attempt) =>
      attempt.step.at === 'checking'
        ? {...attempt, step: {...attempt.step, session: id}}
        : formatOutOfOrder(event, attempt.step.at),
    );
  }

  return changeTask(state, purpose.task, (task) =>
    task.stage.at === 'merging' && task.stage.step.at === 'checking'
      ? {...task, stage: {...task.stage, step: {...task.stage.step, session: id}}}
      : formatOutOfOrder(event, task.stage.at),
  );
}
