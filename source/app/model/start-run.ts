import {getLimits, modelProblem} from '../../project-config/index.ts';
import {
  type RunBudget,
  type RunRequest,
  type State,
  untitledObjective,
} from '../../domain/index.ts';
import {noChange, type Result, withCommands, withNotice} from './action.ts';
import {
  selectAgent,
  selectAgents,
  selectModel,
  selectPlanner,
  selectVariantAgents,
} from './agent-choice.ts';
import {selectRequestModes} from './mode-choice.ts';
import {keyFor} from '../keymap/key-for.ts';
import {maxObjectives} from './create-model.ts';
import type {Model} from './model.ts';

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
  if (model.variantCount > 1 && text === '')
    return reject('Say what should be different: all variants get the same text.');
  const request: RunRequest = {
    objective: text === '' ? untitledObjective : text,
    worker,
    planner: worker,
    ...(named === undefined ? {} : {model: named}),
    ...(model.skill === '' ? {} : {skill: model.skill}),
    open: {
      ...(text === '' ? {withoutPrompt: true} : {}),
      ...(model.variantCount > 1 ? {variants: selectVariantAgents(model, state)} : {}),
    },
    queued: false,
    ...(checkout === undefined ? {} : {checkout}),
  };
  return start(closed, request, state, now);
}

/** Starts a run with a plan, or puts it into the queue. */
export function startPlanning(
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
    withNotice({...model, objectives, skill: '', variantCount: 1}, describeStart(request), now),
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
    return `${open.variants.length} variants start side by side, each in a worktree of its own: ${open.variants.join(', ')}.`;
  if (open !== undefined) return `${worker} starts in a worktree of its own, without a plan.`;
  return queued ? formatQueued(request) : 'The planner starts.';
}

/** The field shows how workers run if the run starts now. */
function formatQueued({workers}: RunRequest): string {
  return workers === 'interactive'
    ? 'Queued: it starts when there is capacity, with workers in their own interface.'
    : 'Queued: it starts when there is capacity. Its workers are headless.';
}

function toBudget(project: State['project']): RunBudget {
  const {attemptMinutes, attemptTokens, runTokens} = getLimits(project);
  return {
    attemptWallClock: attemptMinutes * 60_000,
    ...(attemptTokens === undefined ? {} : {attemptTokens}),
    ...(runTokens === undefined ? {} : {tokens: runTokens}),
  };
}
