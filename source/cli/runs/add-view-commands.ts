import type {Command} from 'commander';
import type {CliContext, CommandHandler} from '../cli-context.ts';

type Json = {json?: boolean};

const json = ['--json', 'print one JSON object'] as const;

/**
 * Commands that show runs and change nothing. Each command's module is loaded when it is called.
 */
export function addViewCommands(program: Command, handler: CommandHandler, cli: CliContext): void {
  program.commandsGroup('Status and reports:');
  addProgress(program, handler, cli);
  addKnowledge(program, handler, cli);
}

function addProgress(program: Command, handler: CommandHandler, cli: CliContext): void {
  program
    .command('status')
    .description('show runs, tasks, sessions and services')
    .argument('[run]', 'such as r1')
    .option('--conflicts', 'also show which running tasks would conflict now')
    .option(...json)
    .action((run: string | undefined, options: Json & {conflicts?: boolean}) =>
      handler(async () => (await import('./views.ts')).status(run, options, cli))(),
    );
  program
    .command('brief')
    .description('summarise what happened since your last visit')
    .option('--since <time>', 'such as 2h, 1d or a date')
    .option(...json)
    .action((options: Json & {since?: string}) =>
      handler(async () => (await import('./views.ts')).brief(options, cli))(),
    );
  program
    .command('needs')
    .description('list what waits for you, with the commands that answer; exit 3 if not empty')
    .argument('[run]', 'such as r1')
    .option(
      '--seen <number>',
      "acknowledge a notice: 2 for an agent's forbidden attempt, s7/1 for a possible loop, which goes on",
    )
    .option(...json)
    .action((run: string | undefined, options: Json & {seen?: string}) =>
      handler(async () => (await import('./views.ts')).needs(run, options, cli))(),
    );
  program
    .command('codes')
    .description('show one-time codes for commands that could not be proved to be yours')
    .option(...json)
    .action((options: Json) =>
      handler(async () => (await import('../codes.ts')).codes(options, cli))(),
    );
  program
    .command('timeline')
    .description('list what happened, in order')
    .argument('[run]', 'such as r1')
    .option('--all', 'include technical details')
    .option('--limit <number>', 'show only the latest entries', '200')
    .option(...json)
    .action((run: string | undefined, options: Json & {all?: boolean; limit?: string}) =>
      handler(async () => (await import('./views.ts')).timeline(run, options, cli))(),
    );
  program
    .command('diff')
    .description('show what a run or a task changed')
    .argument('[run]', 'such as r1 or r1.t2')
    .argument('[task]', 'such as t2')
    .option('--stat', 'list only the files')
    .option('--against <task>', 'compare a task with this one, such as two variants')
    .option(...json)
    .action(
      (
        run: string | undefined,
        task: string | undefined,
        options: Json & {stat?: boolean; against?: string},
      ) => handler(async () => (await import('./diff.ts')).diff(run, task, options, cli))(),
    );
  program
    .command('variants')
    .description('show the variants of a task side by side: checks, change, cost, time')
    .argument('[what]', 'task or run, such as r1.t1 or r1')
    .option(...json)
    .action((what: string | undefined, options: Json) =>
      handler(async () => (await import('./variants.ts')).variants(what, options, cli))(),
    );
}

function addKnowledge(program: Command, handler: CommandHandler, cli: CliContext): void {
  program
    .command('recall')
    .description('search the summaries of earlier tasks')
    .argument('[terms...]', 'search terms')
    .option('--file <path...>', 'search by files that the task touched')
    .option('--full', 'print whole summaries')
    .option(...json)
    .action((terms: string[], options: Json & {file?: string[]; full?: boolean}) =>
      handler(async () => (await import('./knowledge.ts')).recall(terms, options, cli))(),
    );
  program
    .command('audit')
    .description("show what each agent's context held and what it cost")
    .argument('[run]', 'such as r1')
    .option('--tools', "connect to the project's tool servers and measure what their tools cost")
    .option('--compare', 'compare runs, agents, models and parts by validated changes for tokens')
    .option(...json)
    .action((run: string | undefined, options: Json & {tools?: boolean; compare?: boolean}) =>
      handler(async () => (await import('./audit.ts')).audit(run, options, cli))(),
    );
  program
    .command('skills')
    .description('list the skills of this repository')
    .option(...json)
    .action((options: Json) =>
      handler(async () => (await import('./knowledge.ts')).skills(options, cli))(),
    );
}
