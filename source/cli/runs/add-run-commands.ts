import type {Command} from 'commander';
import type {CliContext, CommandHandler} from '../cli-context.ts';
import type {TaskAgentOptions} from './plan-set.ts';
import type {OpenArguments} from './open.ts';
import type {RunOptions} from './run.ts';

type Json = {json?: boolean};

const json = ['--json', 'print one JSON object'] as const;

/** `demo`, `run`, `queue` and `plan`. Each command's module is loaded when it is called. */
export function addRunCommands(program: Command, handler: CommandHandler, cli: CliContext): void {
  program.commandsGroup('Runs and plans:');
  program
    .command('demo')
    .description('fix a real bug in a throw-away repository; needs no model')
    .option('--headless', 'print the progress instead of opening the app')
    .action((options: {headless?: boolean}) =>
      handler(async () => (await import('../demo/demo.ts')).demo(options, cli))(),
    );

  program
    .command('run')
    .description('plan an objective; after your approval, carry it out, check it and merge it')
    .argument('<objective>', 'what to change')
    .option(
      '--agent <name>',
      'worker: claude, codex, gemini, opencode, pi, playbook, or an agent of .orchestra/project.yaml',
    )
    .option('--planner <name>', 'planner, if it is not the worker')
    .option('--model <name>', "the worker's model; the planner's too, if both are the same agent")
    .option('--planner-model <name>', "the planner's model")
    .option('--playbook <file>', 'script for the built-in agent')
    .option('--from <run>', 'plan from the work of a run that was opened without a plan')
    .option('--interactive', "workers run in the agent's own interface")
    .option('--headless', 'workers run without an interface')
    .option('--planners <mode>', 'how the planner runs: interactive or headless')
    .option('--skill <name>', 'give every agent this skill of .orchestra/skills')
    .option('--tokens <number>', 'stop and ask after this many tokens')
    .option('--approve', 'approve the first plan; ask about a later plan or changed rules')
    .option('--detach', "print the run's id and exit")
    .option('--json', 'print each event as a line of JSON')
    .action((objective: string, options: RunOptions) =>
      handler(async () => (await import('./run.ts')).run(objective, options, cli))(),
    );

  addOpen(program, handler, cli);
  addQueue(program, handler, cli);
  addPlan(program, handler, cli);
}

function addOpen(program: Command, handler: CommandHandler, cli: CliContext): void {
  program
    .command('open')
    .description('start an agent in a worktree of its own, without a plan')
    .argument('[objective]', 'what to do; without it, the agent waits for you in its own terminal')
    .option('--agent <name>', 'which agent')
    .option('--model <name>', "the agent's model")
    .option('--branch <name>', 'the branch to create, or an existing one to continue')
    .option('--on <base>', 'start from this branch, tag or commit')
    .option('--resume <id>', "continue this conversation of the agent's")
    .option('--tries <number>', 'so many variants side by side; you pick one of them')
    .option('--agents <names>', 'the agents of the variants, such as claude,codex')
    .option('--headless', 'the agent works without a terminal of its own')
    .option('--interactive', 'the agent works in its own terminal, where it can')
    .option('--playbook <file>', 'script for the built-in agent')
    .option('--skill <name>', 'give the agent this skill of .orchestra/skills')
    .option('--tokens <number>', 'stop and ask after this many tokens')
    .option('--detach', "print the run's id and exit")
    .option('--json', 'print each event as a line of JSON')
    .action((objective: string | undefined, options: OpenArguments) =>
      handler(async () => (await import('./open.ts')).open(objective, options, cli))(),
    );
}

