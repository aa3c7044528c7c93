import {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js';
import {StdioServerTransport} from '@modelcontextprotocol/sdk/server/stdio.js';
import type {Transport} from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  type CallToolResult,
  CallToolRequestSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {capResult} from './cap-result.ts';
import {type ExternalServer, type Patience, connectServer, whyOf} from './connect-server.ts';
import {keepIn} from './keep-in.ts';
import {progressWhile} from './progress-while.ts';
import type {ServerAddress} from './read-grant.ts';
import {untilClosed} from './until-closed.ts';

export type External = Patience & {
  readonly name: string;
  readonly address: ServerAddress;
  readonly capTokens: number;
  /** Where answers that are too long are kept whole. */
  readonly directory: string;
  readonly build: string;
  /** Takes sentences about what is wrong with the server. */
  readonly warn: (words: string) => void;
  readonly transport?: Transport;
};

/** Stands between an agent and somebody else's server: the same tools, and answers that fit. A server that dies is started again by the next call. */
export async function serveExternal({
  name,
  address,
  capTokens,
  directory,
  build,
  warn,
  transport = new StdioServerTransport(),
  ...patience
}: External): Promise<void> {
  const connection = createConnection(async () => {
    const server = await connectServer(name, address, patience);
    for (const problem of server.problems) warn(`${name}: ${problem}`);
    return server;
  });
  const cap = {characters: capTokens * 4, keep: keepIn(directory, name)};
  const {server} = new McpServer({name, version: build}, {capabilities: {tools: {}}});
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: [...(await connection.open()).tools],
  }));
  server.setRequestHandler(
    CallToolRequestSchema,
    async (
      {params: {name: tool, arguments: input = {}}},
      {signal, _meta, sendNotification},
    ): Promise<CallToolResult> => {
      try {
        const called = connection.open().then(async ({call}) => call(tool, input, signal));
        return capResult(
          await progressWhile(
            {token: _meta?.progressToken, words: `${name} is still at it`, tell: sendNotification},
            called,
          ),
          cap,
        );
      } catch (error) {
        return {
          content: [{type: 'text', text: `${name} did not do it: ${whyOf(error)}`}],
          isError: true,
        };
      }
    },
  );
  await untilClosed(server, transport).finally(connection.close);
}

/** One at a time; made when it is first needed, and again when it is gone. */
function createConnection(connect: () => Promise<ExternalServer>): {
  readonly open: () => Promise<ExternalServer>;
  readonly close: () => Promise<void>;
} {
  let current: Promise<ExternalServer> | undefined;
  return {
    open: async () => {
      const known = await current?.catch(() => undefined);
      if (known?.isOpen() === true) return known;
      current = connect();
      return current;
    },
    close: async () => {
      const known = await current?.catch(() => undefined);
      await known?.close();
    },
  };
}
