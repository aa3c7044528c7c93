import path from 'node:path';
import {existsSync} from 'node:fs';
import {getMinuteMs} from '../../shared/index.ts';
import type {LiveState} from '../../client/index.ts';
import {formatJson} from '../../reports/index.ts';
import {
  getLimits,
  isCi,
  type ModeChoice,
  modelName,
  modelProblem,
  selectMode,
} from '../../project-config/index.ts';
import {
  type AgentRole,
  type Event,
  isAboutRun,
  type OpenOptions,
  type Project,
  type RunBudget,
  type RunId,
  type RunRequest,
  selectRun,
  type State,
  type UserCommand,
  type WorkerMode,
} from '../../domain/index.ts';
import {type RepoPaths, UsageError} from '../repo-paths.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {createFirstApproval} from './approve.ts';
import {findRun} from './find-subject.ts';
import {followOn, printRunProgress} from './print-run-progress.ts';
import {shellEnvironment} from './env.ts';
import {checkSkill} from './knowledge.ts';
import {createProgressLog} from './progress-log.ts';
import {withLive} from '../with-daemon.ts';
import {
  agents,
  type AgentSpec,
  chooseAgent,
  findDriver,
  ownInterfaces,
} from '../../agents/index.ts';
import {findProgram, isInstalled} from '../../system/index.ts';

export type RunOptions = {
  readonly agent?: string;
  readonly planner?: string;
  readonly model?: string;
  readonly plannerModel?: string;
  readonly playbook?: string;
  readonly skill?: string;
  readonly interactive?: boolean;
  readonly headless?: boolean;
  readonly planners?: string;
  readonly approve?: boolean;
  readonly detach?: boolean;
  readonly queued?: boolean;
  readonly from?: string;
  readonly tokens?: string;
  readonly json?: boolean;
  /** No planner: the plan is one task, made from the objective. */
  readonly open?: OpenOptions;
  /** The agents that work side by side without a planner; an empty name is the run's own agent. */
  readonly variants?: readonly string[];
};

/**
 * Runs an objective until its branch is ready to be accepted, or until a person is needed (exit 3).
 */
export async function run(
  objective: string,
  options: RunOptions,
  cli: CliContext,
): Promise<ExitCode> {
  if (options.approve === true && options.detach === true)
    throw new UsageError(
      'expected --approve or --detach, got both. Leave out one; you can approve later with `orchestra plan approve`',
    );
  let id: RunId | undefined;
  const log = createProgressLog(cli, () => id);
  const onMessage = options.json === true ? createJsonLines(cli, () => id) : log.onMessage;
  const following = {
    ...(options.json === true ? {json: true} : {}),
    ...(options.approve === true ? {approval: createFirstApproval()} : {}),
  };
  try {
    return await withLive(
      cli,
      async (live, repoPaths) => {
        id = await startRun(live, repoPaths, objective, options, cli);
        if (options.detach === true || options.queued === true) {
          cli.out(options.json === true ? formatJson({run: id}) : `${id}\n`);
          return 0;
        }

        log.print(options.json === true ? '' : `${id}: ${objective.trim()}\n`);
        return await printRunProgress(live, id, following, cli, log);
      },
      onMessage,
      () => followOn(id, following, cli, log, onMessage),
    );
  } finally {
    log.end();
  }
}

/**
 * Prints each event of the run as a line of JSON; the first ones arrive before the run's id is
 * known.
 */
function createJsonLines(
  {out}: CliContext,
  run: () => RunId | undefined,
): (event: Event, state: State) => void {
  let early: readonly Event[] = [];
  return (event, state) => {
    const id = run();
    early = [...early, event];
    if (id === undefined) return;
    const sessions = new Set<string>(selectRun(state, id)?.sessions);
    for (const one of early) if (isAboutRun(one, id, sessions)) out(`${JSON.stringify(one)}\n`);
    early = [];
  };
}

/** Asks the daemon for the run, and returns its id. */
export async function startRun(
  live: LiveState,
  repoPaths: RepoPaths,
  objective: string,
  options: RunOptions,
  cli: CliContext,
): Promise<RunId> {
  const {project} = live.state();
  const playbook =
    options.playbook === undefined ? undefined : path.resolve(cli.cwd, options.playbook);
  if (playbook !== undefined && !existsSync(playbook))
    throw new UsageError(`there is no playbook ${playbook}`);
  if (options.skill !== undefined) checkSkill(options.skill, repoPaths.root);
  const queued = options.queued === true;
  const chosen = chooseAgents(
    {...options, ...(playbook === undefined ? {} : {playbook})},
    project,
    cli,
    repoPaths.root,
  );
  const request: RunRequest = {
    objective: objective.trim(),
    ...chosen,
    ...(playbook === undefined ? {} : {playbook}),
    ...(options.model === undefined ? {} : {model: checkModel(options.model)}),
    ...(options.plannerModel === undefined ? {} : {plannerModel: checkModel(options.plannerModel)}),
    ...(options.skill === undefined ? {} : {skill: options.skill}),
    ...(repoPaths.root === mainCheckout(repoPaths) ? {} : {checkout: repoPaths.root}),
    ...chooseModes({...chosen, queued}, options, project, cli),
    queued,
    ...(options.open === undefined
      ? {}
      : {
          open: {
            ...options.open,
            ...chooseVariants(options, chosen.worker, project, cli, repoPaths),
          },
        }),
    ...(options.from === undefined ? {} : {from: findRun(live.state(), options.from).id}),
  };
  const {worker, planner, model, plannerModel} = request;
  const problem =
    modelProblem(worker, model, project) ??
    modelProblem(planner, plannerModel ?? (planner === worker ? model : undefined), project);
  if (problem !== undefined) throw new UsageError(problem);
  const {events} = (await live.ask({
    about: 'wish',
    wish: {
      type: 'start-run',
      request,
      budget: parseBudget(project, options, cli),
    } satisfies UserCommand,
    env: shellEnvironment(project, request, cli),
  })) as {readonly events: readonly Event[]};
  const created = events.find((event) => event.type === 'run-created');
  if (created === undefined)
    throw new Error('the daemon accepted the objective but returned no run');
  return created.run;
}

