import {Command, CommanderError} from 'commander';
import type {ExitCode, Surroundings} from './surroundings.ts';

declare const ORCHESTRA_VERSION: string;

export async function runCommandLine(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  let exitCode: ExitCode = 0;
  const does = (act: () => Promise<ExitCode>) => async (): Promise<void> => {
    exitCode = await act();
  };

  const program = new Command('orchestra')
    .description('Plans, runs and validates coding agents in your terminal.')
    .version(ORCHESTRA_VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput({writeOut: surroundings.out, writeErr: surroundings.err})
    .showHelpAfterError('Run `orchestra --help` to see what there is.')
    .showSuggestionAfterError();

  program
    .command('doctor')
    .description('check this machine: Node, git, terminal, directories, disk, agents, sandbox')
    .option('--journal', 'also read every journal of this user and report damage')
    .option('--json', 'print one JSON object')
    .action(async (options: {journal?: boolean; json?: boolean}) => {
      await does(async () => (await import('./doctor.ts')).doctor(options, surroundings))();
    });

  const rules = program.command('rules').description('the ordered rules file');
  rules
    .command('check')
    .description('read a rules file and say what is wrong with it')
    .argument('[file]', 'the rules file', '.rulesfile.md')
    .option('--json', 'print one JSON object')
    .action(async (file: string, options: {json?: boolean}) => {
      await does(async () => (await import('./rules-check.ts')).rulesCheck(file, options, surroundings))();
    });

  for (const command of [program, ...program.commands, ...rules.commands]) {
    command.exitOverride().configureOutput({writeOut: surroundings.out, writeErr: surroundings.err});
  }

  if (argv.length === 0) {
    surroundings.err(program.helpInformation());
    return 2;
  }

  try {
    await program.parseAsync(argv, {from: 'user'});
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }

  return exitCode;
}
