import type {Project, RunRequest} from '../domain/index.ts';
import {driverOf} from './driver-of.ts';

/** Names of variables that the agents of a run need, and that the project's servers of tools may see. A name may end in `*`. */
export function neededVariables(
  {agents = [], tools = []}: Pick<Project, 'agents' | 'tools'>,
  {worker, planner}: Pick<RunRequest, 'worker' | 'planner'>,
): readonly string[] {
  const needs = [worker, planner].flatMap((name) => {
    const found = driverOf(name, agents);
    return 'driver' in found ? (found.driver.needs ?? []) : [];
  });
  return [...new Set([...needs, ...tools.flatMap(({environment = []}) => environment)])];
}
