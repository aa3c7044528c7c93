import {groupAgents} from '../../agents/index.ts';
import type {Project} from '../../domain/index.ts';
import type {AgentsHere} from '../../project-config/index.ts';
import {isInstalled} from '../../system/index.ts';
import type {CliContext} from '../cli-context.ts';

/** The agents by whether this shell finds their programs. */
export function findAgentsOnPath(
  {agents = []}: Pick<Project, 'agents'>,
  {env, cwd}: Pick<CliContext, 'env' | 'cwd'>,
): AgentsHere {
  const search = {path: env['PATH'] ?? '', outside: cwd};
  return groupAgents(agents, (program) => isInstalled(program, search));
}
