import {
  type AgentsHere,
  getUsualModel,
  modelName,
  modelProblem,
  noModelFor,
} from '../../project-config/index.ts';
import {maxVariants} from '../../plan/index.ts';
import type {State} from '../../domain/index.ts';
import {noChange, openField, type Result, withNotice} from './action.ts';
import {keyFor} from '../keymap/key-for.ts';
import type {Model, ModelChoice, ModelRole} from './model.ts';
import {toField} from './text-field.ts';

/** Model names that are remembered for each agent. */
export const maxWritten = 5;

/**
 * The models to choose from for an agent. The first name is empty and stands for the default; then
 * come the names written before.
 */
export type ModelChoices = {
  readonly usual: string | undefined;
  readonly names: readonly string[];
  readonly chosen: string;
  /** Why there is nothing to choose. */ readonly none?: string;
};

export function selectModels(
  model: Pick<Model, 'models'>,
  agent: string,
  role: ModelRole,
  {project}: State,
): ModelChoices {
  const usual = getUsualModel(agent, project);
  const none = noModelFor(agent, project);
  if (none !== undefined) return {usual: undefined, names: [''], chosen: '', none};
  const declared = (project.agents ?? []).find(({name}) => name === agent)?.model;
  const choice = selectChoice(model, agent);
  const names = [
    ...new Set([...(declared === undefined ? [] : [declared]), ...choice.written]),
  ].filter((name) => name !== usual);
  const chosen = chosenForRole(choice, role);
  return {usual, names: ['', ...names], chosen: names.includes(chosen) ? chosen : ''};
}

/** The model for the run request; undefined for the default. */
export function selectModel(
  model: Pick<Model, 'models'>,
  agent: string,
  role: ModelRole,
  state: State,
): string | undefined {
  const {chosen} = selectModels(model, agent, role, state);
  return chosen === '' ? undefined : chosen;
}

/**
 * The agent whose model is chosen for a role; undefined for the planner if the worker plans itself.
 */
export function selectAgentInRole(
  model: Pick<Model, 'repository' | 'agent' | 'planner'>,
  role: ModelRole,
  state: State,
): string | undefined {
  const worker = selectAgent(model, state);
  if (role === 'worker') return worker;
  const planner = selectPlanner(model, state);
  return planner === worker ? undefined : planner;
}

/** Chooses the next known model. Without one, opens a field for a name. */
export function nextModel(model: Model, role: ModelRole, state: State, now: number): Result {
  const agent = selectAgentInRole(model, role, state);
  if (agent === undefined) return rejectOneModel(model, state, now);
  const {names, chosen, none} = selectModels(model, agent, role, state);
  if (none !== undefined || names.length === 1) return openModelField(model, role, state, now);
  return noChange(
    chooseModel(model, agent, role, names[(names.indexOf(chosen) + 1) % names.length] ?? ''),
  );
}

/**
 * Opens a field for any model name, because only the agent knows which exist. The objective
 * continues afterwards.
 */
export function openModelField(model: Model, role: ModelRole, state: State, now: number): Result {
  const agent = selectAgentInRole(model, role, state);
  const {field} = model;
  if (agent === undefined || field === undefined) return rejectOneModel(model, state, now);
  const {chosen, none} = selectModels(model, agent, role, state);
  if (none !== undefined) return noChange(withNotice(model, `${none}.`, now, 'bad'));
  const label =
    role === 'worker'
      ? `Model of ${agent}, empty for its default`
      : `Model for planning with ${agent}, empty for its default`;
  return noChange(
    openField(model, {what: 'model', agent, role, objective: field}, label, toField(chosen)),
  );
}

function rejectOneModel(model: Model, state: State, now: number): Result {
  const agent = selectAgent(model, state);
  return noChange(
    agent === undefined
      ? model
      : withNotice(
          model,
          `${agent} plans and works, with one model: ${keyFor(model, 'next-model', 'prompt')} chooses it.`,
          now,
        ),
  );
}

/** Chooses a model by name and remembers the name for its agent. An empty name is the default. */
export function withModel(model: Model, agent: string, role: ModelRole, name: string): Model {
  const choice = selectChoice(model, agent);
  const written =
    name === '' || choice.written.includes(name) ? choice.written : [...choice.written, name];
  // The name in use for the other role is never dropped.
  const oldest = written.findIndex(
    (one) => one !== chosenForRole(choice, role === 'worker' ? 'planner' : 'worker'),
  );
  const known = written.length > maxWritten ? written.toSpliced(oldest, 1) : written;
  return chooseModel(
    {...model, models: {...model.models, [agent]: {...choice, written: known}}},
    agent,
    role,
    name,
  );
}

function chooseModel(model: Model, agent: string, role: ModelRole, name: string): Model {
  const {chosen, written, planning = ''} = selectChoice(model, agent);
  return {
    ...model,
    models: {
      ...model.models,
      [agent]:
        role === 'worker' ? choiceWith(name, planning, written) : choiceWith(chosen, name, written),
    },
  };
}

function chosenForRole({chosen, planning = ''}: ModelChoice, role: ModelRole): string {
  return role === 'worker' ? chosen : planning;
}

function choiceWith(chosen: string, planning: string, written: readonly string[]): ModelChoice {
  return {chosen, ...(planning === '' ? {} : {planning}), written};
}

