import type {Command} from 'commander';
import type {CliContext, CommandHandler} from '../cli-context.ts';
import type {AcceptArguments} from './accept.ts';

type Json = {json?: boolean};

const json = ['--json', 'print one JSON object'] as const;

/**
 * Commands by which a person steers runs and accepts their result. Each command's module is loaded
 * when it is called.
 */
export function addSteeringCommands(
  program: Command,
  handler: CommandHandler,
  cli: CliContext,
): void {
  program.commandsGroup('Steering and results:');
  addTasks(program, handler, cli);
  addResults(program, handler, cli);
}

function addTasks(program: Command, handler: CommandHandler, cli: CliContext): void {
  program
    .command('resume')
    .description('resume a stopped, failed or waiting run or task, or hand back a takeover')
    .argument('<what>', 'run or task, such as r1 or r1.t2')
    .option('--agent', 'hand a takeover back to its agent')
    .option('--note <text>', 'what the agent should know')
    .option('--tokens <number>', "raise the run's token budget to this total")
    .option('--minutes <number>', "raise the run's time budget to this total")
    .option(...json)
    .action(
      (
        what: string,
        options: Json & {agent?: boolean; note?: string; tokens?: string; minutes?: string},
      ) => handler(async () => (await import('./steer.ts')).resume(what, options, cli))(),
    );
  program
    .command('grant')
    .description('allow a task one attempt more than the rules do')
    .argument('<task>', 'such as r1.t2')
    .option('--hint <text>', 'what the worker should know')
    .option(...json)
    .action((task: string, options: Json & {hint?: string}) =>
      handler(async () => (await import('./steer.ts')).grant(task, options, cli))(),
    );
  program
    .command('tell')
    .description(
      'send a message to the worker of a task: now if it runs, else with its next prompt',
    )
    .argument('<task>', 'such as r1.t2, or a run in which one task works')
    .argument('<text>', 'the message; - reads standard input')
    .option(...json)
    .action((task: string, text: string, options: Json) =>
      handler(async () =>
        (await import('./message-task.ts')).messageTask(task, text, options, cli),
      )(),
    );
  program
    .command('takeover')
    .description('work on a task yourself, in its worktree; end with `resume` or `resume --agent`')
    .argument('<task>', 'such as r1.t2')
    .option(...json)
    .action((task: string, options: Json) =>
      handler(async () => (await import('./steer.ts')).takeover(task, options, cli))(),
    );
  program
    .command('handback')
    .description('hand back a takeover: validate it as it is, or let its agent continue')
    .argument('<task>', 'such as r1.t2')
    .option('--agent', 'let its agent continue')
    .option('--note <text>', 'what the agent should know')
    .option(...json)
    .action((task: string, options: Json & {agent?: boolean; note?: string}) =>
      handler(async () => (await import('./steer.ts')).handBack(task, options, cli))(),
    );
  program
    .command('check')
    .description('run the checks of a task that you work on, as it is now')
    .argument('<what>', 'task, or a run that was opened without a plan, such as r1.t1 or r1')
    .option(...json)
    .action((what: string, options: Json) =>
      handler(async () => (await import('./steer.ts')).check(what, options, cli))(),
    );
  program
    .command('reset')
    .description("restart a task's agent with a fresh context")
    .argument('<task>', 'such as r1.t2')
    .option(...json)
    .action((task: string, options: Json) =>
      handler(async () => (await import('./steer.ts')).reset(task, options, cli))(),
    );
  program
    .command('note')
    .description('add a note to a run, task or session; its workers read it')
    .argument('<what>', 'such as r1, r1.t2 or s7')
    .argument('<text>', 'your note')
    .option(...json)
    .action((on: string, text: string, options: Json) =>
      handler(async () => (await import('./steer.ts')).note(on, text, options, cli))(),
    );
}

