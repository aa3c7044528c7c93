import type {Command} from 'commander';
import type {Does, Surroundings} from '../surroundings.ts';
import type {AcceptArguments} from './accept.ts';
import type {RunOptions} from './run.ts';

type Json = {json?: boolean};

/** Objectives, plans, tasks, and the way home. Each command's module is loaded when it is called. */
export function addLoopCommands(program: Command, does: Does, surroundings: Surroundings): void {
  program.commandsGroup('Objectives:');
  addRun(program, does, surroundings);
  addPlan(program, does, surroundings);
  program.commandsGroup('What is going on:');
  addViews(program, does, surroundings);
  addKnowledge(program, does, surroundings);
  program.commandsGroup('Your word:');
  addSteering(program, does, surroundings);
}

const json = ['--json', 'print one JSON object'] as const;

function addRun(program: Command, does: Does, surroundings: Surroundings): void {
  program
    .command('demo')
    .description('a throw-away repository with a real bug; the whole loop, no model needed')
    .option('--headless', 'tell it as it happens, without the app')
    .action((options: {headless?: boolean}) =>
      does(async () => (await import('../demo/demo.ts')).demo(options, surroundings))(),
    );

  program
    .command('run')
    .description(
      'plan an objective, and after your approval have it done, checked and merged beside your branch',
    )
    .argument('<objective>', 'what should be different, in your words')
    .option(
      '--agent <name>',
      'who works: claude, codex, gemini, opencode, pi, playbook, or one of .orchestra/project.yaml',
    )
    .option('--planner <name>', 'who plans, if somebody else')
    .option(
      '--model <name>',
      'the model of the worker, and of the planner if that is the same agent',
    )
    .option('--planner-model <name>', 'the model of the planner')
    .option('--playbook <file>', 'what the built-in agent follows')
    .option('--skill <name>', 'a skill of .orchestra/skills for everybody')
    .option('--tokens <number>', 'stop and ask when the run has used so many')
    .option(
      '--approve',
      'approve the first plan that comes; a later one, or changed rules, are asked about',
    )
    .option('--detach', 'print the id of the run and leave')
    .option('--json', 'print every event as a line of JSON')
    .action((objective: string, options: RunOptions) =>
      does(async () => (await import('./run.ts')).run(objective, options, surroundings))(),
    );

  const queue = program.command('queue').description('objectives that wait for room');
  queue
    .command('add')
    .description('add an objective; it starts when there is room')
    .argument('<objective>', 'what should be different')
    .option('--agent <name>', 'who works')
    .option('--planner <name>', 'who plans')
    .option('--playbook <file>', 'what the built-in agent follows')
    .option('--skill <name>', 'a skill')
    .option(...json)
    .action((objective: string, options: RunOptions) =>
      does(async () =>
        (await import('./run.ts')).run(objective, {...options, queued: true}, surroundings),
      )(),
    );
  queue
    .command('list')
    .description('show them in their order')
    .option(...json)
    .action((options: Json) =>
      does(async () => (await import('./queue.ts')).queueList(options, surroundings))(),
    );
  queue
    .command('move')
    .description('give one another place')
    .argument('<run>', 'such as r3')
    .argument('<place>', 'from 1')
    .option(...json)
    .action((run: string, place: string, options: Json) =>
      does(async () => (await import('./queue.ts')).queueMove(run, place, options, surroundings))(),
    );
  queue
    .command('drop')
    .description('take one out')
    .argument('<run>', 'such as r3')
    .option(...json)
    .action((run: string, options: Json) =>
      does(async () => (await import('./queue.ts')).queueDrop(run, options, surroundings))(),
    );
}

function addPlan(program: Command, does: Does, surroundings: Surroundings): void {
  const plan = program
    .command('plan')
    .description('the plan of a run: nothing is changed before you approve it');
  plan
    .command('show')
    .description('print it whole; exit 3 while it waits for you')
    .argument('[run]', 'such as r1')
    .option(...json)
    .action((run: string | undefined, options: Json) =>
      does(async () => (await import('./plan.ts')).planShow(run, options, surroundings))(),
    );
  plan
    .command('approve')
    .description('let the workers start on exactly this plan')
    .argument('[run]', 'such as r1')
    .option('--hash <hash>', 'only if the plan is still this one')
    .option('--follow', 'tell what happens, to its end')
    .option(...json)
    .action((run: string | undefined, options: Json & {follow?: boolean; hash?: string}) =>
      does(async () => (await import('./plan.ts')).planApprove(run, options, surroundings))(),
    );
  plan
    .command('reject')
    .description('have it planned again, with your reason and comments')
    .argument('[run]', 'such as r1')
    .option('--reason <words>', 'why')
    .option(...json)
    .action((run: string | undefined, options: Json & {reason?: string}) =>
      does(async () => (await import('./plan.ts')).planReject(run, options, surroundings))(),
    );
  plan
    .command('comment')
    .description('say something about one line of it')
    .argument('<run>', 'such as r1')
    .argument('<line>', 'its number in plan show')
    .argument('<text>', 'your words')
    .option(...json)
    .action((run: string, line: string, text: string, options: Json) =>
      does(async () =>
        (await import('./plan.ts')).planComment(run, line, text, options, surroundings),
      )(),
    );
  plan
    .command('edit')
    .description('change it in your editor')
    .argument('[run]', 'such as r1')
    .option('--file <file>', 'take this text instead')
    .option(...json)
    .action((run: string | undefined, options: Json & {file?: string}) =>
      does(async () => (await import('./plan.ts')).planEdit(run, options, surroundings))(),
    );
  plan
    .command('again')
    .description('ask once more after planning has failed')
    .argument('[run]', 'such as r1')
    .option('--reason <words>', 'what to do differently')
    .option(...json)
    .action((run: string | undefined, options: Json & {reason?: string}) =>
      does(async () => (await import('./plan.ts')).planAgain(run, options, surroundings))(),
    );
}

