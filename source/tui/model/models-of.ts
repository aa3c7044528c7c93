import {modelName, noModelFor, usualModelOf} from '../../documents/index.ts';
import type {State} from '../../domain/index.ts';
import {chosenAgent, plannerFor} from './agents-of.ts';
import {only, saying, type Result} from './action.ts';
import {openField} from './fields.ts';
import {keyFor} from './key-for.ts';
import type {Model, ModelChoice, ModelRole} from './model.ts';
import {fieldOf} from './text-field.ts';

/** So many names that a person wrote are offered again for each agent. */
export const mostWritten = 5;

/** What can be chosen as the model of an agent: first what is used when nothing is, and that has no name here; then what was written before. */
export type ModelChoices = {
  readonly usual: string | undefined;
  readonly names: readonly string[];
  readonly chosen: string;
  /** Why there is nothing to choose. */ readonly none?: string;
};

export function modelsOf(
  model: Pick<Model, 'models'>,
  agent: string,
  role: ModelRole,
  {project}: State,
): ModelChoices {
  const usual = usualModelOf(agent, project);
  const none = noModelFor(agent, project);
  if (none !== undefined) return {usual: undefined, names: [''], chosen: '', none};
  const declared = (project.agents ?? []).find(({name}) => name === agent)?.model;
  const choice = choiceOf(model, agent);
  const names = [
    ...new Set([...(declared === undefined ? [] : [declared]), ...choice.written]),
  ].filter((name) => name !== usual);
  const chosen = chosenIn(choice, role);
  return {usual, names: ['', ...names], chosen: names.includes(chosen) ? chosen : ''};
}

/** The model that the run is to name for an agent, if it is to name one. */
export function chosenModel(
  model: Pick<Model, 'models'>,
  agent: string,
  role: ModelRole,
  state: State,
): string | undefined {
  const {chosen} = modelsOf(model, agent, role, state);
  return chosen === '' ? undefined : chosen;
}

/** Who has a model of their own in this role: nobody plans by themselves where whoever works does it. */
export function agentIn(
  model: Pick<Model, 'repository' | 'agent' | 'planner'>,
  role: ModelRole,
  state: State,
): string | undefined {
  const worker = chosenAgent(model, state);
  const planner = plannerFor(model, state);
  return role === 'worker' ? worker : planner === worker ? undefined : planner;
}

/** The next one of those that are known; where none is, one is written. */
export function nextModel(model: Model, role: ModelRole, state: State, now: number): Result {
  const agent = agentIn(model, role, state);
  if (agent === undefined) return noAgent(model, state, now);
  const {names, chosen, none} = modelsOf(model, agent, role, state);
  if (none !== undefined || names.length === 1) return nameModel(model, role, state, now);
  return only(choose(model, agent, role, names[(names.indexOf(chosen) + 1) % names.length] ?? ''));
}

/** Any name can be written: which there are, only the agent knows. What was written of the objective is there again afterwards. */
export function nameModel(model: Model, role: ModelRole, state: State, now: number): Result {
  const agent = agentIn(model, role, state);
  const {field} = model;
  if (agent === undefined || field === undefined) return noAgent(model, state, now);
  const {chosen, none} = modelsOf(model, agent, role, state);
  if (none !== undefined) return only(saying(model, `${none}.`, now, 'bad'));
  const label =
    role === 'worker'
      ? `Model of ${agent}, empty for its default`
      : `Model for planning with ${agent}, empty for its default`;
  return only(
    openField(model, {what: 'model', agent, role, objective: field}, label, fieldOf(chosen)),
  );
}

function noAgent(model: Model, state: State, now: number): Result {
  const agent = chosenAgent(model, state);
  return only(
    agent === undefined
      ? model
      : saying(
          model,
          `${agent} plans and works, with one model: ${keyFor(model, 'next-model', 'prompt')} chooses it.`,
          now,
        ),
  );
}

/** A name that was written is remembered for its agent; none is the usual one. */
export function withModel(model: Model, agent: string, role: ModelRole, name: string): Model {
  const choice = choiceOf(model, agent);
  const written =
    name === '' || choice.written.includes(name) ? choice.written : [...choice.written, name];
  // The name that the agent uses in its other role is not forgotten for this one.
  const oldest = written.findIndex(
    (one) => one !== chosenIn(choice, role === 'worker' ? 'planner' : 'worker'),
  );
  const known = written.length > mostWritten ? written.toSpliced(oldest, 1) : written;
  return choose(
    {...model, models: {...model.models, [agent]: {...choice, written: known}}},
    agent,
    role,
    name,
  );
}

function choose(model: Model, agent: string, role: ModelRole, name: string): Model {
  const {chosen, written, planning = ''} = choiceOf(model, agent);
  return {
    ...model,
    models: {
      ...model.models,
      [agent]:
        role === 'worker' ? choiceWith(name, planning, written) : choiceWith(chosen, name, written),
    },
  };
}

function chosenIn({chosen, planning = ''}: ModelChoice, role: ModelRole): string {
  return role === 'worker' ? chosen : planning;
}

function choiceWith(chosen: string, planning: string, written: readonly string[]): ModelChoice {
  return {chosen, ...(planning === '' ? {} : {planning}), written};
}

/** What was remembered, perhaps by another version or by nobody's fault damaged: names of models by agent. */
export function readModels(value: unknown): Model['models'] {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 100)
      .flatMap(([agent, choice]: [string, Partial<ModelChoice> | null | undefined]) => {
        const written = (Array.isArray(choice?.written) ? choice.written : [])
          .filter((name): name is string => typeof name === 'string' && modelName.isMeant(name))
          .slice(-mostWritten);
        const [chosen, planning] = [nameIn(choice?.chosen), nameIn(choice?.planning)];
        return chosen === '' && planning === '' && written.length === 0
          ? []
          : [[agent, choiceWith(chosen, planning, written)]];
      }),
  );
}

function nameIn(value: unknown): string {
  return typeof value === 'string' && modelName.isMeant(value) ? value : '';
}

function choiceOf({models}: Pick<Model, 'models'>, agent: string): ModelChoice {
  return (Object.hasOwn(models, agent) ? models[agent] : undefined) ?? {chosen: '', written: []};
}
