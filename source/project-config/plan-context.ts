import type {Project, RunRequest} from '../domain/index.ts';
import type {PlanContext} from '../plan/index.ts';
import {modelProblem} from './defaults.ts';

/** The names of agents, by whether they can be started on this machine. */
export type AgentsHere = {
  readonly installed: readonly string[];
  readonly missing: readonly string[];
};

/** What a plan of this run may name: the project's tool servers, and the agents that are here. */
export function getPlanContext(
  project: Project,
  {objective, worker, playbook}: RunRequest,
  agents: AgentsHere,
): PlanContext {
  return {
    objective,
    tools: (project.tools ?? []).map(({name}) => name),
    agents: {
      worker,
      available: selectTaskAgents(agents.installed, playbook),
      missing: agents.missing,
      modelProblem: (agent, model) => modelProblem(agent, model, project),
    },
  };
}

/** The built-in agent follows the playbook of the run, so without one it can do nothing. */
export function selectTaskAgents(
  installed: readonly string[],
  playbook: string | undefined,
): readonly string[] {
  return installed.filter((name) => name !== 'playbook' || playbook !== undefined);
}