function addViews(program: Command, does: Does, surroundings: Surroundings): void {
  program
    .command('status')
    .description('what is going on: runs, tasks, sessions, services')
    .argument('[run]', 'such as r1')
    .option('--conflicts', 'also which tasks at work would conflict as they are now')
    .option(...json)
    .action((run: string | undefined, options: Json & {conflicts?: boolean}) =>
      does(async () => (await import('./views.ts')).status(run, options, surroundings))(),
    );
  program
    .command('brief')
    .description('what happened since you were here last')
    .option('--since <moment>', 'such as 2h, 1d or a date')
    .option(...json)
    .action((options: Json & {since?: string}) =>
      does(async () => (await import('./views.ts')).brief(options, surroundings))(),
    );
  program
    .command('needs')
    .description('what waits for you, with the commands that answer it; exit 3 if something does')
    .argument('[run]', 'such as r1')
    .option(
      '--seen <number>',
      'you have seen that an agent tried what only you may do; with s7/1, that it seems to go in circles: it goes on',
    )
    .option(...json)
    .action((run: string | undefined, options: Json & {seen?: string}) =>
      does(async () => (await import('./views.ts')).needs(run, options, surroundings))(),
    );
  program
    .command('codes')
    .description(
      'one-time codes for commands of which it cannot be proved that you asked; told to you alone',
    )
    .option(...json)
    .action((options: Json) =>
      does(async () => (await import('../codes.ts')).codes(options, surroundings))(),
    );
  program
    .command('timeline')
    .description('what happened, in order')
    .argument('[run]', 'such as r1')
    .option('--all', 'also what only says how')
    .option('--limit <number>', 'the latest so many', '200')
    .option(...json)
    .action((run: string | undefined, options: Json & {all?: boolean; limit?: string}) =>
      does(async () => (await import('./views.ts')).timeline(run, options, surroundings))(),
    );
  program
    .command('diff')
    .description('what a run or a task changed')
    .argument('[run]', 'such as r1 or r1.t2')
    .argument('[task]', 'such as t2')
    .option('--stat', 'only the files')
    .option(...json)
    .action((run: string | undefined, task: string | undefined, options: Json & {stat?: boolean}) =>
      does(async () => (await import('./diff.ts')).diff(run, task, options, surroundings))(),
    );
}