function addResults(program: Command, handler: CommandHandler, cli: CliContext): void {
  program
    .command('pick')
    .description('merge this variant of a task; the others are kept in refs')
    .argument('<task>', 'such as r1.t2')
    .option('--commit <id>', 'only if the variant is still at this commit')
    .option(...json)
    .action((task: string, options: Json & {commit?: string}) =>
      handler(async () => (await import('./variants.ts')).pick(task, options, cli))(),
    );
  program
    .command('accept')
    .description('merge a finished run into your branch')
    .argument('[run]', 'such as r1')
    .option('--commit <id>', 'accept only if the run is still at this commit')
    .option('--merge', 'keep its commits; merge if your branch has moved')
    .option('--squash [what]', 'make one commit for the run, or with --squash=task one per task')
    .option('--rebase', 'make one commit per task, on top of your branch')
    .option('--into <branch>', 'merge into this branch instead; it is created if missing')
    .option('--sign', 'sign the commits with your own key')
    .option('--no-sign', 'do not sign, whatever the project file says')
    .option('--pull-request', 'push its branch and open a pull request with gh instead')
    .option(...json)
    .action((run: string | undefined, options: AcceptArguments) =>
      handler(async () => (await import('./accept.ts')).accept(run, options, cli))(),
    );
  program
    .command('baseline')
    .description('show the checks on the unchanged base, and decide about those that fail there')
    .argument('[run]', 'such as r1')
    .option('--mend <check>', 'fix it in a first task of the plan')
    .option('--ignore <check>', 'skip it in this run')
    .option('--no-new <check>', 'allow the failures of the base, but no new ones')
    .option('--count <check>', 'require it to pass: the plan fixes it')
    .option('--again [check]', 'run it on the base again; without a name, all that did not pass')
    .option(...json)
    .action(
      (
        run: string | undefined,
        options: Json & {
          mend?: string;
          ignore?: string;
          new?: string | boolean;
          count?: string;
          again?: string | boolean;
        },
      ) => handler(async () => (await import('./baseline.ts')).baseline(run, options, cli))(),
    );
  program
    .command('branch')
    .description("show whether a run's branch was moved, and adopt or undo the move")
    .argument('[run]', 'such as r1')
    .option('--adopt', 'continue from the commit that is there')
    .option('--restore', 'move it back; a backup of the other commit is kept')
    .option(...json)
    .action((run: string | undefined, options: Json & {adopt?: boolean; restore?: boolean}) =>
      handler(async () => (await import('./branch.ts')).branch(run, options, cli))(),
    );
  const env = program
    .command('env')
    .description("show the environment of a run's sessions, and how this shell differs")
    .argument('[run]', 'such as r1')
    .option(...json)
    .action((run: string | undefined, options: Json) =>
      handler(async () => (await import('./env.ts')).env(run, options, cli))(),
    );
  env
    .command('refresh')
    .description("give new sessions of a run this shell's environment")
    .argument('[run]', 'such as r1')
    .option(...json)
    .action((run: string | undefined, options: Json) =>
      handler(async () => (await import('./env.ts')).refreshEnv(run, options, cli))(),
    );
  program
    .command('discard')
    .description('abandon a run or a task; a backup of its work is kept')
    .argument('<what>', 'such as r1 or r1.t2')
    .option(...json)
    .action((what: string, options: Json) =>
      handler(async () => (await import('./steer.ts')).discard(what, options, cli))(),
    );
  program
    .command('undo')
    .description('undo your last accept, discard, stop or rejected plan, within ten minutes')
    .argument('[what]', 'such as r1 or r1.t2; without it, the newest decision')
    .option(...json)
    .action((what: string | undefined, options: Json) =>
      handler(async () => (await import('./undo.ts')).undo(what, options, cli))(),
    );
  program
    .command('gc')
    .description('remove unneeded worktrees; unmerged work stays')
    .option('--dry-run', 'only list what would be removed, with sizes')
    .option(...json)
    .action((options: Json & {dryRun?: boolean}) =>
      handler(async () => (await import('./gc.ts')).gc(options, cli))(),
    );
}
