import {
  isRunId,
  isSessionId,
  isTaskId,
  type Need,
  type RunId,
  runIdIn,
  runIdOfSession,
  selectListedServices,
  selectRun,
  selectSession,
  selectTask,
  selectWorktree,
  type SessionId,
  type State,
  type TaskId,
  taskIdOfSession,
} from '../../domain/index.ts';
import {acceptRun, type BaselineAction, decideOnBaseline, pickVariant} from './run-decisions.ts';
import {confirmDiscard, confirmReset, confirmStop} from './confirmations.ts';
import {
  noChange,
  openField,
  type Result,
  withCommands,
  withConfirmation,
  withEffects,
  withNotice,
} from './action.ts';
import {answerPlan, answerQuestion} from './answer-need.ts';
import {handlePaneAction} from './handle-pane-action.ts';
import {focusedPane, selectedRow} from './pane-grid.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {Model} from './model.ts';
import {selectMarkedVariant} from '../select/variants-view.ts';

type DecisionAction =
  | 'stop'
  | 'resume'
  | 'take-over'
  | 'hand-back'
  | 'hand-to-agent'
  | 'check'
  | 'discard'
  | 'approve'
  | 'edit-plan'
  | 'reject-plan'
  | 'option'
  | 'answer'
  | 'grant'
  | 'pick'
  | 'accept'
  | 'plan-again'
  | 'more-budget'
  | 'seen'
  | 'adopt-branch'
  | 'restore-branch'
  | BaselineAction
  | 'start-service'
  | 'stop-service'
  | 'restart-service'
  | 'propose'
  | 'note'
  | 'tell'
  | 'reset'
  | 'environment'
  | 'start-command'
  | 'queue-earlier'
  | 'queue-later';

/**
 * Handles a decision of the person. It becomes a command; what cannot be undone by a key is
 * confirmed first.
 */
export function handleDecision(
  model: Model,
  action: DecisionAction,
  chord: string,
  state: State,
  now: number,
): Result {
  const {need} = model;
  const what = selectSubject(model, state);
  const reject = (text: string): Result => noChange(withNotice(model, text, now));
  switch (action) {
    case 'approve':
    case 'edit-plan':
    case 'reject-plan':
      return answerPlan(model, action, state, now);
    case 'pick':
      return pickVariant(model, state, now);
    case 'accept':
    case 'propose':
      return acceptRun(model, action, state, now);
    case 'option':
    case 'answer':
      // A secret is typed into the pane, so without a pane in view its terminal is opened for it.
      if (
        need?.kind === 'question' &&
        need.secret &&
        focusedPane(model, state)?.session !== need.session
      )
        return handlePaneAction(model, 'type', chord, state, now);
      return answerQuestion(model, action === 'option' ? Number(chord) : undefined, now);
    case 'stop':
      if (what === undefined) return commandService(model, 'stop-service', state, now);
      return noChange(
        withConfirmation(model, confirmStop(state, what, keyFor(model, 'resume', 'workers'))),
      );
    case 'resume':
      return what === undefined || isSessionId(what)
        ? reject('Choose a run or a task that was stopped.')
        : withCommands(model, {type: 'resume', what});
    case 'take-over':
    case 'hand-back': {
      if (what === undefined || !isTaskId(what)) return reject('Choose a task first.');
      // The same key once more hands it back.
      const isTaken = selectTask(state, what)?.stage.at === 'taken-over';
      return withCommands(model, {type: isTaken ? 'hand-back' : action, task: what});
    }

    case 'check':
      return what === undefined || !isTaskId(what)
        ? reject('Choose a task whose agent waits for you, or that you have taken over.')
        : withCommands(model, {type: 'check-task', task: what});
    case 'hand-to-agent': {
      const isTaken =
        what !== undefined && isTaskId(what) && selectTask(state, what)?.stage.at === 'taken-over';
      return isTaken
        ? noChange(
            openField(model, {what: 'hand-to-agent', task: what}, 'Note for its agent, or none'),
          )
        : reject('Choose a task that you have taken over.');
    }

    case 'grant':
      return what === undefined || !isTaskId(what)
        ? reject('Choose a task first.')
        : noChange(openField(model, {what: 'hint', task: what}, 'Hint'));
    case 'discard':
      if (what === undefined || isSessionId(what))
        return reject('Choose a run or a task to discard.');
      return noChange(withConfirmation(model, confirmDiscard(state, what)));
    case 'plan-again':
      return what === undefined || !isRunId(what)
        ? reject('Choose a run first.')
        : noChange(openField(model, {what: 'plan-again', run: what}, 'What should be different'));
    case 'more-budget':
      if (need?.kind !== 'budget') return noChange(model);
      return withCommands(model, {
        type: 'extend-budget',
        run: need.run,
        ...(need.exhausted.budget === 'tokens'
          ? {tokens: need.exhausted.used * 2}
          : {wallClock: need.exhausted.used * 2}),
      });
    case 'seen':
      if (need?.kind === 'loop')
        return withCommands(model, {
          type: 'acknowledge-loop',
          session: need.session,
          number: need.number,
        });
      return need?.kind === 'intrusion'
        ? withCommands(model, {type: 'acknowledge-intrusion', number: need.number})
        : noChange(model);
    case 'adopt-branch':
    case 'restore-branch':
      if (need?.kind !== 'branch') return noChange(model);
      if (action === 'adopt-branch' && need.relation !== 'ahead')
        return reject(
          `${need.branch} does not hold what was merged. ` +
            `${keyFor(model, 'restore-branch', 'need-branch')} puts it back.`,
        );
      return withCommands(model, {type: action, run: need.run, commit: need.found});
    case 'baseline-mend':
    case 'baseline-ignore':
    case 'baseline-no-new':
    case 'baseline-count':
    case 'baseline-again':
      return decideOnBaseline(model, action, state, now);
    case 'start-service':
    case 'stop-service':
    case 'restart-service':
      return commandService(model, action, state, now);
    case 'note':
      return what === undefined
        ? reject('Choose a run, a task or a session first.')
        : noChange(openField(model, {what: 'note', on: what}, `Note on ${what}`));
    case 'tell':
      if (what === undefined || !isTaskId(what)) return reject('Choose a task first.');
      return noChange(openField(model, {what: 'tell', task: what}, `Message to ${what}`));
    case 'reset':
      if (what === undefined || !isTaskId(what)) return reject('Choose a task first.');
      return noChange(withConfirmation(model, confirmReset(state, what)));
    case 'environment':
      return askEnvironment(model, what, state, now);
    case 'start-command':
      return openCommandField(model, what, state);
    case 'queue-earlier':
    case 'queue-later':
      return moveInQueue(model, what, action === 'queue-earlier' ? -1 : 1, state, now);
  }
}

