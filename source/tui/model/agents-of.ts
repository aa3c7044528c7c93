import type {State} from '../../domain/index.ts';
import type {Model} from './model.ts';

/** Who can be given an objective: what is installed here and what the project declares; whom the project prefers comes first. */
export function agentsOf(
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

/** Who plans for the one that was chosen: whom the person chose for it, as long as it is there; else whoever usually does. */
export function plannerFor(
  model: Pick<Model, 'repository' | 'agent' | 'planner'>,
  state: State,
): string | undefined {
  return agentsOf(model, state).includes(model.planner)
    ? model.planner
    : usualPlanner(model, state);
}

/** Who can plan, the usual one first. */
export function plannersOf(
  model: Pick<Model, 'repository' | 'agent'>,
  state: State,
): readonly string[] {
  const usual = usualPlanner(model, state);
  return usual === undefined
    ? []
    : [usual, ...agentsOf(model, state).filter((name) => name !== usual)];
}

/** The next one; the usual one has no name here, for it may be another when somebody else works. */
export function nextPlanner(model: Model, state: State): Model {
  const planners = plannersOf(model, state);
  const at = planners.indexOf(plannerFor(model, state) ?? '') + 1;
  return {...model, planner: at >= planners.length ? '' : (planners[at] ?? '')};
}

/** The project's planner if that is the project's worker, else it plans itself. */
function usualPlanner(
  model: Pick<Model, 'repository' | 'agent'>,
  state: State,
): string | undefined {
  const agent = chosenAgent(model, state);
  return agent !== undefined && agent === agentsOf(model, state)[0]
    ? (state.project.planner ?? agent)
    : agent;
}

/** The one that was chosen, as long as it is there. */
export function chosenAgent(
  model: Pick<Model, 'repository' | 'agent'>,
  state: State,
): string | undefined {
  const agents = agentsOf(model, state);
  return agents.includes(model.agent) ? model.agent : agents[0];
}