/** The agents of several variants, each of which can be started here. */
function chooseVariants(
  {variants, playbook}: RunOptions,
  worker: string,
  {agents = []}: Project,
  {env}: Pick<CliContext, 'env'>,
  {root}: RepoPaths,
): Pick<OpenOptions, 'variants'> {
  if (variants === undefined) return {};
  const names = variants.map((name) => (name === '' ? worker : name));
  for (const name of new Set(names))
    checkAgent(name, agents, playbook, {path: env['PATH'] ?? '', outside: root});
  return {variants: names};
}

/** The modes of worker and planner. A default that is headless is left out, as in older journals. */
function chooseModes(
  {worker, planner, queued}: Pick<RunRequest, 'worker' | 'planner' | 'queued'>,
  {interactive, headless, planners}: RunOptions,
  project: Project,
  {env, isTerminal}: Pick<CliContext, 'env' | 'isTerminal'>,
): Pick<RunRequest, 'workers' | 'planners'> {
  if (interactive === true && headless === true)
    throw new UsageError('expected --interactive or --headless, got both. Leave out one');
  if (planners !== undefined && planners !== 'interactive' && planners !== 'headless')
    throw new UsageError(
      `expected --planners interactive or --planners headless, got ${JSON.stringify(planners)}`,
    );
  const flag = headless === true ? 'headless' : undefined;
  const choose = (role: AgentRole, agent: string, asked: WorkerMode | undefined): ModeChoice => {
    const choice = selectMode({
      role,
      agent,
      asked,
      project,
      interfaces: ownInterfaces,
      place: {
        from: 'command-line',
        hasTerminal: isTerminal,
        isCi: isCi(env),
        isQueued: queued,
      },
    });
    if ('rejected' in choice) throw new UsageError(choice.rejected);
    return choice;
  };
  const work = choose('worker', worker, interactive === true ? 'interactive' : flag);
  const plan = choose('planner', planner, planners);
  return {
    ...(isOldDefault(work) ? {} : {workers: work.mode}),
    ...(isOldDefault(plan) ? {} : {planners: plan.mode}),
  };
}

function isOldDefault({mode, isDefault}: ModeChoice): boolean {
  return isDefault && mode === 'headless';
}

/** The name becomes an argument of the agent's program. */
function checkModel(name: string): string {
  if (modelName.isMeant(name)) return name;
  throw new UsageError(`expected ${modelName.expectation}, got ${JSON.stringify(name)}`);
}

/** The repository's main checkout. */
function mainCheckout({root, commonDirectory}: RepoPaths): string {
  return path.basename(commonDirectory) === '.git' ? path.dirname(commonDirectory) : root;
}

function parseBudget(
  project: Parameters<typeof getLimits>[0],
  {tokens}: RunOptions,
  {env}: CliContext,
): RunBudget {
  const limits = getLimits(project);
  const max = tokens === undefined ? limits.runTokens : Number(tokens);
  if (max !== undefined && !(max > 0))
    throw new UsageError(`expected a number of tokens, got ${JSON.stringify(tokens)}`);
  return {
    attemptWallClock: limits.attemptMinutes * getMinuteMs(env),
    ...(limits.attemptTokens === undefined ? {} : {attemptTokens: limits.attemptTokens}),
    ...(max === undefined ? {} : {tokens: max}),
  };
}

export type AgentOptions = {
  readonly agent?: string;
  readonly planner?: string;
  readonly playbook?: string;
};

/**
 * Chooses planner and worker: by option, else by the project file, else the first that is
 * installed.
 */
export function chooseAgents(
  {agent, planner, playbook}: AgentOptions,
  project: Project,
  {env}: Pick<CliContext, 'env'>,
  root: string,
): {readonly worker: string; readonly planner: string} {
  const declared = project.agents ?? [];
  const search = {path: env['PATH'] ?? '', outside: root};
  const installed = agents
    .filter(
      ({program}) =>
        program !== undefined && findProgram(program.command, search).file !== undefined,
    )
    .map(({name}) => name);
  const worker =
    agent ??
    (playbook === undefined ? undefined : 'playbook') ??
    project.worker ??
    chooseAgent(installed).name;
  const chosen = {
    worker,
    planner: planner ?? agent ?? (playbook === undefined ? project.planner : undefined) ?? worker,
  };
  for (const name of Object.values(chosen)) checkAgent(name, declared, playbook, search);
  return chosen;
}

function checkAgent(
  name: string,
  declared: readonly AgentSpec[],
  playbook: string | undefined,
  search: Parameters<typeof findProgram>[1],
): void {
  const found = findDriver(name, declared);
  if ('refused' in found) throw new UsageError(found.refused);
  const {driver} = found;
  if (driver.name === 'playbook' && playbook === undefined)
    throw new UsageError(
      'the built-in agent needs a playbook. Name one with --playbook FILE, or choose ' +
        'another agent with --agent (see `orchestra doctor`)',
    );
  if (!driver.isBuiltIn && !isInstalled(driver.program, search))
    throw new UsageError(
      `${name} is not installed: there is no ${driver.program} on PATH. See \`orchestra doctor\`.`,
    );
}
