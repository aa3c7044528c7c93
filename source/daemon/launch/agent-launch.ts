import path from 'node:path';
import {
  driverOf,
  terminalArgvOf,
  type AgentSettings,
  type Driver,
  type Job,
} from '../../agents/index.ts';
import {limitsOf, toolServersFor, workerPromptOf, type Prompt} from '../../documents/index.ts';
import {
  attemptOf,
  checksOf,
  choiceOf,
  conversationOf,
  taskOf,
  tokensOf,
  usageOfAttempt,
  type Attempt,
  type Purpose,
  type Run,
  type Session,
  type Task,
  type Worktree,
} from '../../domain/index.ts';
import {tryReadText, writeWhole} from '../../files/index.ts';
import {findProgram} from '../../machine/index.ts';
import {captureChange} from '../../workspace/index.ts';
import type {Workshop} from '../workshop.ts';
import {changedByPerson, noteTakeover} from './changed-by-person.ts';
import {contextOf} from './context.ts';
import {exchangeOf, writePrompt} from './exchange.ts';
import {plannerPrompt} from './planner-prompt.ts';
import {sandboxFor} from './sandbox-launch.ts';
import {environmentOf, placeOf, type Launch} from './task-launch.ts';
import {writeToolsGrant} from './tools-grant.ts';

type AgentPurpose = Extract<Purpose, {readonly for: 'plan' | 'attempt' | 'takeover'}>;

/** With what the agent itself must be able to write in the person's home, and what there it must not. */
export type AgentLaunch = Launch & {
  readonly stateDirectories?: readonly string[];
  readonly settings?: AgentSettings;
  /** What stands in the place of a file of the person's. */
  readonly inPlace?: readonly {readonly path: string; readonly from: string}[];
  /** Those that it asks for answers. */
  readonly hosts?: readonly string[];
};

/** An agent with its prompt, in the worktree that is its own. */
export async function agentLaunch(
  workshop: Workshop,
  session: Session,
  purpose: AgentPurpose,
): Promise<AgentLaunch> {
  const {run, worktree} = placeOf(workshop, session);
  const driver = driverFor(workshop, run, purpose);
  const task = purpose.for === 'plan' ? undefined : taskOf(workshop.state(), purpose.task);
  const attempt = task === undefined ? undefined : attemptOf(task);
  const conversation =
    purpose.for === 'plan' && driver.resumesPlans !== true
      ? undefined
      : conversationOf(workshop.state(), session);
  const prompt =
    task === undefined || attempt === undefined
      ? await plannerPrompt(workshop, run, worktree, {
          session,
          isResumed: conversation !== undefined,
        })
      : await workerPrompt(workshop, run, worktree, task, attempt, session);
  if (purpose.for === 'takeover') await noteTakeover(workshop, session, worktree);
  const exchange = exchangeOf(workshop, session.id);
  const model = modelOf(workshop, run, purpose);
  writePrompt(exchange, prompt.text);
  workshop.store.writeNote(session.id, 'context', {
    agent: driver.name,
    ...model,
    for: purpose.for,
    tokens: prompt.tokens,
    budget: prompt.budget,
    isOver: prompt.isOver,
    parts: prompt.parts,
  });
  const {project} = workshop.state();
  const servers = toolServersFor(project, task?.planned.tools ?? [], workshop.env);
  const tools = writeToolsGrant(
    workshop,
    session.id,
    purpose.for === 'plan' ? 'planner' : 'worker',
    {servers, capTokens: limitsOf(project).toolResultTokens},
  );
  const isConfined = (await sandboxFor(workshop)).use === true;
  const job: Job = {
    mode: purpose.for === 'plan' ? 'plan' : purpose.for === 'attempt' ? 'work' : 'takeover',
    directory: worktree.path,
    prompt: prompt.text,
    promptFile: exchange.prompt,
    outcomeFile: exchange.outcome,
    ...(conversation === undefined ? {} : {conversation}),
    ...tokenLimitOf(workshop, run, purpose),
    ...(task === undefined ? {} : {task: task.planned.id}),
    ...(attempt === undefined ? {} : {attempt: attempt.number}),
    ...model,
    ...(run.request.playbook === undefined ? {} : {playbook: run.request.playbook}),
    isConfined,
    nestsSandboxes: workshop.uid !== 0,
    ...ownSettingsOf(workshop, driver),
    tools: {
      argv: [...workshop.ownProgram, 'mcp', '--tools', tools],
      env: {},
      servers: Object.keys(servers),
    },
  };
  const command = driver.commandOf(job);
  const env = {...environmentOf(workshop, run, worktree, driver.needs), ORCHESTRA_TOOLS: tools};
  // What has no screen of its own to take over is taken over in a shell.
  if ('refused' in command && purpose.for === 'takeover')
    return {argv: [workshop.env['SHELL'] ?? '/bin/sh'], cwd: worktree.path, env};
  if ('refused' in command) throw new Error(command.refused);
  const lacking = driver.lacks?.(env, workshop.home, readSettings);
  if (lacking !== undefined) throw new Error(lacking);
  // Typed once it runs and takes a prompt; see perform/type-prompt.ts.
  if (command.input !== undefined) writeWhole(exchange.typed, '', {below: exchange.below});
  // Beside the prompt, where the agent can write: see docs/agents.md.
  for (const {path: file, text} of command.files ?? [])
    writeWhole(file, text, {below: exchange.below});

  return {
    argv: terminalArgvOf(
      command,
      programOf(workshop, driver, command.argv[0] ?? driver.program),
      workshop.ownProgram,
    ),
    cwd: worktree.path,
    env: {
      ...env,
      ...command.env,
      ...(isConfined ? driver.ownStateEnv?.(workshop.home, workshop.env) : {}),
    },
    stateDirectories: driver.stateDirectories?.(workshop.home, workshop.env) ?? [],
    hosts: driver.hosts?.(workshop.env) ?? [],
    inPlace: command.inPlace ?? [],
    ...(driver.settings === undefined
      ? {}
      : {settings: driver.settings(workshop.home, workshop.env)}),
  };
}

