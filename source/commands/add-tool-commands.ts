import type {Command} from 'commander';
import type {Does, Surroundings} from './surroundings.ts';

/** What an agent calls from inside of its session. */
export function addToolCommands(program: Command, does: Does, surroundings: Surroundings): void {
  program
    .command('mcp')
    .description(
      'for agents: the server of tools (MCP) of their session, on standard input and output',
    )
    .option('--tools <file>', 'what the session may ask; else ORCHESTRA_TOOLS')
    .option(
      '--server <name>',
      'the tools of this server of .orchestra/project.yaml instead, with short answers',
    )
    .action((options: {tools?: string; server?: string}) =>
      does(async () => (await import('./mcp.ts')).mcp(options, surroundings))(),
    );

  program
    .command('tool')
    .description('for agents: call one of these tools from a shell; without a name, list them')
    .argument('[name]', 'such as environment')
    .argument('[input]', 'one JSON object')
    .option('--tools <file>', 'what the session may ask; else ORCHESTRA_TOOLS')
    .action((name: string | undefined, input: string | undefined, options: {tools?: string}) =>
      does(async () =>
        (await import('./mcp-tool.ts')).mcpTool(name, input, options, surroundings),
      )(),
    );
}
