import {runIdIn} from '../ids.ts';
import type {PlannedTask} from '../plan.ts';
import type {Run} from '../run.ts';
import type {Session} from '../session.ts';
import type {Project, State} from '../state.ts';
import type {Task} from '../task.ts';
import {runIdOfSession, selectAttempt, selectRun, selectTask} from './find.ts';

/** An agent by its name, and the model that it is started with; its own default if absent. */
export type ChosenAgent = {readonly agent: string; readonly model?: string};

/**
 * Who works on a task now: the agent that replaced an unavailable one, the one that the plan names,
 * or the run's. `isOwnOfRun`: it is the run's agent, whatever its model.
 */
export function selectWorker(
  state: State,
  run: Run,
  task: Task,
): ChosenAgent & {readonly isOwnOfRun: boolean} {
  const substitute = task.attempts.findLast(({by}) => by === 'agent')?.agent;
  const agent = substitute ?? selectPlannedWorker(run, task.planned).agent;
  return {
    ...withModel(state.project, run, task.planned, agent),
    isOwnOfRun: agent === run.request.worker,
  };
}

/** Who the plan says will work on a task, before anything was tried. */
export function selectPlannedWorker(
  {request}: Pick<Run, 'request'>,
  planned: Pick<PlannedTask, 'agent' | 'model'>,
): ChosenAgent {
  const agent = planned.agent ?? request.worker;
  const model = planned.model ?? (agent === request.worker ? request.model : undefined);
  return {agent, ...(model === undefined ? {} : {model})};
}

/**
 * Where a task's agent or model differs from the run's. Undefined if the task is worked on as the
 * run's request says.
 */
export function selectOwnWorker(state: State, run: Run, task: Task): ChosenAgent | undefined {
  const {agent, model, isOwnOfRun} = selectWorker(state, run, task);
  return isOwnOfRun && task.planned.model === undefined
    ? undefined
    : {agent, ...(model === undefined ? {} : {model})};
}

/**
 * Whether the agent of a task works in its own interface. `why` says why it does not although the
 * run asks for it.
 */
export function selectWorkerMode(
  state: State,
  run: Run,
  task: Task,
): {readonly mode: 'interactive' | 'headless'; readonly why?: string} {
  if (run.request.workers !== 'interactive') return {mode: 'headless'};
  const {agent, isOwnOfRun} = selectWorker(state, run, task);
  return isOwnOfRun || hasOwnInterface(state.project, agent)
    ? {mode: 'interactive'}
    : {
        mode: 'headless',
        why: `${agent} has no interface of its own that orchestra can follow, so it works headless`,
      };
}

/** A test compares both lists with the drivers. */
export const builtInAgents: readonly string[] = [
  'claude',
  'codex',
  'gemini',
  'opencode',
  'pi',
  'playbook',
];

/** Built-in agents that orchestra can only run headless. */
export const headlessAgents: readonly string[] = ['playbook'];

function hasOwnInterface({agents = []}: Project, name: string): boolean {
  const declared = agents.find((agent) => agent.name === name);
  return declared === undefined ? !headlessAgents.includes(name) : declared.prompt === 'typed';
}

/** The agent of a session; undefined if no agent works there. */
export function selectSessionAgent(state: State, session: Session): ChosenAgent | undefined {
  const {purpose} = session;
  const id = runIdOfSession(session);
  const run = id === undefined ? undefined : selectRun(state, id);
  if (run === undefined) return undefined;
  const {planner, worker, model, plannerModel} = run.request;
  if (purpose.for === 'plan') {
    const chosen =
      plannerModel ??
      (planner === worker ? model : undefined) ??
      modelOfProject(state.project, planner);
    return {agent: planner, ...(chosen === undefined ? {} : {model: chosen})};
  }

  if (purpose.for !== 'attempt' && purpose.for !== 'takeover') return undefined;
  const planned = selectTask(state, purpose.task)?.planned;
  return withModel(state.project, run, planned ?? {}, session.agent ?? worker);
}

/**
 * The next agent of the project's `fallback` that is installed and was not unavailable for the task
 * yet.
 */
export function selectFallback(
  state: State,
  task: Task,
  installed: readonly string[],
): {readonly from: string; readonly to: string} | undefined {
  const run = selectRun(state, runIdIn(task.id));
  const attempt = selectAttempt(task);
  if (run === undefined || attempt?.by !== 'agent') return undefined;
  const from = selectWorker(state, run, task).agent;
  const tried = new Set([...(attempt.unavailable ?? []), from]);
  const to = state.project.fallback?.find((name) => installed.includes(name) && !tried.has(name));
  return to === undefined ? undefined : {from, to};
}

/** The plan's model for its agent, else the request's for the run's agent, else the project's. */
function withModel(
  project: Project,
  {request}: Run,
  planned: Pick<PlannedTask, 'agent' | 'model'>,
  agent: string,
): ChosenAgent {
  const named = agent === (planned.agent ?? request.worker) ? planned.model : undefined;
  const model =
    named ??
    (agent === request.worker ? request.model : undefined) ??
    modelOfProject(project, agent);
  return {agent, ...(model === undefined ? {} : {model})};
}

/** Declared names may be those of an object's own methods. */
function modelOfProject({models = {}}: Project, agent: string): string | undefined {
  return Object.hasOwn(models, agent) ? models[agent] : undefined;
}
