import {Client} from '@modelcontextprotocol/sdk/client/index.js';
import {StdioClientTransport} from '@modelcontextprotocol/sdk/client/stdio.js';
import {StreamableHTTPClientTransport} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  type CallToolResult,
  type ListToolsResult,
  type Tool,
  CallToolResultSchema,
  ListToolsResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import {sanitizeText} from '../base/index.ts';
import type {ServerAddress} from './read-grant.ts';

/** Somebody else's server, connected. */
export type ExternalServer = {
  readonly tools: readonly Tool[];
  /** What was left out of its list, and why: sentences. */
  readonly problems: readonly string[];
  readonly call: (
    name: string,
    input: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ) => Promise<CallToolResult>;
  readonly isOpen: () => boolean;
  readonly close: () => Promise<void>;
};

export type Patience = {
  /** Until it has said what it has. @default 30000 */
  readonly connectMs?: number;
  /** Until it has answered one call, or said that it is still at it. @default 120000 */
  readonly callMs?: number;
};

const limits = {
  tools: 128,
  pages: 20,
  schemaCharacters: 16_000,
  allCharacters: 128_000,
  messageBytes: 10 * 1024 * 1024,
};

/** Rejects with a sentence when it does not start, or does not say in time what it has. Whatever it says is hostile. */
export async function connectServer(
  name: string,
  address: ServerAddress,
  {connectMs = 30_000, callMs = 120_000}: Patience = {},
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
    // The types of its own transports differ from its interface in what may be undefined.
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
    // A program that does not end by itself is ended; nobody waits for it.
    void client.close().catch(() => undefined);
    throw new Error(`the server "${name}" did not say what tools it has: ${whyOf(error)}`, {
      cause: error,
    });
  }
}

/** Asked plainly: the package's own way compiles whatever forms of answers the server claims to have. */
async function listTools(
  client: Client,
  timeout: number,
): Promise<Pick<ExternalServer, 'tools' | 'problems'>> {
  const tools: Tool[] = [];
  const problems: string[] = [];
  let [cursor, room]: [string | undefined, number] = [undefined, limits.allCharacters];
  for (let page = 0; page < limits.pages; page += 1) {
    const listed: ListToolsResult = await client.request(
      {method: 'tools/list', params: cursor === undefined ? {} : {cursor}},
      ListToolsResultSchema,
      {timeout},
    );
    for (const tool of listed.tools) {
      const plain = plainTool(tool);
      const size = JSON.stringify(plain).length;
      const why = faultOf(plain.name, size, tools.length, room);
      if (why === undefined) {
        tools.push(plain);
        room -= size;
      } else if (problems.length < limits.pages) {
        problems.push(`the tool "${sanitizeText(tool.name.slice(0, 64))}" is left out: ${why}`);
      }
    }

    cursor = listed.nextCursor;
    if (cursor === undefined) break;
  }

  return {tools, problems};
}

/** What a model is told of it, and nothing else: the form of its answers would be in every prompt as well. */
function plainTool({name, description, inputSchema, annotations}: Tool): Tool {
  return {
    name,
    ...(description !== undefined && {description: sanitizeText(description)}),
    inputSchema,
    ...(annotations !== undefined && {annotations}),
  };
}

function faultOf(name: string, size: number, count: number, room: number): string | undefined {
  if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name))
    return 'expected a name of at most 64 letters, digits, "_", "." and "-".';
  if (size > limits.schemaCharacters)
    return `expected at most ${limits.schemaCharacters} characters to describe it, got ${size}.`;
  if (count >= limits.tools) return `there are ${limits.tools} already.`;
  return size > room
    ? `the tools before it have used ${limits.allCharacters} characters.`
    : undefined;
}

export function whyOf(error: unknown): string {
  return sanitizeText(
    (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').slice(0, 300),
  );
}
