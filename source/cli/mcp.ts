import path from 'node:path';
import {
  callTool,
  listedTools,
  parseGrant,
  serveExternal,
  serveTools,
  type ToolsGrant,
} from '../mcp/index.ts';
import {type CliContext, type ExitCode, version} from './cli-context.ts';
import {readRegularFile} from '../files/index.ts';
import {UsageError} from './repo-paths.ts';

export type McpOptions = {readonly tools?: string; readonly server?: string};

/** Serves the tools of one agent's session on the standard streams, until the agent closes them. */
export async function mcp({tools, server}: McpOptions, cli: CliContext): Promise<ExitCode> {
  const {file, grant} = readGrantFile(tools, cli, parseGrant);
  if (server === undefined) {
    await serveTools({grant, build: version});
    return 0;
  }

  const address = Object.hasOwn(grant.servers, server) ? grant.servers[server] : undefined;
  if (address === undefined) {
    cli.err(
      `orchestra: ${grant.session} has no access to the server "${server}". It has: ` +
        `${Object.keys(grant.servers).join(', ') || 'none'}. A plan names them in the ` +
        '"tools" of a task.\n',
    );
    return 2;
  }

  await serveExternal({
    name: server,
    address,
    capTokens: grant.capTokens,
    build: version,
    directory: path.join(path.dirname(file), 'results'),
    warn: (text) => {
      cli.err(`${text}\n`);
    },
  });
  return 0;
}

/** Reads the file that says which tools the agent's session may use. */
export function readGrantFile(
  given: string | undefined,
  {env, cwd}: Pick<CliContext, 'env' | 'cwd'>,
  read: typeof parseGrant,
): {readonly file: string; readonly grant: ToolsGrant} {
  const named = given ?? env['ORCHESTRA_TOOLS'];
  if (named === undefined || named === '') {
    throw new UsageError(
      'this command is for agents. It expects the tools file of a session in ' +
        'ORCHESTRA_TOOLS, which orchestra sets for every agent that it starts; it is not ' +
        'set here. To see what the tools cost: orchestra audit --tools',
    );
  }

  const file = path.resolve(cwd, named);
  const reading = read(readText(file));
  if ('problem' in reading) throw new UsageError(`${file}: ${reading.problem}`);
  return {file, grant: reading.value};
}

function readText(file: string): string {
  const reading = readRegularFile(file, {maxBytes: 16 * 1024 * 1024});
  if (reading.at === 'refused')
    throw new UsageError(
      `${file} ${reading.message}. Orchestra writes it when it starts an agent and removes it when the session ends.`,
    );
  return reading.bytes.toString('utf8');
}

/** Calls a tool from a shell inside of an agent's session. Without a name: lists the tools. */
export async function mcpTool(
  name: string | undefined,
  input: string | undefined,
  {tools}: {readonly tools?: string},
  cli: CliContext,
): Promise<ExitCode> {
  const {grant} = readGrantFile(tools, cli, parseGrant);
  if (name === undefined) {
    cli.out(
      listedTools(grant.role)
        .map(
          (tool) =>
            `${tool.name} ${JSON.stringify(tool.inputSchema.properties)}\n    ${tool.description}\n`,
        )
        .join(''),
    );
    return 0;
  }

  const read = parseInput(input ?? '{}');
  if (read === undefined) {
    cli.err(
      `orchestra: expected the input of ${name} as one JSON object, like '{"service": ` +
        `"web"}', got something else. Put it in single quotes.\n`,
    );
    return 2;
  }

  const {text, isError} = await callTool(grant, {tool: name, input: read, build: version});
  cli.out(text.endsWith('\n') ? text : `${text}\n`);
  return isError === true ? 1 : 0;
}

function parseInput(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