/** Model choices from the saved UI state, which may be damaged or of another version. */
export function parseSavedModels(value: unknown): Model['models'] {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 100)
      .flatMap(([agent, choice]: [string, Partial<ModelChoice> | null | undefined]) => {
        const written = (Array.isArray(choice?.written) ? choice.written : [])
          .filter((name): name is string => typeof name === 'string' && modelName.isMeant(name))
          .slice(-maxWritten);
        const [chosen, planning] = [
          parseModelName(choice?.chosen),
          parseModelName(choice?.planning),
        ];
        return chosen === '' && planning === '' && written.length === 0
          ? []
          : [[agent, choiceWith(chosen, planning, written)]];
      }),
  );
}

function parseModelName(value: unknown): string {
  return typeof value === 'string' && modelName.isMeant(value) ? value : '';
}

function selectChoice({models}: Pick<Model, 'models'>, agent: string): ModelChoice {
  return (Object.hasOwn(models, agent) ? models[agent] : undefined) ?? {chosen: '', written: []};
}

/**
 * The agents that are installed or declared by the project. The worker of the project comes first.
 */
export function selectAgents(
  {repository}: Pick<Model, 'repository'>,
  {project}: State,
): readonly string[] {
  const names = [
    ...new Set([...repository.agents, ...(project.agents ?? []).map(({name}) => name)]),
  ];
  const {worker} = project;
  return worker !== undefined && names.includes(worker)
    ? [worker, ...names.filter((name) => name !== worker)]
    : names;
}

/** For checking a plan. Which agents are missing only the daemon knows. */
export function selectAgentsHere(model: Pick<Model, 'repository'>, state: State): AgentsHere {
  return {installed: ['playbook', ...selectAgents(model, state)], missing: []};
}

/** The planner that the person chose, if it still exists, else the default planner. */
export function selectPlanner(
  model: Pick<Model, 'repository' | 'agent' | 'planner'>,
  state: State,
): string | undefined {
  return selectAgents(model, state).includes(model.planner)
    ? model.planner
    : defaultPlanner(model, state);
}

/** The agents that can plan, the default first. */
export function selectPlanners(
  model: Pick<Model, 'repository' | 'agent'>,
  state: State,
): readonly string[] {
  const usual = defaultPlanner(model, state);
  return usual === undefined
    ? []
    : [usual, ...selectAgents(model, state).filter((name) => name !== usual)];
}

/**
 * Chooses the next planner. The default is stored as an empty name, because it depends on the
 * worker.
 */
export function nextPlanner(model: Model, state: State): Model {
  const planners = selectPlanners(model, state);
  const at = planners.indexOf(selectPlanner(model, state) ?? '') + 1;
  return {...model, planner: at >= planners.length ? '' : (planners[at] ?? '')};
}

/** The planner of the project if the worker of the project works, else the worker itself. */
function defaultPlanner(
  model: Pick<Model, 'repository' | 'agent'>,
  state: State,
): string | undefined {
  const agent = selectAgent(model, state);
  return agent !== undefined && agent === selectAgents(model, state)[0]
    ? (state.project.planner ?? agent)
    : agent;
}

/** Whether there is a repository, and somebody to plan and to work. */
export function canWriteObjective(
  model: Pick<Model, 'repository' | 'agent' | 'playbook'>,
  state: State,
): boolean {
  const hasWorker = model.playbook !== '' || selectAgent(model, state) !== undefined;
  return model.repository.trouble === undefined && hasWorker;
}

/** The chosen worker, if it still exists. */
export function selectAgent(
  model: Pick<Model, 'repository' | 'agent'>,
  state: State,
): string | undefined {
  const agents = selectAgents(model, state);
  return agents.includes(model.agent) ? model.agent : agents[0];
}

/** The next agent that is here. */
export function nextAgent(model: Model, state: State): Model {
  const agents = selectAgents(model, state);
  const at = agents.indexOf(selectAgent(model, state) ?? '');
  return {...model, agent: agents[(at + 1) % Math.max(1, agents.length)] ?? model.agent};
}

/**
 * The agent of each variant that is opened next without a plan: the chosen one, then the
 * others that are here and need no model named, in turn.
 */
export function selectVariantAgents(model: Model, state: State): readonly string[] {
  const chosen = selectAgent(model, state);
  if (chosen === undefined) return [];
  const others = selectAgents(model, state).filter(
    (agent) => modelProblem(agent, undefined, state.project) === undefined,
  );
  const agents = [...new Set([chosen, ...others])];
  return Array.from(
    {length: model.variantCount},
    (_, index) => agents[index % agents.length] ?? chosen,
  );
}

/** One variant more; after the most, one agent alone. */
export function nextVariants(model: Model, state: State, now: number): Model {
  const more: Model = {...model, variantCount: (model.variantCount % maxVariants) + 1};
  const {variantCount} = more;
  if (variantCount === 1) return withNotice(more, 'One agent alone.', now);
  const key = keyFor(model, 'open-agent', 'prompt');
  return withNotice(
    more,
    `${variantCount} variants side by side: ${selectVariantAgents(more, state).join(', ')}. ${key} opens them without a plan.`,
    now,
  );
}
