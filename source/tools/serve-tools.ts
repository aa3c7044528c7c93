import {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js';
import {StdioServerTransport} from '@modelcontextprotocol/sdk/server/stdio.js';
import type {Transport} from '@modelcontextprotocol/sdk/shared/transport.js';
import {CallToolRequestSchema, ListToolsRequestSchema} from '@modelcontextprotocol/sdk/types.js';
import {type AgentRole, isAgentTool} from '../domain/index.ts';
import {callTool} from './call-tool.ts';
import {progressWhile} from './progress-while.ts';
import type {ToolsGrant} from './read-grant.ts';
import {listedTools} from './tool-table.ts';
import {untilClosed} from './until-closed.ts';

export type Serving = {
  readonly grant: ToolsGrant;
  readonly build: string;
  readonly transport?: Transport;
};

/** Our own tools, until the agent leaves. All that is known here is which are listed; the daemon answers, and refuses. */
export async function serveTools({
  grant,
  build,
  transport = new StdioServerTransport(),
}: Serving): Promise<void> {
  const {server} = new McpServer(
    {name: 'orchestra', version: build},
    {capabilities: {tools: {}}, instructions: instructionsFor(grant.role)},
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({tools: listedTools(grant.role)}));
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({params: {name, arguments: input = {}}}, {signal, _meta, sendNotification}) => {
      if (!isAgentTool(name))
        return said({
          text: `there is no tool "${name.slice(0, 64)}" here. There are: ${listedTools(grant.role)
            .map((tool) => tool.name)
            .join(', ')}.`,
          isError: true,
        });
      const words = name === 'ask_person' ? 'waiting for the person' : 'still at it';
      return said(
        await progressWhile(
          {token: _meta?.progressToken, words, tell: sendNotification},
          callTool(grant, {tool: name, input, build, signal, waitMs: personMs}),
        ),
      );
    },
  );
  await untilClosed(server, transport);
}

/** The agents' own time-outs are set above it (`toolTimeoutOf` of the drivers): to be asked again costs a turn of the model. */
const personMs = 600_000;

/** What a model reads once, before the tools. */
export function instructionsFor(role: AgentRole | undefined): string {
  const common =
    'orchestra runs this session. Ask it what is so (services, ports, other tasks) instead of guessing or remembering.';
  if (role === 'planner') return `${common} Hand in the plan with submit_plan.`;
  return `${common} Use its shell for what must stay (servers of your own, REPLs, loaded data), and report what you decided and why.`;
}

function said({text, isError}: {readonly text: string; readonly isError?: boolean}): {
  content: {type: 'text'; text: string}[];
  isError?: boolean;
} {
  return {content: [{type: 'text', text}], ...(isError === true && {isError})};
}
