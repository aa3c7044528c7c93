import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import type {TestContext} from 'node:test';
import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  type Answer,
  createPretendDaemon,
  type PretendDaemon,
  type Question,
} from './pretend-daemon.ts';

export type Fixture = {
  readonly directory: string;
  /** The file that ORCHESTRA_TOOLS names. */
  readonly tools: string;
  readonly daemon: () => PretendDaemon;
  /** Ends the daemon; what is asked meanwhile waits. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** A real client of the package, on a real process. */
  readonly connect: (...argv: readonly string[]) => Promise<Client>;
};

export const token = 'a-token-of-s7';

/** A session's exchange directory with its grant, and a daemon. Gone when the test is over. */
export async function createFixture(
  t: TestContext,
  program: string,
  grant: Readonly<Record<string, unknown>>,
  answer: (question: Question) => Answer,
): Promise<Fixture> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-tools-'));
  const [exchange, socket] = [path.join(directory, 'exchange'), path.join(directory, 'socket')];
  mkdirSync(exchange);
  const tools = path.join(exchange, 'tools.json');
  writeFileSync(tools, JSON.stringify({socket, token, session: 's7', ...grant}));
  let daemon = await createPretendDaemon(socket, token, answer);
  let isRunning = true;
  const clients: Client[] = [];
  const stop = async (): Promise<void> => {
    if (isRunning) await daemon.close();
    isRunning = false;
  };

  t.after(async () => {
    await Promise.all(clients.map(async (client) => client.close()));
    await stop();
    rmSync(directory, {recursive: true, force: true});
  });
  return {
    directory,
    tools,
    stop,
    daemon: () => daemon,
    start: async () => {
      daemon = await createPretendDaemon(socket, token, answer);
      isRunning = true;
    },
    connect: async (...argv) => {
      const client = new Client({name: 'test', version: '1'});
      clients.push(client);
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [program, 'mcp', '--tools', tools, ...argv],
          stderr: 'ignore',
        }),
      );
      return client;
    },
  };
}