function addQueue(program: Command, handler: CommandHandler, cli: CliContext): void {
  const queue = program.command('queue').description('manage objectives that wait to start');
  queue
    .command('add')
    .description('queue an objective; it starts when capacity is free')
    .argument('<objective>', 'what to change')
    .option('--agent <name>', 'worker')
    .option('--planner <name>', 'planner')
    .option('--playbook <file>', 'script for the built-in agent')
    .option('--interactive', "workers run in the agent's own interface")
    .option('--headless', 'workers run without an interface')
    .option('--planners <mode>', 'how the planner runs: interactive or headless')
    .option('--skill <name>', 'give every agent this skill of .orchestra/skills')
    .option(...json)
    .action((objective: string, options: RunOptions) =>
      handler(async () =>
        (await import('./run.ts')).run(objective, {...options, queued: true}, cli),
      )(),
    );
  queue
    .command('list')
    .description('list queued objectives in order')
    .option(...json)
    .action((options: Json) =>
      handler(async () => (await import('./queue.ts')).queueList(options, cli))(),
    );
  queue
    .command('move')
    .description('move a queued objective to another position')
    .argument('<run>', 'such as r3')
    .argument('<position>', 'counted from 1')
    .option(...json)
    .action((run: string, position: string, options: Json) =>
      handler(async () => (await import('./queue.ts')).queueMove(run, position, options, cli))(),
    );
  queue
    .command('drop')
    .description('remove an objective from the queue')
    .argument('<run>', 'such as r3')
    .option(...json)
    .action((run: string, options: Json) =>
      handler(async () => (await import('./queue.ts')).queueDrop(run, options, cli))(),
    );
}

function addPlan(program: Command, handler: CommandHandler, cli: CliContext): void {
  const plan = program.command('plan').description('review, edit and approve the plan of a run');
  plan
    .command('show')
    .description('print the plan; exit 3 while it waits for your approval')
    .argument('[run]', 'such as r1')
    .option(...json)
    .action((run: string | undefined, options: Json) =>
      handler(async () => (await import('./plan.ts')).planShow(run, options, cli))(),
    );
  plan
    .command('approve')
    .description('approve exactly this plan; workers start')
    .argument('[run]', 'such as r1')
    .option('--hash <hash>', 'approve only if the plan still has this hash')
    .option('--follow', 'print the progress until the run ends')
    .option(...json)
    .action((run: string | undefined, options: Json & {follow?: boolean; hash?: string}) =>
      handler(async () => (await import('./plan.ts')).planApprove(run, options, cli))(),
    );
  plan
    .command('reject')
    .description('reject the plan and plan again, with your reason and comments')
    .argument('[run]', 'such as r1')
    .option('--reason <text>', 'why')
    .option(...json)
    .action((run: string | undefined, options: Json & {reason?: string}) =>
      handler(async () => (await import('./plan.ts')).planReject(run, options, cli))(),
    );
  plan
    .command('comment')
    .description('comment on one line of the plan')
    .argument('<run>', 'such as r1')
    .argument('<line>', 'line number in `plan show`')
    .argument('<text>', 'your comment')
    .option(...json)
    .action((run: string, line: string, text: string, options: Json) =>
      handler(async () => (await import('./plan.ts')).planComment(run, line, text, options, cli))(),
    );
  plan
    .command('edit')
    .description('edit the plan in your editor')
    .argument('[run]', 'such as r1')
    .option('--file <file>', 'use the text of this file instead')
    .option(...json)
    .action((run: string | undefined, options: Json & {file?: string}) =>
      handler(async () => (await import('./plan.ts')).planEdit(run, options, cli))(),
    );
  plan
    .command('set')
    .description(
      'choose the agent, the model or the variants of one task, before you approve the plan',
    )
    .argument('<task>', 'such as r1.t2')
    .option('--agent <name>', 'the agent that works on it')
    .option('--no-agent', "the run's own agent works on it")
    .option('--model <name>', 'the model of its agent')
    .option('--no-model', 'no model of its own')
    .option('--tries <number>', 'so many variants side by side; you pick one of them')
    .option('--no-tries', 'no variants')
    .option('--agents <names>', 'the agents of the variants, such as claude,codex')
    .option(...json)
    .action((task: string, options: TaskAgentOptions) =>
      handler(async () => (await import('./plan-set.ts')).planSet(task, options, cli))(),
    );
  plan
    .command('again')
    .description('plan again after planning failed')
    .argument('[run]', 'such as r1')
    .option('--reason <text>', 'what to do differently')
    .option(...json)
    .action((run: string | undefined, options: Json & {reason?: string}) =>
      handler(async () => (await import('./plan.ts')).planAgain(run, options, cli))(),
    );
}
