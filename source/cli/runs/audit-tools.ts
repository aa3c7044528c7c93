import {errorText} from '../../shared/index.ts';
import path from 'node:path';
import {countServerCost, type ServerCost, type ToolCosts} from '../../reports/index.ts';
import {selectToolServers} from '../../project-config/index.ts';
import type {AgentRole, Project} from '../../domain/index.ts';
import {writeFileAtomic} from '../../files/index.ts';
import {connectServer, listedTools} from '../../mcp/index.ts';

export type Measuring = {
  readonly project: Project;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stateDirectory: string;
  readonly now: number;
  /** @default 30000 */
  readonly connectMs?: number;
};

/**
 * Connects to all tool servers of the project at once, counts what their tools cost, and saves the
 * result.
 */
export async function auditTools({
  project,
  env,
  stateDirectory,
  now,
  connectMs = 30_000,
}: Measuring): Promise<ToolCosts> {
  const addresses = Object.entries(
    selectToolServers(
      project,
      (project.tools ?? []).map(({name}) => name),
      env,
    ),
  );
  const others = await Promise.all(
    addresses.map(async ([name, address]): Promise<ServerCost> => {
      try {
        const server = await connectServer(name, address, {connectMs});
        await server.close();
        return countServerCost(name, server.tools, server.problems);
      } catch (error) {
        return countServerCost(name, [], [errorText(error)]);
      }
    }),
  );
  const own = (['planner', 'worker'] as const).map((role: AgentRole) =>
    countServerCost(`orchestra (${role})`, listedTools(role)),
  );
  const costs = {at: now, servers: [...own, ...others]};
  writeFileAtomic(path.join(stateDirectory, 'tool-costs.json'), JSON.stringify(costs));
  return costs;
}
