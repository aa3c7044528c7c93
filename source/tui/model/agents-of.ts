import type {State} from '../../domain/index.ts';
import type {Model} from './model.ts';

/** Who can be given an objective: what is installed here and what the project declares; whom the project prefers comes first. */
export function agentsOf({repository}: Pick<Model, 'repository'>, {project}: State): readonly string[] {
  const names = [...new Set([...repository.agents, ...(project.agents ?? []).map(({name}) => name)])];
  const {worker} = project;
  return worker !== undefined && names.includes(worker) ? [worker, ...names.filter((name) => name !== worker)] : names;
}

/** Who plans for the one that was chosen: the project's planner if that is the project's worker, else it plans itself. */
export function plannerFor(model: Pick<Model, 'repository' | 'agent'>, state: State): string | undefined {
  const agent = chosenAgent(model, state);
  return agent !== undefined && agent === agentsOf(model, state)[0] ? (state.project.planner ?? agent) : agent;
}

/** The one that was chosen, as long as it is there. */
export function chosenAgent(model: Pick<Model, 'repository' | 'agent'>, state: State): string | undefined {
  const agents = agentsOf(model, state);
  return agents.includes(model.agent) ? model.agent : agents[0];
}