function addSteering(program: Command, does: Does, surroundings: Surroundings): void {
  program
    .command('resume')
    .description(
      'go on with what you stopped or what had trouble; try an agent now that waits for its service; hand back what you took over',
    )
    .argument('<what>', 'a run or task such as r1 or r1.t2')
    .option('--agent', 'what you took over: its agent goes on with it')
    .option('--note <words>', 'what that agent should know')
    .option('--tokens <number>', 'let the run use so many in all')
    .option('--minutes <number>', 'let the run take so long in all')
    .option(...json)
    .action(
      (
        what: string,
        options: Json & {agent?: boolean; note?: string; tokens?: string; minutes?: string},
      ) => does(async () => (await import('./steer.ts')).resume(what, options, surroundings))(),
    );
  program
    .command('grant')
    .description('allow one more attempt than the law does')
    .argument('<task>', 'such as r1.t2')
    .option('--hint <words>', 'what the worker should know')
    .option(...json)
    .action((task: string, options: Json & {hint?: string}) =>
      does(async () => (await import('./steer.ts')).grant(task, options, surroundings))(),
    );
  program
    .command('takeover')
    .description(
      'work on a task yourself, in its worktree; `resume` hands it back to be checked, `resume --agent` to its agent',
    )
    .argument('<task>', 'such as r1.t2')
    .option(...json)
    .action((task: string, options: Json) =>
      does(async () => (await import('./steer.ts')).takeover(task, options, surroundings))(),
    );
  program
    .command('handback')
    .description(
      'give back a task that you took over; it is validated as it is, or its agent goes on',
    )
    .argument('<task>', 'such as r1.t2')
    .option('--agent', 'its agent goes on with it')
    .option('--note <words>', 'what that agent should know')
    .option(...json)
    .action((task: string, options: Json & {agent?: boolean; note?: string}) =>
      does(async () => (await import('./steer.ts')).handBack(task, options, surroundings))(),
    );
  program
    .command('reset')
    .description('start the agent of a task in a fresh context')
    .argument('<task>', 'such as r1.t2')
    .option(...json)
    .action((task: string, options: Json) =>
      does(async () => (await import('./steer.ts')).reset(task, options, surroundings))(),
    );
  program
    .command('note')
    .description('leave words on a run, task or session; workers read those on theirs')
    .argument('<on>', 'such as r1, r1.t2 or s7')
    .argument('<text>', 'your words')
    .option(...json)
    .action((on: string, text: string, options: Json) =>
      does(async () => (await import('./steer.ts')).note(on, text, options, surroundings))(),
    );
  program
    .command('accept')
    .description('bring a run that is ready into your branch')
    .argument('[run]', 'such as r1')
    .option('--commit <id>', 'only if the run is still at this commit, which you looked at')
    .option('--merge', 'its commits as they are, with a merge where your branch has moved')
    .option('--squash [what]', 'one commit for the run, or with --squash=task one for each task')
    .option('--rebase', 'one commit for each task, on top of your branch')
    .option(
      '--into <branch>',
      'another branch than the one that it began from; it is made if it is not there',
    )
    .option('--sign', 'sign with your own key what comes into your branch')
    .option('--no-sign', 'do not sign, whatever the project file says')
    .option('--pull-request', 'push its branch and open a pull request with gh instead')
    .option(...json)
    .action((run: string | undefined, options: AcceptArguments) =>
      does(async () => (await import('./accept.ts')).accept(run, options, surroundings))(),
    );
  program
    .command('baseline')
    .description(
      'what the checks show without any change, and what is done about those that are red',
    )
    .argument('[run]', 'such as r1')
    .option('--mend <check>', 'make it green by a first task of the plan')
    .option('--ignore <check>', 'do not run it in this run')
    .option('--no-new <check>', 'accept what failed before, and nothing new')
    .option('--count <check>', 'count it as ever: the plan makes it green')
    .option('--again [check]', 'run it on the base once more; without a name all that is not green')
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
      ) => does(async () => (await import('./baseline.ts')).baseline(run, options, surroundings))(),
    );
  program
    .command('branch')
    .description('say what holds when somebody moved the branch of a run')
    .argument('[run]', 'such as r1')
    .option('--adopt', 'go on from what is there')
    .option('--restore', 'put it back; what is there is kept')
    .option(...json)
    .action((run: string | undefined, options: Json & {adopt?: boolean; restore?: boolean}) =>
      does(async () => (await import('./branch.ts')).branch(run, options, surroundings))(),
    );
  const env = program
    .command('env')
    .description('which environment the sessions of a run get, and in what this shell differs')
    .argument('[run]', 'such as r1')
    .option(...json)
    .action((run: string | undefined, options: Json) =>
      does(async () => (await import('./env.ts')).env(run, options, surroundings))(),
    );
  env
    .command('refresh')
    .description("have sessions of a run that begin from now on get this shell's environment")
    .argument('[run]', 'such as r1')
    .option(...json)
    .action((run: string | undefined, options: Json) =>
      does(async () => (await import('./env.ts')).refreshEnv(run, options, surroundings))(),
    );
  program
    .command('discard')
    .description('give up a run or a task; what it did is kept')
    .argument('<what>', 'such as r1 or r1.t2')
    .option(...json)
    .action((what: string, options: Json) =>
      does(async () => (await import('./steer.ts')).discard(what, options, surroundings))(),
    );
  program
    .command('gc')
    .description('remove worktrees that nobody needs; what is not merged is kept')
    .option('--dry-run', 'only show what would go, and how big it is')
    .option(...json)
    .action((options: Json & {dryRun?: boolean}) =>
      does(async () => (await import('./gc.ts')).gc(options, surroundings))(),
    );
}

function addKnowledge(program: Command, does: Does, surroundings: Surroundings): void {
  program
    .command('recall')
    .description('what earlier tasks found out')
    .argument('[words...]', 'what you look for')
    .option('--file <path...>', 'by files that were touched')
    .option('--full', 'print the whole summaries')
    .option(...json)
    .action((words: string[], options: Json & {file?: string[]; full?: boolean}) =>
      does(async () => (await import('./recall.ts')).recall(words, options, surroundings))(),
    );
  program
    .command('audit')
    .description("what went into each agent's context, and what it cost")
    .argument('[run]', 'such as r1')
    .option(
      '--tools',
      'connect to the servers of tools that the project declares, and count what they cost',
    )
    .option(...json)
    .action((run: string | undefined, options: Json & {tools?: boolean}) =>
      does(async () => (await import('./audit.ts')).audit(run, options, surroundings))(),
    );
  program
    .command('skills')
    .description('the saved ways of working that a run or a task can be given')
    .option(...json)
    .action((options: Json) =>
      does(async () => (await import('./skills.ts')).skills(options, surroundings))(),
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
      does(async () => (await import('./agent.ts')).agentPlaybook(options, surroundings))(),
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
    .option('--conversation <id>')
    .option('--token-limit <number>')
    .action((command: string[], options: Record<string, string>) =>
      does(async () => (await import('./agent.ts')).agentRun(command, options, surroundings))(),
    );
}
