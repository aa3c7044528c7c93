import {Command, CommanderError} from 'commander';
import {sanitizeText} from '../base/index.ts';
import {addCodeOption} from './add-code-option.ts';
import {addSessionCommands} from './add-session-commands.ts';
import {addToolCommands} from './add-tool-commands.ts';
import {Impossible} from './here.ts';
import {addLoopCommands} from './loop/add-loop-commands.ts';
import type {Does, ExitCode, Surroundings} from './surroundings.ts';
import {version} from './version.ts';

export async function runCommandLine(
  argv: readonly string[],
  surroundings: Surroundings,
): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const does: Does = (act) => async () => {
    exitCode = await act();
  };

  const program = createProgram(does, surroundings);
  try {
    if (argv.length === 0) {
      surroundings.err(
        'orchestra: the app needs a terminal, for its input and its output. Without one every command works: `orchestra status` says what is going on, `orchestra --help` lists them all.\n',
      );
      return 2;
    }

    await program.parseAsync(argv, {from: 'user'});
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof Impossible)) throw error;
    surroundings.err(`orchestra: ${sanitizeText(error.message)}\n`);
    return 2;
  }

  return exitCode;
}

/** Every command that there is, with its options. */
export function createProgram(does: Does, outside: Surroundings): Command {
  let asked: ReturnType<NonNullable<Surroundings['asked']>> = {};
  const surroundings: Surroundings = {...outside, asked: () => asked};
  const program = new Command('orchestra')
    .description(
      'Plans, runs and validates coding agents in your terminal. Without a command: the app, where you left it.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'explain a command')
    .showHelpAfterError('Run `orchestra --help` to see what there is.')
    .showSuggestionAfterError()
    // What stands after the command of `start` belongs to that command.
    .enablePositionalOptions()
    .hook('preAction', (_program, command) => {
      asked = command.opts();
    });
  addLoopCommands(program, does, surroundings);
  addSessionCommands(program, does, surroundings);
  addToolCommands(program, does, surroundings);
  addOwnCommands(program, does, surroundings);
  addCodeOption(program);
  for (const command of allOf(program))
    command
      .exitOverride()
      .configureOutput({writeOut: surroundings.out, writeErr: surroundings.err});
  return program;
}

function addOwnCommands(program: Command, does: Does, surroundings: Surroundings): void {
  program
    .command('doctor')
    .description('check this machine: Node, git, terminal, directories, disk, agents, sandbox')
    .option('--journal', 'also read every journal of this user and report damage')
    .option('--json', 'print one JSON object')
    .action((options: {journal?: boolean; json?: boolean}) =>
      does(async () => (await import('./doctor.ts')).doctor(options, surroundings))(),
    );

  program
    .command('settings')
    .description('how you like it, in every repository: colours, keys, notifications')
    .argument('[name]', 'one of them; keys lists the keys, keys.NAME is one of these')
    .argument('[values...]', 'its new value; for keys.NAME one key or more, none, or default')
    .option('--json', 'print one JSON object')
    .action((name: string | undefined, values: readonly string[], options: {json?: boolean}) =>
      does(async () =>
        (await import('./preferences.ts')).preferences(name, values, options, surroundings),
      )(),
    );

  program
    .command('rules')
    .description('the ordered rules file')
    .command('check')
    .description('read a rules file and say what is wrong with it')
    .argument('[file]', 'the rules file', '.rulesfile.md')
    .option('--json', 'print one JSON object')
    .action((file: string, options: {json?: boolean}) =>
      does(async () =>
        (await import('./rules-check.ts')).rulesCheck(file, options, surroundings),
      )(),
    );
}

export function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap((inner) => allOf(inner))];
}
