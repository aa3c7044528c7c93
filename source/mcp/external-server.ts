import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type CallToolResult,
  type ListToolsResult,
  type Tool,
  CallToolResultSchema,
  ListToolsResultSchema,
  CallToolRequestSchema,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js';
import {StdioServerTransport} from '@modelcontextprotocol/sdk/server/stdio.js';
import type {Transport} from '@modelcontextprotocol/sdk/shared/transport.js';
import {errorText, sanitizeText} from '../shared/index.ts';
import type {ServerAddress} from './call-tool.ts';
import {capResult, saveIn} from './cap-result.ts';
import {progressWhile, untilClosed} from './connection.ts';

/** A connection to an external server. */
export type ExternalServer = {
  readonly tools: readonly Tool[];
  /** Tools that were left out of its list, and why, as sentences. */
  readonly problems: readonly string[];
  readonly call: (
    name: string,
    input: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ) => Promise<CallToolResult>;
  readonly isOpen: () => boolean;
  readonly close: () => Promise<void>;
};

export type Timeouts = {
  /** Until the server has listed its tools. @default 30000 */
  readonly connectMs?: number;
  /** Until the server has answered a call or sent progress. @default 120000 */
  readonly callMs?: number;
};

const limits = {
  tools: 128,
  pages: 20,
  schemaCharacters: 16_000,
  allCharacters: 128_000,
  messageBytes: 10 * 1024 * 1024,
};

/**
 * Rejects with a sentence if the server does not start or does not list its tools in time. All its
 * output is hostile.
 */
export async function connectServer(
  name: string,
  address: ServerAddress,
  {connectMs = 30_000, callMs = 120_000}: Timeouts = {},
): Promise<ExternalServer> {
  const client = new Client({name: 'orchestra', version: '1'});
  let isOpen = true;
  client.onclose = () => {
    isOpen = false;
  };
  const transport =
    'url' in address
      ? new StreamableHTTPClientTransport(new URL(address.url))
      : new StdioClientTransport({
          command: address.command[0] ?? '',
          args: address.command.slice(1),
          env: {...address.env},
          stderr: 'ignore',
          maxBufferSize: limits.messageBytes,
        });
  try {
    // The SDK's transports differ from its interface in which fields may be undefined.
    await client.connect(transport, {timeout: connectMs});
    const listed = await listTools(client, connectMs);
    return {
      ...listed,
      isOpen: () => isOpen,
      call: async (tool, input, signal) =>
        client.request(
          {method: 'tools/call', params: {name: tool, arguments: {...input}}},
          CallToolResultSchema,
          {
            timeout: callMs,
            resetTimeoutOnProgress: true,
            onprogress: () => undefined,
            maxTotalTimeout: callMs * 10,
            ...(signal !== undefined && {signal}),
          },
        ),
      close: async () => client.close(),
    };
  } catch (error) {
    // Ends the program in the background; nothing waits for it.
    void client.close().catch(() => undefined);
    throw new Error(`the server "${name}" did not list its tools: ${formatError(error)}`, {
      cause: error,
    });
  }
}

/**
 * A plain request, because the SDK's `listTools` compiles the output schemas of the server, which
 * are hostile.
 */
async function listTools(
  client: Client,
  timeout: number,
): Promise<Pick<ExternalServer, 'tools' | 'problems'>> {
  const tools: Tool[] = [];
  const problems: string[] = [];
  let [cursor, space]: [string | undefined, number] = [undefined, limits.allCharacters];
  for (let page = 0; page < limits.pages; page += 1) {
    const listed: ListToolsResult = await client.request(
      {method: 'tools/list', params: cursor === undefined ? {} : {cursor}},
      ListToolsResultSchema,
      {timeout},
    );
    for (const tool of listed.tools) {
      const plain = plainTool(tool);
      const size = JSON.stringify(plain).length;
      const why = findFault(plain.name, size, tools.length, space);
      if (why === undefined) {
        tools.push(plain);
        space -= size;
      } else if (problems.length < limits.pages) {
        problems.push(`the tool "${sanitizeText(tool.name.slice(0, 64))}" is left out: ${why}`);
      }
    }

    cursor = listed.nextCursor;
    if (cursor === undefined) break;
  }

  return {tools, problems};
}

/** Only what a model needs: the output schema would be in every prompt, too. */
function plainTool({name, description, inputSchema, annotations}: Tool): Tool {
  return {
    name,
    ...(description !== undefined && {description: sanitizeText(description)}),
    inputSchema,
    ...(annotations !== undefined && {annotations}),
  };
}

function findFault(name: string, size: number, count: number, space: number): string | undefined {
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name))
    return 'expected a name of at most 64 letters, digits, "_", "." and "-".';
  if (size > limits.schemaCharacters)
    return `expected at most ${limits.schemaCharacters} characters to describe it, got ${size}.`;
  if (count >= limits.tools) return `there are already ${limits.tools}.`;
  return size > space
    ? `the tools before it have used ${limits.allCharacters} characters.`
    : undefined;
}

function formatError(error: unknown): string {
  return sanitizeText(errorText(error).replaceAll(/\s+/g, ' ').slice(0, 300));
}

export type ExternalOptions = Timeouts & {
  readonly name: string;
  readonly address: ServerAddress;
  readonly capTokens: number;
  /** Where answers that are too long are saved in full. */
  readonly directory: string;
  readonly build: string;
  /** Called with sentences about what is wrong with the server. */
  readonly warn: (text: string) => void;
  readonly transport?: Transport;
};

/**
 * A proxy for an external server: the same tools, with shortened answers. A server that died is
 * started again by the next call.
 */
export async function serveExternal({
  name,
  address,
  capTokens,
  directory,
  build,
  warn,
  transport = new StdioServerTransport(),
  ...timeouts
}: ExternalOptions): Promise<void> {
  const connection = createConnection(async () => {
    const server = await connectServer(name, address, timeouts);
    for (const problem of server.problems) warn(`${name}: ${problem}`);
    return server;
  });
  const cap = {characters: capTokens * 4, save: saveIn(directory, name)};
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
            {
              token: _meta?.progressToken,
              message: `${name} is still running`,
              notify: sendNotification,
            },
            called,
          ),
          cap,
        );
      } catch (error) {
        return {
          content: [{type: 'text', text: `${name} failed: ${formatError(error)}`}],
          isError: true,
        };
      }
    },
  );
  await untilClosed(server, transport).finally(connection.close);
}

/** One connection at a time, opened when it is first needed and again when it was closed. */
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
