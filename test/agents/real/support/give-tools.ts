import path from 'node:path';
import process from 'node:process';
import {copyFileSync, mkdirSync, writeFileSync} from 'node:fs';
import type {TestContext} from 'node:test';
import type {JobTools} from '../../../../source/agents/index.ts';
import type {AgentRole} from '../../../../source/domain/index.ts';
import {
  type Answer,
  createPretendDaemon,
  type PretendDaemon,
  type Question,
} from '../../../mcp/support/pretend-daemon.ts';
import type {Fixture} from './fixture.ts';

export type GivenTools = {readonly tools: JobTools; readonly daemon: PretendDaemon};

/**
 * Gives an agent's session the real server of tools, as the daemon does, with answers that the test
 * makes up.
 */
export async function giveTools(
  t: TestContext,
  {home}: Fixture,
  program: string,
  {
    role,
    servers = {},
    answer,
  }: {
    readonly role: AgentRole;
    readonly servers?: Readonly<Record<string, object>>;
    readonly answer: (question: Question) => Answer;
  },
): Promise<GivenTools> {
  const base = path.dirname(home);
  const [own, file, socket] = [
    path.join(base, 'mcp.mjs'),
    path.join(base, 'exchange', 'tools.json'),
    path.join(base, 'agents', 's'),
  ];
  copyFileSync(program, own);
  mkdirSync(path.dirname(socket));
  const daemon = await createPretendDaemon(socket, 'a-token', answer);
  t.after(daemon.close);
  writeFileSync(
    file,
    JSON.stringify({socket, token: 'a-token', session: 's7', role, waitMs: 5000, servers}),
  );
  return {
    daemon,
    tools: {
      argv: [process.execPath, own, 'mcp', '--tools', file],
      env: {},
      servers: Object.keys(servers),
      waitMs: 5000,
    },
  };
}
