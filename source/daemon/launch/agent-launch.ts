import path from 'node:path';
import {driverOf, terminalArgvOf, type AgentSettings, type Driver, type Job} from '../../agents/index.ts';
import {limitsOf, plannerPromptOf, toolServersFor, planTextOf, workerPromptOf, type Prompt} from '../../documents/index.ts';
import {attemptOf, checksOf, choiceOf, conversationOf, taskOf, type Attempt, type Purpose, type Run, type Session, type Task, type Worktree} from '../../domain/index.ts';
import {writeWhole} from '../../files/index.ts';
import {findProgram} from '../../machine/index.ts';
import {captureChange} from '../../workspace/index.ts';
import type {Workshop} from '../workshop.ts';
import {contextOf} from './context.ts';
import {exchangeOf, writePrompt} from './exchange.ts';
import {sandboxFor} from './sandbox-launch.ts';
import {environmentOf, placeOf, type Launch} from './task-launch.ts';
import {writeToolsGrant} from './tools-grant.ts';

type AgentPurpose = Extract<Purpose, {readonly for: 'plan' | 'attempt' | 'takeover'}>;

/** With what the agent itself must be able to write in the person's home, and what there it must not. */
export type AgentLaunch = Launch & {
  readonly stateDirectories?: readonly string[];
  readonly settings?: AgentSettings;
  /** Those that it asks for answers. */
  readonly hosts?: readonly string[];
};

/** An agent with its prompt, in the worktree that is its own. */
export async function agentLaunch(workshop: Workshop, session: Session, purpose: AgentPurpose): Promise<AgentLaunch> {
  const {run, worktree} = placeOf(workshop, session);
  const driver = driverFor(workshop, run, purpose);
  const task = purpose.for === 'plan' ? undefined : taskOf(workshop.state(), purpose.task);
  const attempt = task === undefined ? undefined : attemptOf(task);
  const prompt = task === undefined || attempt === undefined ? await plannerPrompt(workshop, run, worktree) : await workerPrompt(workshop, run, worktree, task, attempt);
  const exchange = exchangeOf(workshop, session.id);
  const model = modelOf(workshop, run, purpose);
  writePrompt(exchange, prompt.text);
  workshop.store.writeNote(session.id, 'context', {agent: driver.name, ...model, for: purpose.for, tokens: prompt.tokens, budget: prompt.budget, isOver: prompt.isOver, parts: prompt.parts});
  const {project} = workshop.state();
  const servers = toolServersFor(project, task?.planned.tools ?? [], workshop.env);
  const tools = writeToolsGrant(workshop, session.id, purpose.for === 'plan' ? 'planner' : 'worker', {servers, capTokens: limitsOf(project).toolResultTokens});
  const conversation = conversationOf(workshop.state(), session);
  const job: Job = {
    mode: purpose.for === 'plan' ? 'plan' : purpose.for === 'attempt' ? 'work' : 'takeover',
    directory: worktree.path, prompt: prompt.text, promptFile: exchange.prompt, outcomeFile: exchange.outcome,
    ...(conversation === undefined ? {} : {conversation}),
    ...(task === undefined ? {} : {task: task.planned.id}),
    ...(attempt === undefined ? {} : {attempt: attempt.number}),
    ...model,
    ...(run.request.playbook === undefined ? {} : {playbook: run.request.playbook}),
    isConfined: (await sandboxFor(workshop)).use === true,
    nestsSandboxes: workshop.uid !== 0,
    tools: {argv: [...workshop.ownProgram, 'mcp', '--tools', tools], env: {}, servers: Object.keys(servers)},
  };
  const command = driver.commandOf(job);
  const env = {...environmentOf(workshop, run, worktree.owner, driver.needs), ORCHESTRA_TOOLS: tools};
  // What has no screen of its own to take over is taken over in a shell.
  if ('refused' in command && purpose.for === 'takeover') return {argv: [workshop.env['SHELL'] ?? '/bin/sh'], cwd: worktree.path, env};
  if ('refused' in command) throw new Error(command.refused);
  // Typed once it runs and takes a prompt; see perform/type-prompt.ts.
  if (command.input !== undefined) writeWhole(exchange.typed, '', {below: exchange.below});
  // Beside the prompt, where the agent can write: see docs/agents.md.
  for (const {path: file, text} of command.files ?? []) writeWhole(file, text, {below: exchange.below});

  return {
    argv: terminalArgvOf(command, programOf(workshop, driver, command.argv[0] ?? driver.program), workshop.ownProgram),
    cwd: worktree.path,
    env: {...env, ...command.env},
    stateDirectories: driver.stateDirectories?.(workshop.home, workshop.env) ?? [],
    hosts: driver.hosts?.(workshop.env) ?? [],
    ...(driver.settings === undefined ? {} : {settings: driver.settings(workshop.home, workshop.env)}),
  };
}

