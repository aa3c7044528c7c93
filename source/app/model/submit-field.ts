import {getLimits, modelName, modelProblem} from '../../project-config/index.ts';
import {
  isSessionId,
  type RunBudget,
  type RunRequest,
  selectNeeds,
  selectRun,
  type State,
  untitledObjective,
  type UserCommand,
} from '../../domain/index.ts';
import {formatForTask} from '../screens/need-in-brief.ts';
import {confirmAccept} from './confirmations.ts';
import {
  selectAgent,
  selectAgents,
  selectModel,
  selectPlanner,
  selectTries,
  withModel,
} from './agent-choice.ts';
import {
  noChange,
  openField,
  type Result,
  withCommands,
  withConfirmation,
  withEffects,
  withNotice,
} from './action.ts';
import {selectRequestModes} from './mode-choice.ts';
import {saveComment} from './comment-line.ts';
import {keyFor} from '../keymap/key-for.ts';
import {maxObjectives} from './create-model.ts';
import type {FieldPurpose, Model, OpenField} from './model.ts';
import {askDaemon} from './open-screen.ts';
import {sendPlanComments} from './comments.ts';

/**
 * Handles the text of a field by its purpose. If the text cannot be used, the field stays open, so
 * that nothing is lost.
 */
export function submitField(
  model: Model,
  field: OpenField,
  state: State,
  now: number,
  {isQueued = false}: {readonly isQueued?: boolean} = {},
): Result {
  const text = field.text.trim();
  const closed: Model = {...model, field: undefined};
  const purpose = field.for;
  const reject = (message: string): Result => noChange(withNotice(model, message, now));
  switch (purpose.what) {
    case 'objective':
      if (text === '') return reject('Say what should be different.');
      return startRun(closed, text, isQueued, state, now, reject);
    case 'model':
      if (text !== '' && !modelName.isMeant(text))
        return reject(`Expected ${modelName.expectation}, got ${JSON.stringify(text)}.`);
      return noChange({
        ...withModel(model, purpose.agent, purpose.role, text),
        field: purpose.objective,
      });
    case 'answer':
      // Otherwise it would answer the next question.
      if (!selectNeeds(state).some(({id}) => id === purpose.need))
        return reject('This question is settled already; your answer was not sent.');
      if (purpose.asked !== undefined)
        return text === ''
          ? reject('Write an answer: the agent waits for it.')
          : withCommands(
              withNotice(closed, `${formatForTask(purpose.session, state)} has your answer.`, now),
              {type: 'answer-question', session: purpose.session, number: purpose.asked, text},
            );
      return withCommands(
        withNotice(closed, `Sent to ${formatForTask(purpose.session, state)}.`, now),
        {
          type: 'send-input',
          session: purpose.session,
          text: `${field.text}\r`,
        },
      );
    case 'secret':
      if (!selectNeeds(state).some(({id}) => id === purpose.need))
        return reject('Nobody asks for it any more. It was not sent.');
      if (model.views[purpose.session]?.connection === 'failed')
        return reject('Its terminal is not connected. Nothing was sent.');
      return withEffects(withNotice(closed, 'Sent to the program alone.', now), {
        type: 'type-text',
        session: purpose.session,
        text: field.text,
      });
    case 'hint':
      return withCommands(closed, {
        type: 'grant-attempt',
        task: purpose.task,
        ...(text === '' ? {} : {hint: text}),
      });
    case 'hand-to-agent':
      return withCommands(closed, {
        type: 'hand-back',
        task: purpose.task,
        to: 'agent',
        ...(text === '' ? {} : {note: text}),
      });
    case 'reject':
      return rejectPlan(closed, purpose, text, state, reject);
    case 'plan-again':
      return withCommands(closed, {
        type: 'plan-again',
        run: purpose.run,
        ...(text === '' ? {} : {reason: text}),
      });
    case 'comment-plan':
    case 'comment-diff':
      return saveComment(model, field, state, now);
    case 'note':
      return text === ''
        ? reject('Write a note. Escape leaves none.')
        : withCommands(
            withNotice(
              closed,
              isSessionId(purpose.on)
                ? `Noted on ${purpose.on}.`
                : `Noted. Who works on ${purpose.on} next reads it.`,
              now,
            ),
            {type: 'add-note', on: purpose.on, text},
          );
    case 'tell':
      return text === ''
        ? reject('Write a message. Escape sends none.')
        : withCommands(
            withNotice(closed, `The pane of ${purpose.task} shows what comes of it.`, now),
            {type: 'message-task', task: purpose.task, text},
          );
    case 'command':
      return withCommands(
        {...closed, opening: {from: model.selected, isShell: text === ''}},
        toStartSession(model.repository.shell.program, text, purpose.directory),
      );
    case 'search-pane':
      if (text === '') return noChange(closed);
      return withEffects(
        {...closed, mode: 'scroll', typingSession: purpose.session},
        {type: 'copy-mode', session: purpose.session, isOn: true},
        {type: 'search', session: purpose.session, text},
      );
    case 'recall':
      return text === ''
        ? noChange(closed)
        : withEffects(
            {
              ...closed,
              reviewFocus: 'files',
              places: {...closed.places, knowledge: {cursor: 0, top: 0}},
            },
            askDaemon(`recall/${text}`, {
              about: 'recall',
              words: text,
              files: /^\S*[./*]\S*$/.test(text) ? [text] : [],
            }),
          );
    case 'into': {
      const run = selectRun(state, purpose.run);
      if (run === undefined) return noChange(closed);
      // Without a name, the daemon looks for a branch that already contains the run.
      return text === ''
        ? withCommands(closed, {
            type: 'accept-run',
            run: run.id,
            commit: purpose.commit,
            way: purpose.way,
          })
        : noChange(
            withConfirmation(
              closed,
              confirmAccept(run, {
                action: 'accept',
                run: run.id,
                commit: purpose.commit,
                way: purpose.way,
                into: text,
              }),
            ),
          );
    }

    case 'playbook':
      if (text === '') return reject('Write the path of a playbook. Escape goes back.');
      return noChange(
        openField({...closed, playbook: text, way: undefined}, {what: 'objective'}, ''),
      );
    case 'find-key':
      return noChange({...closed, help: {at: 'all', filter: text}});
    case 'palette':
      return noChange(closed);
  }
}

/** Rejects the plan with its comments. If the plan has changed meanwhile, nothing is sent. */
function rejectPlan(
  model: Model,
  {run: id, plan}: Extract<FieldPurpose, {what: 'reject'}>,
  reason: string,
  state: State,
  reject: (message: string) => Result,
): Result {
  const run = selectRun(state, id);
  if (run?.stage.at !== 'reviewing' || run.stage.proposal.hash !== plan)
    return reject(
      'The plan has changed since you began to write: look at it first. Escape discards your text.',
    );
  const {model: sending, commands} = sendPlanComments(model, run);
  if (reason === '' && commands.length === 0 && run.stage.proposal.comments.length === 0)
    return reject('A reason helps the planner. Escape keeps the plan.');
  return withCommands(sending, ...commands, {type: 'reject-plan', run: id, plan, reason});
}

/**
 * Opens the chosen agent without a plan, with the text of the objective if there is one. Without
 * text, the person writes to the agent in its own interface.
 */
export function openAgent(model: Model, state: State, now: number): Result {
  const text = model.field?.for.what === 'objective' ? model.field.text.trim() : '';
  const reject = (message: string): Result => noChange(withNotice(model, message, now));
  const closed: Model = {...model, field: undefined};
  const {
    repository: {checkout, trouble},
  } = model;
  if (trouble !== undefined) return noChange(model);
  const worker = selectAgent(model, state);
  if (worker === undefined)
    return reject(
      'No agent is installed, and the project declares none. `orchestra doctor` says which there are.',
    );
  const named = selectModel(model, worker, 'worker', state);
  if (modelProblem(worker, named, state.project) !== undefined)
    return reject(`${worker} needs a model; ${keyFor(model, 'name-model', 'prompt')} names one.`);
  const request: RunRequest = {
    objective: text === '' ? untitledObjective : text,
    worker,
    planner: worker,
    ...(named === undefined ? {} : {model: named}),
    ...(model.skill === '' ? {} : {skill: model.skill}),
    open: {
      ...(text === '' ? {withoutPrompt: true} : {}),
      ...(model.tries > 1 ? {variants: selectTries(model, state)} : {}),
    },
    queued: false,
    ...(checkout === undefined ? {} : {checkout}),
  };
  return start(closed, request, state, now);
}

function startRun(
  model: Model,
  objective: string,
  isQueued: boolean,
  state: State,
  now: number,
  reject: (message: string) => Result,
): Result {
  const {
    repository: {checkout},
  } = model;
  const {project} = state;
  if (model.playbook !== '') return startPlaybook(model, objective, isQueued, state, now);
  const [worker, planner] = [selectAgent(model, state), selectPlanner(model, state)];
  if (worker === undefined || planner === undefined)
    return reject(
      'No agent is installed, and the project declares none. `orchestra doctor` says which there are.',
    );
  if (!selectAgents(model, state).includes(planner))
    return reject(
      `${planner} is to plan, as the project says, and is not installed here. Install ` +
        `it, or choose another: ${keyFor(model, 'next-planner', 'prompt')}.`,
    );
  const named = selectModel(model, worker, 'worker', state);
  const plannerModel =
    planner === worker ? undefined : selectModel(model, planner, 'planner', state);
  if (modelProblem(worker, named, project) !== undefined)
    return reject(`${worker} needs a model; ${keyFor(model, 'name-model', 'prompt')} names one.`);
  if (planner !== worker && modelProblem(planner, plannerModel, project) !== undefined)
    return reject(
      `${planner} needs a model to plan with; ${keyFor(model, 'name-planner-model', 'prompt')} names one.`,
    );
  const modes = selectRequestModes(model, {worker, planner, isQueued}, state);
  if ('rejected' in modes) return reject(`${modes.rejected}.`);
  const request: RunRequest = {
    objective,
    worker,
    planner,
    ...(named === undefined ? {} : {model: named}),
    ...(plannerModel === undefined ? {} : {plannerModel}),
    ...(model.skill === '' ? {} : {skill: model.skill}),
    ...modes,
    queued: isQueued,
    ...(checkout === undefined ? {} : {checkout}),
  };
  return start(model, request, state, now);
}

/** A playbook plans and works by itself; its path is that of the person. */
function startPlaybook(
  model: Model,
  objective: string,
  isQueued: boolean,
  state: State,
  now: number,
): Result {
  const {
    playbook,
    repository: {checkout, shell},
  } = model;
  const request: RunRequest = {
    objective,
    worker: 'playbook',
    planner: 'playbook',
    playbook: playbook.startsWith('/') ? playbook : `${shell.directory}/${playbook}`,
    queued: isQueued,
    ...(checkout === undefined ? {} : {checkout}),
  };
  return start(model, request, state, now);
}

function start(model: Model, request: RunRequest, {project}: State, now: number): Result {
  const {objective, open} = request;
  const objectives =
    open?.withoutPrompt === true
      ? model.objectives
      : [...model.objectives.filter((one) => one !== objective), objective].slice(-maxObjectives);
  return withCommands(
    withNotice({...model, objectives, skill: '', tries: 1}, describeStart(request), now),
    {
      type: 'start-run',
      request,
      budget: toBudget(project),
    },
  );
}

function describeStart(request: RunRequest): string {
  const {queued, open, worker} = request;
  if (open?.variants !== undefined)
    return `${open.variants.length} tries start side by side, each in a worktree of its own: ${open.variants.join(', ')}.`;
  if (open !== undefined) return `${worker} starts in a worktree of its own, without a plan.`;
  return queued ? formatQueued(request) : 'The planner starts.';
}

/** The field shows how workers run if the run starts now. */
function formatQueued({workers}: RunRequest): string {
  return workers === 'interactive'
    ? 'Queued: it starts when there is capacity, with workers in their own interface.'
    : 'Queued: it starts when there is capacity. Its workers are headless.';
}

/** Runs the text in the shell of the person; without text, the shell itself. */
function toStartSession(shell: string, text: string, directory: string): UserCommand {
  const name = (text === '' ? shell : text).split(/\s/, 1)[0]?.split('/').at(-1) ?? '';
  return {
    type: 'start-session',
    name: name === '' ? 'command' : name,
    command: text === '' ? [shell] : [shell, '-c', text],
    directory,
  };
}

function toBudget(project: State['project']): RunBudget {
  const {attemptMinutes, attemptTokens, runTokens} = getLimits(project);
  return {
    attemptWallClock: attemptMinutes * 60_000,
    ...(attemptTokens === undefined ? {} : {attemptTokens}),
    ...(runTokens === undefined ? {} : {tokens: runTokens}),
  };
}
