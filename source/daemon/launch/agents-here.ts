import {groupAgents} from '../../agents/index.ts';
import type {Run} from '../../domain/index.ts';
import type {PlanContext} from '../../plan/index.ts';
import {
  type AgentsHere,
  getPlanContext,
  modelProblem,
  selectTaskAgents,
} from '../../project-config/index.ts';
import {isInstalled} from '../../system/index.ts';
import type {RepositoryAccess, RunVariables, StateReader} from '../daemon-context.ts';
import {withRunEnvironment} from './environment.ts';

export type AgentSearch = StateReader & RunVariables & Pick<RepositoryAccess, 'root'>;

/** The agents by whether the sessions of this run find their programs. */
function findAgentsHere(context: AgentSearch, run: Run): AgentsHere {
  const search = {path: readPath(context, run), outside: context.root};
  return groupAgents(context.state().project.agents ?? [], (program) =>
    isInstalled(program, search),
  );
}

/** The environment of an old run may be gone; its agents are looked for with the daemon's. */
function readPath(context: AgentSearch, run: Run): string {
  try {
    return withRunEnvironment(context, run).env['PATH'] ?? '';
  } catch {
    return context.env['PATH'] ?? '';
  }
}

/** What the plan of this run may name. */
export function selectPlanContext(context: AgentSearch, run: Run): PlanContext {
  return getPlanContext(context.state().project, run.request, findAgentsHere(context, run));
}

/** The agents that a planner may name for a task, the run's own first. */
export function selectNamableAgents(context: AgentSearch, {request}: Run): readonly string[] {
  const {worker, playbook} = request;
  const {project} = context.state();
  const search = {path: context.env['PATH'] ?? '', outside: context.root};
  const {installed} = groupAgents(project.agents ?? [], (program) => isInstalled(program, search));
  return [...new Set([worker, ...selectTaskAgents(installed, playbook)])];
}

/** Those of the project's `fallback` that can be started now. */
export function selectFallbacksHere(
  context: AgentSearch,
  run: Run,
): {readonly installed?: readonly string[]} {
  const {project} = context.state();
  if (project.fallback === undefined) return {};
  const {installed} = findAgentsHere(context, run);
  return {
    installed: project.fallback.filter(
      (name) => installed.includes(name) && modelProblem(name, undefined, project) === undefined,
    ),
  };
}
