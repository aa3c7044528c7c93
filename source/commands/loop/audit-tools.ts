import path from 'node:path';
import {
  type ServerCost,
  type ToolCosts,
  serverCostOf,
  toolServersFor,
} from '../../documents/index.ts';
import type {AgentRole, Project} from '../../domain/index.ts';
import {writeWhole} from '../../files/index.ts';
import {connectServer, listedTools} from '../../tools/index.ts';

export type Measuring = {
  readonly project: Project;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stateDirectory: string;
  readonly now: number;
  /** @default 30000 */
  readonly connectMs?: number;
};

/** Connects to each server that the project declares, all at once, and counts what its tools cost; kept for whoever asks later. */
export async function auditTools({
  project,
  env,
  stateDirectory,
  now,
  connectMs = 30_000,
}: Measuring): Promise<ToolCosts> {
  const addresses = Object.entries(
    toolServersFor(
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
        return serverCostOf(name, server.tools, server.problems);
      } catch (error) {
        return serverCostOf(name, [], [error instanceof Error ? error.message : String(error)]);
      }
    }),
  );
  const own = (['planner', 'worker'] as const).map((role: AgentRole) =>
    serverCostOf(`orchestra (${role})`, listedTools(role)),
  );
  const costs = {at: now, servers: [...own, ...others]};
  writeWhole(path.join(stateDirectory, 'tool-costs.json'), JSON.stringify(costs));
  return costs;
}
