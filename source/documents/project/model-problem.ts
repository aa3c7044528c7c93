import type {DeclaredAgent, Project} from '../../domain/index.ts';

/** The model that an agent uses when nobody names one; nothing where it chooses by itself. */
export function usualModelOf(
  agent: string,
  {models = {}, agents}: Pick<Project, 'models' | 'agents'>,
): string | undefined {
  return (
    (Object.hasOwn(models, agent) ? models[agent] : undefined) ?? declaredAs(agent, agents)?.model
  );
}

/** Why an agent cannot be told which model to use; nothing when it can. */
export function noModelFor(agent: string, {agents}: Pick<Project, 'agents'>): string | undefined {
  const declared = declaredAs(agent, agents);
  if (declared === undefined)
    return agent === 'playbook'
      ? 'playbook has no model: it follows a file. Choose another agent, or name no model'
      : undefined;
  return asksForModel(declared)
    ? undefined
    : `${agent} takes no model: its arguments have no {model}. Add it under agents.${agent} in .orchestra/project.yaml, or name no model`;
}

/** What is wrong with giving an agent this model, or none; nothing when it is right. */
export function modelProblem(
  agent: string,
  model: string | undefined,
  project: Pick<Project, 'models' | 'agents'>,
): string | undefined {
  if (model !== undefined) return noModelFor(agent, project);
  const declared = declaredAs(agent, project.agents);
  if (
    declared === undefined ||
    !asksForModel(declared) ||
    usualModelOf(agent, project) !== undefined
  )
    return undefined;
  return `${agent} needs a model: its arguments have {model}, and the project says none. Name one, or add agents.${agent}.model in .orchestra/project.yaml`;
}

function declaredAs(
  agent: string,
  agents: readonly DeclaredAgent[] = [],
): DeclaredAgent | undefined {
  return agents.find(({name}) => name === agent);
}

function asksForModel({plan, work, resume = []}: DeclaredAgent): boolean {
  return [...plan, ...work, ...resume].some((argument) => argument.includes('{model}'));
}
