import {Command, CommanderError} from 'commander';
import {sanitizeText} from '../shared/index.ts';
import {addAgentCommands} from './add-agent-commands.ts';
import {addSessionCommands} from './add-session-commands.ts';
import {isUsageError} from './repo-paths.ts';
import {addRunCommands} from './runs/add-run-commands.ts';
import {addSteeringCommands} from './runs/add-steering-commands.ts';
import {addViewCommands} from './runs/add-view-commands.ts';
import {type CliContext, type CommandHandler, type ExitCode, version} from './cli-context.ts';

export async function runCommandLine(argv: readonly string[], cli: CliContext): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const handler: CommandHandler = (act) => async () => {
    exitCode = await act();
  };

  const program = createProgram(handler, cli);
  try {
    if (argv.length === 0) {
      cli.err(
        'orchestra: the app needs a terminal for input and output. Every command works ' +
          'without one: `orchestra status` shows the state, `orchestra --help` lists all ' +
          'commands.\n',
      );
      return 2;
    }

    await program.parseAsync(argv, {from: 'user'});
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!isUsageError(error)) throw error;
    cli.err(`orchestra: ${sanitizeText(error.message)}\n`);
    return 2;
  }

  return exitCode;
}

/** All commands with their options. */
export function createProgram(handler: CommandHandler, outside: CliContext): Command {
  let asked: ReturnType<NonNullable<CliContext['asked']>> = {};
  const cli: CliContext = {...outside, asked: () => asked};
  const program = new Command('orchestra')
    .description(
      'Plan, run and validate coding agents in your terminal. Without a command, open the app.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .showHelpAfterError('Run `orchestra --help` for the list of commands.')
    .showSuggestionAfterError()
    // Options after the command of `start` belong to that command.
    .enablePositionalOptions()
    .hook('preAction', (_program, command) => {
      asked = command.opts();
    });
  addRunCommands(program, handler, cli);
  addViewCommands(program, handler, cli);
  addSteeringCommands(program, handler, cli);
  addSessionCommands(program, handler, cli);
  addAgentCommands(program, handler, cli);
  addOwnCommands(program, handler, cli);
  addCodeOption(program);
  for (const command of collectAll(program))
    command.exitOverride().configureOutput({writeOut: cli.out, writeErr: cli.err});
  return program;
}

function addOwnCommands(program: Command, handler: CommandHandler, cli: CliContext): void {
  program
    .command('doctor')
    .description('check Node, git, terminal, directories, disk, agents and sandbox of this machine')
    .option('--journal', 'also check every journal of this user for damage')
    .option('--json', 'print one JSON object')
    .action((options: {journal?: boolean; json?: boolean}) =>
      handler(async () => (await import('./doctor/doctor.ts')).doctor(options, cli))(),
    );

  program
    .command('settings')
    .description(
      'show or change your preferences for all repositories: colours, keys, notifications',
    )
    .argument('[name]', 'setting; `keys` lists the key bindings, `keys.NAME` is one of them')
    .argument('[values...]', 'new value; for keys.NAME one or more keys, `none` or `default`')
    .option('--json', 'print one JSON object')
    .action((name: string | undefined, values: readonly string[], options: {json?: boolean}) =>
      handler(async () =>
        (await import('./preferences.ts')).preferences(name, values, options, cli),
      )(),
    );

  program
    .command('rules')
    .description('work with the rules file')
    .command('check')
    .description('check a rules file and list its problems')
    .argument('[file]', 'rules file', '.rulesfile.md')
    .option('--json', 'print one JSON object')
    .action((file: string, options: {json?: boolean}) =>
      handler(async () => (await import('./rules-check.ts')).rulesCheck(file, options, cli))(),
    );
}

export function collectAll(command: Command): Command[] {
  return [command, ...command.commands.flatMap((inner) => collectAll(inner))];
}

/** Full names of the commands that decide, type or remove. */
const decidingCommands: ReadonlySet<string> = new Set([
  'plan approve',
  'plan reject',
  'plan comment',
  'plan edit',
  'plan again',
  'needs',
  'resume',
  'grant',
  'takeover',
  'handback',
  'reset',
  'accept',
  'branch',
  'discard',
  'gc',
  'start',
  'attach',
  'logs',
  'send',
]);

/**
 * Where the daemon cannot prove that the person sent a command, they repeat it with the code that
 * it showed them.
 */
export function addCodeOption(program: Command): void {
  for (const [name, command] of listCommands(program, '')) {
    if (decidingCommands.has(name))
      command.option(
        '--code <code>',
        'one-time code from `orchestra codes`, if it could not be proved that you sent the command',
      );
  }
}

function listCommands(command: Command, before: string): (readonly [string, Command])[] {
  return command.commands.flatMap((inner) => {
    const name = `${before}${inner.name()}`;
    return [[name, inner] as const, ...listCommands(inner, `${name} `)];
  });
}