/** What was said for this run, else what the project says of the agent. A model that was named for the worker is the planner's too, if it is the same agent. */
function modelOf({state}: Workshop, {request}: Run, purpose: AgentPurpose): Pick<Job, 'model'> {
  const {planner, worker, model, plannerModel} = request;
  const said = purpose.for === 'plan' ? (plannerModel ?? (planner === worker ? model : undefined)) : model;
  const known = said ?? state().project.models?.[purpose.for === 'plan' ? planner : worker];
  return known === undefined ? {} : {model: known};
}

export function driverFor(workshop: Pick<Workshop, 'state'>, {request}: Run, purpose: Pick<AgentPurpose, 'for'>): Driver {
  const found = driverOf(purpose.for === 'plan' ? request.planner : request.worker, workshop.state().project.agents ?? []);
  if ('refused' in found) throw new Error(found.refused);
  return found.driver;
}

function programOf({ownProgram, env, root}: Workshop, driver: Driver, name: string): readonly string[] {
  if (driver.isBuiltIn) return ownProgram;
  if (path.isAbsolute(name)) return [name];
  const {file} = findProgram(name, {path: env['PATH'] ?? '', outside: root});
  if (file === undefined) throw new Error(`${name} is not on PATH; install it, or choose another agent with --agent`);
  return [file];
}

async function plannerPrompt(workshop: Workshop, run: Run, worktree: Worktree): Promise<Prompt> {
  const {stage, request} = run;
  if (stage.at !== 'planning') throw new Error(`${run.id} is not being planned`);
  const round = run.rounds.at(-1);
  const context = await contextOf(workshop, run, worktree);
  const {project, services} = workshop.state();
  return plannerPromptOf({
    ...context,
    rules: stage.ground.rules, objective: request.objective,
    services: services.map(({spec}) => spec.name),
    tools: (project.tools ?? []).map(({name}) => name),
    ...(round?.asking === 2 ? {problems: round.problems} : {}),
    ...(stage.because === undefined ? {} : {because: stage.because, ...planBefore(workshop, run)}),
    budget: limitsOf(project).contextTokens,
  });
}

/** The plan that the person's comments are about, line by line as it was shown. */
function planBefore(workshop: Workshop, {id}: Run): {readonly before?: string} {
  const plan = workshop.eventsOf(id).flatMap((event) => (event.type === 'plan-received' || event.type === 'plan-edited' ? [event.plan] : [])).at(-1);
  return plan === undefined ? {} : {before: planTextOf(plan)};
}

async function workerPrompt(workshop: Workshop, run: Run, worktree: Worktree, task: Task, attempt: Attempt): Promise<Prompt> {
  const {stage} = run;
  if (stage.at !== 'working') throw new Error(`${run.id} has no approved plan`);
  const {project, notes} = workshop.state();
  const isFresh = attempt.number === 1 && attempt.interruptions === 0;
  const changed = isFresh ? [] : (await captureChange(workshop.workspace(), {directory: worktree.path, base: worktree.commit})).change.files;
  return workerPromptOf({
    ...(await contextOf(workshop, run, worktree, task.planned)),
    rules: stage.ground.rules, objective: run.request.objective, task: task.planned,
    invariants: stage.proposal.plan.invariants, checks: checksOf(run).filter((check) => choiceOf(run, check) !== 'ignore'), attempt, changed,
    notes: notes.filter(({on}) => on === run.id || on === task.id).map(({text}) => text),
    budget: limitsOf(project).contextTokens,
  });
}
