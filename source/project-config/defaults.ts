import {
  type DeclaredAgent,
  defaultLoopLimits,
  defaultPauses,
  defaultPorts,
  type Limits,
  type Project,
} from '../domain/index.ts';

/** The limits with their defaults; a limit without a default is optional. */
export type KnownLimits = Limits &
  Required<
    Pick<
      Limits,
      | 'attemptMinutes'
      | 'noProgressMinutes'
      | 'checkMinutes'
      | 'pauseSeconds'
      | 'pauseMinutes'
      | 'contextTokens'
      | 'toolResultTokens'
      | keyof typeof defaultLoopLimits
      | 'onLoop'
    >
  >;

/** The project's limits, completed with the defaults. */
export function getLimits({limits}: Pick<Project, 'limits'>): KnownLimits {
  return {
    attemptMinutes: 60,
    noProgressMinutes: 15,
    checkMinutes: 20,
    ...defaultPauses,
    contextTokens: 6000,
    toolResultTokens: 2000,
    ...defaultLoopLimits,
    onLoop: 'ask',
    ...limits,
  };
}

/** The sandbox mode. By default tasks run in a sandbox where the machine has one. */
export function getSandbox({sandbox}: Pick<Project, 'sandbox'>): NonNullable<Project['sandbox']> {
  return sandbox ?? 'auto';
}

/** The prefix of the branches that orchestra creates. */
export function getBranchPrefix({branch}: Pick<Project, 'branch'>): string {
  return branch ?? 'orchestra';
}

export function getPortRange({ports}: Pick<Project, 'ports'>): NonNullable<Project['ports']> {
  return ports ?? defaultPorts;
}

/** The model that an agent uses by default; undefined when the agent chooses itself. */
export function getUsualModel(
  agent: string,
  {models = {}, agents}: Pick<Project, 'models' | 'agents'>,
): string | undefined {
  return (
    (Object.hasOwn(models, agent) ? models[agent] : undefined) ?? declaredAs(agent, agents)?.model
  );
}

/** Why a model cannot be set for an agent; undefined when it can. */
export function noModelFor(agent: string, {agents}: Pick<Project, 'agents'>): string | undefined {
  const declared = declaredAs(agent, agents);
  if (declared === undefined)
    return agent === 'playbook'
      ? 'playbook uses no model: it follows a file. Choose another agent, or name no model'
      : undefined;
  return asksForModel(declared)
    ? undefined
    : `${agent} takes no model: its arguments have no {model}. Add it under ` +
        `agents.${agent} in .orchestra/project.yaml, or name no model`;
}

/** Why an agent cannot use this model, or cannot do without one; undefined when it can. */
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
    getUsualModel(agent, project) !== undefined
  )
    return undefined;
  return (
    `${agent} needs a model: its arguments have {model}, and the project names none. Name ` +
    `one, or add agents.${agent}.model in .orchestra/project.yaml`
  );
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
