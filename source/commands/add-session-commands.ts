import type {Command} from 'commander';
import type {Does, Surroundings} from './surroundings.ts';

/** Sessions, services, ports, and the daemon that looks after them. Each command's module is loaded when it is called. */
export function addSessionCommands(program: Command, does: Does, surroundings: Surroundings): void {
  type Json = {json?: boolean};

  program.commandsGroup('Sessions and services:');
  program
    .command('start')
    .description('run any command as a session that outlives this terminal; prints its id')
    .argument('<command...>', 'the command and its arguments, best after --')
    .passThroughOptions()
    .option('--name <name>', 'what to call it')
    .option('--cwd <directory>', 'where it runs')
    .option('--prompt <text>', 'for an agent: typed once, when it takes a prompt')
    .option('--json', 'print one JSON object')
    .action((command: string[], options: Json & {name?: string; cwd?: string; prompt?: string}) =>
      does(async () => (await import('./start.ts')).start(command, options, surroundings))(),
    );

  program
    .command('sessions')
    .description('list the sessions of this repository')
    .option('--all', 'also those that have ended')
    .option('--json', 'print one JSON object')
    .action((options: Json & {all?: boolean}) =>
      does(async () => (await import('./sessions.ts')).sessions(options, surroundings))(),
    );

  program
    .command('attach')
    .description('take over a session with your keyboard; Ctrl-] leaves it')
    .argument('<session>', 'such as s7')
    .action((session: string) =>
      does(async () => (await import('./attach.ts')).attach(session, surroundings))(),
    );

  program
    .command('logs')
    .description('print the output of a session, also of one that has ended')
    .argument('<session>', 'such as s7')
    .option('-f, --follow', 'go on until it ends')
    .option('--raw', 'every byte as it was written; not meant for a terminal')
    .option('--json', 'print one JSON object a line')
    .action((session: string, options: Json & {follow?: boolean; raw?: boolean}) =>
      does(async () => (await import('./logs.ts')).logs(session, options, surroundings))(),
    );

  program
    .command('send')
    .description('answer what a session asks you, or type a text and Enter into it, once')
    .argument('<session>', 'such as s7')
    .argument('<text>', 'what to type; where it offers options, the number of one')
    .option('--no-enter', 'without Enter')
    .option('--json', 'print one JSON object')
    .action((session: string, text: string, options: Json & {enter?: boolean}) =>
      does(async () => (await import('./send.ts')).send(session, text, options, surroundings))(),
    );

  program
    .command('explain')
    .description(
      'say why a session, a task or a run is in the state it is shown in, and which environment it has',
    )
    .argument('<what>', 'such as s7, r1.t2 or r1')
    .option('--json', 'print one JSON object')
    .action((what: string, options: Json) =>
      does(async () => (await import('./explain.ts')).explain(what, options, surroundings))(),
    );

  program
    .command('stop')
    .description(
      'stop a run, a task or a session, and everything that came of it; it stays stopped',
    )
    .argument('<what>', 'such as r1, r1.t2 or s7')
    .option('--reason <words>', 'why, for whoever comes back')
    .option('--json', 'print one JSON object')
    .action((what: string, options: Json & {reason?: string}) =>
      does(async () => (await import('./stop.ts')).stop(what, options, surroundings))(),
    );

  program
    .command('replay')
    .description('play the output of a session with its timing')
    .argument('<session>', 'such as s7')
    .option('--speed <factor>', 'faster or slower', '1')
    .option('--export <file>', 'write it as asciicast v2 instead')
    .action((session: string, options: {speed?: string; export?: string}) =>
      does(async () => (await import('./replay.ts')).replay(session, options, surroundings))(),
    );

  program
    .command('port')
    .description('say who serves at a port, with proof; exit 0 only if a session does')
    .argument('<port>', 'such as 3000')
    .option('--json', 'print one JSON object')
    .action((number: string, options: Json) =>
      does(async () => (await import('./port.ts')).port(number, options, surroundings))(),
    );

  program
    .command('facts')
    .description('what is so now, read from the kernel, git and the journal')
    .option('--json', 'print one JSON object')
    .action((options: Json) =>
      does(async () => (await import('./facts.ts')).facts(options, surroundings))(),
    );

  program
    .command('services')
    .description('list the services of this repository')
    .option('--json', 'print one JSON object')
    .action((options: Json) =>
      does(async () => (await import('./services.ts')).services(options, surroundings))(),
    );

  const service = program.command('service').description('one service: start, stop, restart, logs');
  for (const what of ['start', 'stop', 'restart'] as const) {
    service
      .command(what)
      .description(`${what} it`)
      .argument('<name>', 'as in .orchestra/project.yaml')
      .option('--json', 'print one JSON object')
      .action((name: string, options: Json) =>
        does(async () =>
          (await import('./services.ts')).serviceDo(what, name, options, surroundings),
        )(),
      );
  }

  service
    .command('logs')
    .description('print the output of its latest process')
    .argument('<name>', 'as in .orchestra/project.yaml')
    .option('-f, --follow', 'go on until it ends')
    .option('--json', 'print one JSON object a line')
    .action((name: string, options: Json & {follow?: boolean}) =>
      does(async () => (await import('./services.ts')).serviceLogs(name, options, surroundings))(),
    );

  program
    .command('share')
    .description(
      'give every task its own copy of directories that git ignores, such as node_modules; without any, show what there is',
    )
    .argument(
      '[directories...]',
      'such as node_modules; they are written into .orchestra/project.yaml',
    )
    .option('--detected', 'all directories of dependencies that are found')
    .option(
      '--hard-link',
      'link file by file: fast, but a program that writes into such a file writes into your checkout',
    )
    .option('--json', 'print one JSON object')
    .action((directories: string[], options: Json & {detected?: boolean; hardLink?: boolean}) =>
      does(async () => (await import('./share.ts')).share(directories, options, surroundings))(),
    );

  program.commandsGroup('This machine:');
  const daemon = program
    .command('daemon')
    .description('the process that looks after the sessions of this repository');
  daemon
    .command('run', {hidden: true})
    .action(() => does(async () => (await import('./daemon.ts')).daemonRun(surroundings))());
  const deeds = {
    start: ['start it; every command that needs it does this by itself', 'daemonStart'],
    stop: ['end it; sessions go on', 'daemonStop'],
    restart: ['replace it by a new one; no session notices', 'daemonRestart'],
    status: ['say whether it runs and how it is', 'daemonStatus'],
  } as const;
  for (const [name, [description, deed]] of Object.entries(deeds)) {
    const command = daemon
      .command(name)
      .description(description)
      .option('--json', 'print one JSON object');
    if (name === 'start' || name === 'restart')
      command.option(
        '--trust-services',
        'services and your own sessions cast no doubt on who decides; before anything runs without a sandbox',
      );
    command.action((options: Json & {trustServices?: boolean}) =>
      does(async () => (await import('./daemon.ts'))[deed](options, surroundings))(),
    );
  }
}
