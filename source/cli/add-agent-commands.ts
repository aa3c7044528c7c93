import type {Command} from 'commander';
import type {CliContext, CommandHandler} from './cli-context.ts';

/**
 * Commands that run inside an agent's session: its tools, and the hidden programs that the session
 * starts.
 */
export function addAgentCommands(program: Command, handler: CommandHandler, cli: CliContext): void {
  program
    .command('mcp')
    .description("for agents: serve the session's tools (MCP) on standard input and output")
    .option('--tools <file>', "the session's tools file; default: ORCHESTRA_TOOLS")
    .option(
      '--server <name>',
      'serve this tool server of .orchestra/project.yaml, with short answers',
    )
    .action((options: {tools?: string; server?: string}) =>
      handler(async () => (await import('./mcp.ts')).mcp(options, cli))(),
    );

  program
    .command('tool')
    .description('for agents: call a tool from a shell; without a name, list them')
    .argument('[name]', 'such as environment')
    .argument('[input]', 'one JSON object')
    .option('--tools <file>', "the session's tools file; default: ORCHESTRA_TOOLS")
    .action((name: string | undefined, input: string | undefined, options: {tools?: string}) =>
      handler(async () => (await import('./mcp.ts')).mcpTool(name, input, options, cli))(),
    );

  const agent = program.command('agent', {hidden: true});
  agent
    .command('playbook')
    .requiredOption('--mode <mode>')
    .requiredOption('--playbook <file>')
    .option('--task <task>')
    .option('--attempt <number>')
    .option('--prompt-file <file>')
    .option('--outcome-file <file>')
    .action((options: Record<string, string>) =>
      handler(async () => (await import('./runs/agent.ts')).agentPlaybook(options, cli))(),
    );
  agent
    .command('run')
    .argument('<command...>')
    .passThroughOptions()
    .requiredOption('--agent <name>')
    .requiredOption('--mode <mode>')
    .requiredOption('--prompt-file <file>')
    .option('--prompt-from <offset>')
    .requiredOption('--outcome-file <file>')
    .option('--inbox <directory>')
    .option('--conversation <id>')
    .option('--token-limit <number>')
    .action((command: string[], options: Record<string, string>) =>
      handler(async () => (await import('./runs/agent.ts')).agentRun(command, options, cli))(),
    );
}
