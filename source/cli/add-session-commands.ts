import type {Command} from 'commander';
import type {CliContext, CommandHandler} from './cli-context.ts';

/** Sessions, services, ports and the daemon. Each command's module is loaded when it is called. */
export function addSessionCommands(
  program: Command,
  handler: CommandHandler,
  cli: CliContext,
): void {
  type Json = {json?: boolean};

  program.commandsGroup('Sessions and services:');
  program
    .command('start')
    .description('run a command in a session that outlives this terminal; print its id')
    .argument('<command...>', 'the command and its arguments, preferably after --')
    .passThroughOptions()
    .option('--name <name>', 'name of the session')
    .option('--cwd <directory>', 'working directory')
    .option('--prompt <text>', 'for an agent: type this once, when it takes a prompt')
    .option('--json', 'print one JSON object')
    .action((command: string[], options: Json & {name?: string; cwd?: string; prompt?: string}) =>
      handler(async () => (await import('./sessions.ts')).start(command, options, cli))(),
    );

  program
    .command('sessions')
    .description('list the sessions of this repository')
    .option('--all', 'include sessions that have ended')
    .option('--json', 'print one JSON object')
    .action((options: Json & {all?: boolean}) =>
      handler(async () => (await import('./sessions.ts')).sessions(options, cli))(),
    );

  program
    .command('attach')
    .description('connect your terminal to a session; press Ctrl-] to leave')
    .argument('<session>', 'such as s7')
    .action((session: string) =>
      handler(async () => (await import('./attach.ts')).attach(session, cli))(),
    );

  program
    .command('logs')
    .description('print the output of a running or ended session')
    .argument('<session>', 'such as s7')
    .option('-f, --follow', 'keep printing until it ends')
    .option('--raw', 'print every byte as written; not meant for a terminal')
    .option('--json', 'print one JSON object per line')
    .action((session: string, options: Json & {follow?: boolean; raw?: boolean}) =>
      handler(async () => (await import('./logs.ts')).logs(session, options, cli))(),
    );

  program
    .command('send')
    .description('answer the question of a session, or type text and Enter into it')
    .argument('<session>', 'such as s7')
    .argument('[text]', 'what to type, or the number of an option')
    .option(
      '--file <path>',
      'copy this file to where the session can read it and type the path of the copy; - is standard input',
      (file: string, before: readonly string[] | undefined) => [...(before ?? []), file],
    )
    .option('--no-enter', 'do not press Enter')
    .option('--json', 'print one JSON object')
    .action(
      (
        session: string,
        text: string | undefined,
        options: Json & {enter?: boolean; file?: readonly string[]},
      ) => handler(async () => (await import('./send.ts')).send(session, text, options, cli))(),
    );

  program
    .command('explain')
    .description('explain the state and the environment of a session, task or run')
    .argument('<what>', 'such as s7, r1.t2 or r1')
    .option('--json', 'print one JSON object')
    .action((what: string, options: Json) =>
      handler(async () => (await import('./explain.ts')).explain(what, options, cli))(),
    );

  program
    .command('stop')
    .description('stop a run, task or session and everything it started, until you resume it')
    .argument('<what>', 'such as r1, r1.t2 or s7')
    .option('--reason <text>', 'why; shown with the stop')
    .option('--json', 'print one JSON object')
    .action((what: string, options: Json & {reason?: string}) =>
      handler(async () => (await import('./sessions.ts')).stop(what, options, cli))(),
    );

  program
    .command('replay')
    .description('play back the output of a session with its timing')
    .argument('<session>', 'such as s7')
    .option('--speed <factor>', 'playback speed', '1')
    .option('--export <file>', 'write an asciicast v2 file instead')
    .action((session: string, options: {speed?: string; export?: string}) =>
      handler(async () => (await import('./replay.ts')).replay(session, options, cli))(),
    );

  program
    .command('port')
    .description('show which process or session listens on a port; exit 0 only if it is a session')
    .argument('<port>', 'such as 3000')
    .option('--json', 'print one JSON object')
    .action((number: string, options: Json) =>
      handler(async () => (await import('./port.ts')).port(number, options, cli))(),
    );

  program
    .command('facts')
    .description('show live facts from the kernel, git and the journal')
    .option('--json', 'print one JSON object')
    .action((options: Json) =>
      handler(async () => (await import('./explain.ts')).facts(options, cli))(),
    );

  program
    .command('services')
    .description('list the services of this repository')
    .option('--json', 'print one JSON object')
    .action((options: Json) =>
      handler(async () => (await import('./services.ts')).services(options, cli))(),
    );

  const service = program
    .command('service')
    .description('start, stop or restart a service, or print its output');
  for (const what of ['start', 'stop', 'restart'] as const) {
    service
      .command(what)
      .description(`${what} a service`)
      .argument('<name>', 'name in .orchestra/project.yaml')
      .option('--json', 'print one JSON object')
      .action((name: string, options: Json) =>
        handler(async () => (await import('./services.ts')).serviceDo(what, name, options, cli))(),
      );
  }

  service
    .command('logs')
    .description('print the output of its latest process')
    .argument('<name>', 'name in .orchestra/project.yaml')
    .option('-f, --follow', 'keep printing until it ends')
    .option('--json', 'print one JSON object per line')
    .action((name: string, options: Json & {follow?: boolean}) =>
      handler(async () => (await import('./services.ts')).serviceLogs(name, options, cli))(),
    );

  program
    .command('share')
    .description(
      'copy ignored directories, such as node_modules, into every worktree; without arguments, list them',
    )
    .argument('[directories...]', 'such as node_modules; written to .orchestra/project.yaml')
    .option('--detected', 'share all dependency directories that are found')
    .option(
      '--hard-link',
      'hard-link the files: fast, but writing to one changes your checkout too',
    )
    .option('--json', 'print one JSON object')
    .action((directories: string[], options: Json & {detected?: boolean; hardLink?: boolean}) =>
      handler(async () => (await import('./share.ts')).share(directories, options, cli))(),
    );

  program.commandsGroup('This machine:');
  const daemon = program
    .command('daemon')
    .description('control the process that manages the sessions of this repository');
  daemon
    .command('run', {hidden: true})
    .action(() => handler(async () => (await import('./daemon.ts')).daemonRun(cli))());
  const actionNames = {
    start: ['start the daemon; commands do this themselves when needed', 'daemonStart'],
    stop: ['stop the daemon; sessions keep running', 'daemonStop'],
    restart: ['replace the daemon; sessions keep running', 'daemonRestart'],
    status: ['show whether the daemon runs, and its state', 'daemonStatus'],
  } as const;
  for (const [name, [description, actionName]] of Object.entries(actionNames)) {
    const command = daemon
      .command(name)
      .description(description)
      .option('--json', 'print one JSON object');
    if (name === 'start' || name === 'restart')
      command.option(
        '--trust-services',
        'ignore services and your own sessions when checking who sent a command; no ' +
          'effect once anything ran without a sandbox',
      );
    command.action((options: Json & {trustServices?: boolean}) =>
      handler(async () => (await import('./daemon.ts'))[actionName](options, cli))(),
    );
  }
}