/** Asks the daemon for the environment of a run. `confirmEnvironment` shows the answer. */
function askEnvironment(
  model: Model,
  what: RunId | TaskId | SessionId | undefined,
  state: State,
  now: number,
): Result {
  const run = runOf(what, state);
  if (run === undefined)
    return noChange(withNotice(model, 'Choose a run, or a task or a session of one.', now));
  return withEffects(model, {
    type: 'ask',
    name: `environment/${run}`,
    question: {about: 'environment', of: run},
  });
}

function runOf(what: RunId | TaskId | SessionId | undefined, state: State): RunId | undefined {
  if (what === undefined) return undefined;
  if (!isSessionId(what)) return runIdIn(what);
  const session = selectSession(state, what);
  return session === undefined ? undefined : runIdOfSession(session);
}

/** The command runs in the worktree of the selected task, else where the app was started. */
function openCommandField(
  model: Model,
  what: RunId | TaskId | SessionId | undefined,
  state: State,
): Result {
  const run = what !== undefined && isTaskId(what) ? selectRun(state, runIdIn(what)) : undefined;
  const worktree =
    run === undefined || what === undefined || !isTaskId(what)
      ? undefined
      : selectWorktree(run, what)?.path;
  const where = worktree === undefined || what === undefined ? '' : ` in the worktree of ${what}`;
  return noChange(
    openField(
      model,
      {what: 'command', directory: worktree ?? model.repository.shell.directory},
      `Command${where}, empty for a shell`,
    ),
  );
}

function moveInQueue(
  model: Model,
  what: RunId | TaskId | SessionId | undefined,
  by: 1 | -1,
  state: State,
  now: number,
): Result {
  const at = what !== undefined && isRunId(what) ? state.queue.indexOf(what) : -1;
  if (at === -1 || what === undefined || !isRunId(what))
    return noChange(withNotice(model, 'Choose a run that waits in the queue.', now));
  const position = at + 1 + by;
  if (position < 1 || position > state.queue.length)
    return noChange(
      withNotice(
        model,
        `${what} is ${by < 0 ? 'the first' : 'the last'} in the queue already.`,
        now,
      ),
    );
  return withCommands(model, {type: 'move-in-queue', run: what, position});
}

/**
 * What a decision is about: the subject of the need, of the review or of the plan, or the selected
 * row.
 */
function selectSubject(model: Model, state: State): RunId | TaskId | SessionId | undefined {
  if (model.screen === 'needs' && model.need !== undefined) return subjectOfNeed(model.need, state);
  if (model.screen === 'review') return model.subject;
  if (model.screen === 'variants') return selectMarkedVariant(model, state)?.id;
  if (model.screen === 'plan') return model.run;
  const key = selectedRow(model, state)?.key ?? '';
  return isRunId(key) || isTaskId(key) || isSessionId(key) ? key : undefined;
}

function subjectOfNeed(need: Need, state: State): RunId | TaskId | SessionId | undefined {
  // A looping agent that is stopped alone would be restarted, so its task, or the run that it
  // plans, is stopped.
  const looping = need.kind === 'loop' ? selectSession(state, need.session) : undefined;
  if (looping !== undefined)
    return taskIdOfSession(looping) ?? runIdOfSession(looping) ?? looping.id;
  if ('run' in need) return need.run;
  if ('task' in need) return need.task;
  if ('owner' in need) return need.owner;
  return 'session' in need ? need.session : undefined;
}

function commandService(
  model: Model,
  type: 'start-service' | 'stop-service' | 'restart-service',
  state: State,
  now: number,
): Result {
  const service = selectService(model, state);
  if (service === undefined) return noChange(withNotice(model, 'There is no service here.', now));
  return withCommands(
    withNotice(
      model,
      `${service}: ` +
        {
          'start-service': 'is started',
          'stop-service': 'is stopped',
          'restart-service': 'is started again',
        }[type],
      now,
    ),
    {type, service},
  );
}

function selectService(model: Model, state: State): string | undefined {
  const {need, screen} = model;
  if (screen === 'needs') return need !== undefined && 'service' in need ? need.service : undefined;
  if (screen === 'services') {
    const services = selectListedServices(state);
    return services[Math.min(services.length - 1, model.places.services.cursor)]?.spec.name;
  }

  const row = screen === 'workers' ? selectedRow(model, state) : undefined;
  return row?.kind === 'service' ? row.name : undefined;
}