function ownSettingsOf({home, env}: Workshop, {settingsFile}: Driver): Pick<Job, 'ownSettings'> {
  if (settingsFile === undefined) return {};
  const file = settingsFile(home, env);
  const text = readSettings(file);
  return {ownSettings: {path: file, ...(text === undefined ? {} : {text})}};
}

/** A person's own settings of an agent may be a link. */
export function readSettings(file: string): string | undefined {
  return tryReadText(file, {maxBytes: 1024 * 1024, links: 'follow'});
}

/** What is left of the attempt. What is left of the run is not for one agent alone: the daemon counts all of them. */
function tokenLimitOf(
  {state}: Workshop,
  {budget: {attemptTokens}}: Run,
  purpose: AgentPurpose,
): Pick<Job, 'tokenLimit'> {
  const task = purpose.for === 'attempt' ? taskOf(state(), purpose.task) : undefined;
  if (attemptTokens === undefined || task === undefined || purpose.for !== 'attempt') return {};
  return {
    tokenLimit: Math.max(
      1,
      attemptTokens - tokensOf(usageOfAttempt(state(), task, purpose.attempt)),
    ),
  };
}

/** What was said for this run, else what the project says of the agent. A model that was named for the worker is the planner's too, if it is the same agent. */
function modelOf({state}: Workshop, {request}: Run, purpose: AgentPurpose): Pick<Job, 'model'> {
  const {planner, worker, model, plannerModel} = request;
  const said =
    purpose.for === 'plan' ? (plannerModel ?? (planner === worker ? model : undefined)) : model;
  const known = said ?? state().project.models?.[purpose.for === 'plan' ? planner : worker];
  return known === undefined ? {} : {model: known};
}

export function driverFor(
  workshop: Pick<Workshop, 'state'>,
  {request}: Run,
  purpose: Pick<AgentPurpose, 'for'>,
): Driver {
  const found = driverOf(
    purpose.for === 'plan' ? request.planner : request.worker,
    workshop.state().project.agents ?? [],
  );
  if ('refused' in found) throw new Error(found.refused);
  return found.driver;
}

function programOf(
  {ownProgram, env, root}: Workshop,
  driver: Driver,
  name: string,
): readonly string[] {
  if (driver.isBuiltIn) return ownProgram;
  if (path.isAbsolute(name)) return [name];
  const {file} = findProgram(name, {path: env['PATH'] ?? '', outside: root});
  if (file === undefined)
    throw new Error(`${name} is not on PATH; install it, or choose another agent with --agent`);
  return [file];
}

async function workerPrompt(
  workshop: Workshop,
  run: Run,
  worktree: Worktree,
  task: Task,
  attempt: Attempt,
  session: Session,
): Promise<Prompt> {
  const {stage} = run;
  if (stage.at !== 'working') throw new Error(`${run.id} has no approved plan`);
  const {project, notes} = workshop.state();
  const {handedBack} = attempt;
  const isFresh = attempt.number === 1 && attempt.interruptions === 0 && handedBack === undefined;
  const byPerson =
    handedBack === undefined ? undefined : await changedByPerson(workshop, session, worktree);
  const changed = isFresh
    ? []
    : (await captureChange(workshop.workspace(), {directory: worktree.path, base: worktree.commit}))
        .change.files;
  return workerPromptOf({
    ...(await contextOf(workshop, run, worktree, task.planned)),
    rules: stage.ground.rules,
    objective: run.request.objective,
    task: task.planned,
    invariants: stage.proposal.plan.invariants,
    checks: checksOf(run).filter((check) => choiceOf(run, check) !== 'ignore'),
    attempt,
    changed,
    ...(byPerson === undefined ? {} : {byPerson}),
    notes: notes.filter(({on}) => on === run.id || on === task.id).map(({text}) => text),
    budget: limitsOf(project).contextTokens,
  });
}
