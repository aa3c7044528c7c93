import {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js';
import {StdioServerTransport} from '@modelcontextprotocol/sdk/server/stdio.js';
import type {Transport} from '@modelcontextprotocol/sdk/shared/transport.js';
import {CallToolRequestSchema, ListToolsRequestSchema} from '@modelcontextprotocol/sdk/types.js';
import {type AgentRole, type AgentTool, isAgentTool, toolsOfRole} from '../domain/index.ts';
import {callTool, type ToolsGrant} from './call-tool.ts';
import {progressWhile, untilClosed} from './connection.ts';

/** A tool as a model sees it. */
export type ListedTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, object>>;
    readonly required?: string[];
  };
  readonly annotations: {readonly readOnlyHint: boolean};
};

/**
 * The tools of a role; without a role, all of them. The descriptions are in every prompt, so they
 * are short.
 */
export function listedTools(role?: AgentRole): ListedTool[] {
  const names = role === undefined ? (Object.keys(toolTable) as AgentTool[]) : toolsOfRole(role);
  return names.map((name) => {
    const [description, properties, required = [], isReading = true] = toolTable[name];
    return {
      name,
      description,
      inputSchema: {
        type: 'object',
        properties,
        ...(required.length > 0 && {required: [...required]}),
      },
      annotations: {readOnlyHint: isReading},
    };
  });
}

const textSchema = {type: 'string'};
const textsSchema = {type: 'array', items: textSchema};
const serviceSchema = {service: textSchema};

type Row = readonly [
  description: string,
  properties: Readonly<Record<string, object>>,
  required?: readonly string[],
  isReading?: boolean,
];

const toolTable: Readonly<Record<AgentTool, Row>> = {
  // Counts as reading, because it changes no file: a read-only mode must allow it.
  submit_plan: [
    'Hand in the plan. Answers with problems to correct; then call it again. The last one counts.',
    {plan: {type: 'object', description: 'in the form that you were given'}},
    ['plan'],
  ],
  report: [
    'Say for later what only you know. Calls add up.',
    {
      rootCause: textSchema,
      decisions: {...textsSchema, description: 'what and why'},
      rejected: {
        type: 'array',
        items: {
          type: 'object',
          properties: {what: textSchema, why: textSchema},
          required: ['what', 'why'],
        },
      },
      done: {type: 'boolean', description: 'the work is complete and can be checked'},
    },
    [],
    false,
  ],
  environment: [
    'What is so right now: worktree, services, ports, disk, other tasks; with source and age.',
    {},
  ],
  service_start: ['Start a declared service.', serviceSchema, ['service'], false],
  service_stop: ['Stop a declared service.', serviceSchema, ['service'], false],
  service_status: ['Whether a service is up and answers. Without a name: all.', serviceSchema],
  service_logs: [
    'The last lines of a service.',
    {...serviceSchema, lines: {type: 'integer'}},
    ['service'],
  ],
  port: ['Who listens on a port, and for whom.', {port: {type: 'integer'}}, ['port']],
  recall: [
    'What earlier tasks found out, by words or by files.',
    {words: textSchema, files: textsSchema},
  ],
  ask_person: [
    'Ask the person and wait for the answer. Only for what you can neither find out nor ' +
      'decide. If told that there is none yet, ask again with the same words.',
    {question: textSchema, options: textsSchema},
    ['question'],
  ],
  task_status: ['Your task, its attempt and checks; the other tasks and their files.', {}],
  shell: [
    'Run a command in a shell that stays: directory, variables and what is loaded are ' +
      'there at the next call. An empty command waits on; "\\u0003" interrupts.',
    {
      command: textSchema,
      name: {...textSchema, description: 'one of several; default main'},
      program: {...textSchema, description: 'python3, node, …; default bash'},
      timeoutSeconds: {type: 'integer'},
    },
    ['command'],
    false,
  ],
};

type ServeToolsOptions = {
  readonly grant: ToolsGrant;
  readonly build: string;
  readonly transport?: Transport;
};

/**
 * Serves our own tools until the agent disconnects. This process only lists them; the daemon
 * answers or rejects the calls.
 */
export async function serveTools({
  grant,
  build,
  transport = new StdioServerTransport(),
}: ServeToolsOptions): Promise<void> {
  const {server} = new McpServer(
    {name: 'orchestra', version: build},
    {capabilities: {tools: {}}, instructions: instructionsFor(grant.role)},
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({tools: listedTools(grant.role)}));
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({params: {name, arguments: input = {}}}, {signal, _meta, sendNotification}) => {
      if (!isAgentTool(name))
        return output({
          text: `there is no tool "${name.slice(0, 64)}" here. There are: ${listedTools(grant.role)
            .map((tool) => tool.name)
            .join(', ')}.`,
          isError: true,
        });
      const message = name === 'ask_person' ? 'waiting for the person' : 'still at it';
      return output(
        await progressWhile(
          {token: _meta?.progressToken, message, notify: sendNotification},
          callTool(grant, {tool: name, input, build, signal, waitMs: personMs}),
        ),
      );
    },
  );
  await untilClosed(server, transport);
}

/**
 * The agents' own timeouts are longer (`toolTimeoutMs` in `agents`), because a repeated call costs
 * a turn of the model.
 */
const personMs = 600_000;

/** Instructions that a model reads once, before the tools. */
export function instructionsFor(role: AgentRole | undefined): string {
  const common =
    'orchestra runs this session. Ask it what is so (services, ports, other tasks) instead of guessing or remembering.';
  if (role === 'planner') return `${common} Hand in the plan with submit_plan.`;
  return (
    `${common} Use its shell for what must stay (servers of your own, REPLs, loaded data), ` +
    'and report what you decided and why.'
  );
}

function output({text, isError}: {readonly text: string; readonly isError?: boolean}): {
  content: {type: 'text'; text: string}[];
  isError?: boolean;
} {
  return {content: [{type: 'text', text}], ...(isError === true && {isError})};
}
