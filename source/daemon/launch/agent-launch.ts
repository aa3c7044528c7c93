import path from 'node:path';
import {
  type AgentCommand,
  type AgentSettings,
  type Driver,
  findDriver,
  type Job,
  toTerminalArgv,
} from '../../agents/index.ts';
import {getLimits, selectToolServers} from '../../project-config/index.ts';
import {
  type Attempt,
  isInteractive,
  type Purpose,
  type Run,
  selectAttempt,
  selectConversation,
  selectSessionAgent,
  selectTask,
  selectTokens,
  type Session,
  usageOfAttempt,
} from '../../domain/index.ts';
import {tryReadText, writeFileAtomic} from '../../files/index.ts';
import {findProgram} from '../../system/index.ts';
import type {
  LaunchContext,
  RepositoryAccess,
  RunVariables,
  SessionLaunching,
  StateReader,
  UserAccount,
} from '../daemon-context.ts';
import {noteTakeover, plannerPrompt} from './prompts.ts';
import {workerPrompt} from './worker-prompt.ts';
import {
  getExchange,
  type MessageWay,
  openMessageWay,
  writePrompt,
  writeToolsGrant,
} from './exchange.ts';
import {type AdoptedConversation, toAdopted} from './agent-record.ts';
import {sandboxFor} from './sandbox-launch.ts';
import {buildTaskEnvironment, type ProgramLaunch, selectSessionPlace} from './task-launch.ts';

type AgentPurpose = Extract<Purpose, {readonly for: 'plan' | 'attempt' | 'takeover'}>;

/** A launch with what the agent needs of the person's home. */
export type AgentLaunch = ProgramLaunch & {
  readonly stateDirectories?: readonly string[];
  readonly settings?: AgentSettings;
  /** Files that replace a person's file for the agent. */
  readonly inPlace?: readonly {readonly path: string; readonly from: string}[];
  /** The hosts of the agent's service. */
  readonly hosts?: readonly string[];
  readonly adopted?: AdoptedConversation;
};

const jobModes: Readonly<Record<AgentPurpose['for'], Job['mode']>> = {
  plan: 'plan',
  attempt: 'work',
  takeover: 'takeover',
};

/** A task that a person works on from its beginning has had no attempt yet. */
const beforeFirstAttempt: Attempt = {
  number: 1,
  by: 'person',
  interruptions: 0,
  context: 1,
  step: {at: 'ready'},
};

/** The command of an agent with its prompt, in its own worktree. */
export async function agentLaunch(
  context: LaunchContext,
  session: Session,
  purpose: AgentPurpose,
): Promise<AgentLaunch> {
  const {run, worktree} = selectSessionPlace(context, session);
  const {driver, ...model} = selectSessionDriver(context, session);
  const interactive = isInteractive(session);
  if (interactive && driver.interactive === undefined)
    throw new Error(
      `${driver.name} has no interface of its own that orchestra can drive; run it headless`,
    );
  const task = purpose.for === 'plan' ? undefined : selectTask(context.state(), purpose.task);
  const attempt = task === undefined ? undefined : (selectAttempt(task) ?? beforeFirstAttempt);
  const conversation =
    purpose.for === 'plan' && driver.resumesPlans !== true
      ? undefined
      : selectConversation(context.state(), session);
  const hasRulesApart = driver.hasRulesApart === true;
  const prompt =
    task === undefined || attempt === undefined
      ? await plannerPrompt(context, run, worktree, {session, conversation, hasRulesApart})
      : await workerPrompt(context, run, worktree, {
          session,
          task,
          attempt,
          conversation: resumesWork(driver) && purpose.for === 'attempt' ? conversation : undefined,
          hasRulesApart,
        });
  if (purpose.for === 'takeover') await noteTakeover(context, session, worktree);
  const exchange = getExchange(context, session.id);
  writePrompt(exchange, prompt.text);
  context.store.writeNote(session.id, 'context', {
    agent: driver.name,
    ...model,
    for: purpose.for,
    tokens: prompt.tokens,
    budget: prompt.budget,
    isOver: prompt.isOver,
    parts: prompt.parts,
  });
  const {project} = context.state();
  const servers = selectToolServers(project, task?.planned.tools ?? [], context.env);
  const tools = writeToolsGrant(
    context,
    session.id,
    purpose.for === 'plan' ? 'planner' : 'worker',
    {servers, capTokens: getLimits(project).toolResultTokens},
  );
  const isConfined = (await sandboxFor(context)).use === true;
  const job: Job = {
    mode: jobModes[purpose.for],
    directory: worktree.path,
    prompt: prompt.text,
    promptFile: exchange.prompt,
    outcomeFile: exchange.outcome,
    ...(interactive ? {isInteractive: true, signalsFile: exchange.signals} : {}),
    ...(purpose.for === 'attempt' ? {inbox: exchange.inbox} : {}),
    ...(conversation === undefined ? {} : {conversation}),
    ...selectTokenLimit(context, run, purpose),
    ...(task === undefined ? {} : {task: task.planned.id}),
    ...(attempt === undefined ? {} : {attempt: attempt.number}),
    ...model,
    ...(run.request.playbook === undefined ? {} : {playbook: run.request.playbook}),
    isConfined,
    nestsSandboxes: context.uid !== 0,
    ...readOwnSettings(context, driver),
    tools: {
      argv: [...context.ownProgram, 'mcp', '--tools', tools],
      env: {},
      servers: Object.keys(servers),
    },
  };
  const command = driver.commandOf(job);
  const env = {
    ...buildTaskEnvironment(context, run, worktree, driver.needs),
    ORCHESTRA_TOOLS: tools,
    ...(interactive ? {ORCHESTRA_SIGNALS: exchange.signals} : {}),
  };
  // An agent without an interactive mode is taken over in a shell.
  if ('refused' in command && purpose.for === 'takeover')
    return {argv: [context.env['SHELL'] ?? '/bin/sh'], cwd: worktree.path, env};
  if ('refused' in command) throw new Error(command.refused);
  const problem = driver.lacks?.(env, context.home, readSettings);
  if (problem !== undefined) throw new AgentMissingError(problem);
  // The prompt is typed once the agent runs and accepts one; see effects/type-prompt.ts.
  // Without what the agent gets another way, such as rules as a system prompt.
  openMessageWay(context, session.id, selectMessageWay(driver, command, purpose));
  const isUnprompted = purpose.for === 'attempt' && purpose.unprompted === true;
  if (command.input !== undefined && !isUnprompted && !waitsForPerson(run, purpose, conversation))
    writeFileAtomic(exchange.typed, command.input.text, {below: exchange.below});
  // In the exchange directory, where the agent can write; see docs/agents.md.
  for (const {path: file, text} of command.files ?? [])
    writeFileAtomic(file, text, {below: exchange.below});

  const isAdopted = conversation !== undefined && run.request.open?.conversation === conversation;
  const adopted = isAdopted ? toAdopted(context, driver, conversation, worktree.path) : undefined;
  return {
    argv: toTerminalArgv(
      command,
      resolveProgram(context, driver, command.argv[0] ?? driver.program),
      context.ownProgram,
    ),
    cwd: worktree.path,
    env: {
      ...env,
      ...command.env,
      ...(isConfined ? driver.ownStateEnv?.(context.home, context.env) : {}),
    },
    stateDirectories: driver.stateDirectories?.(context.home, context.env) ?? [],
    hosts: driver.hosts?.(context.env) ?? [],
    inPlace: command.inPlace ?? [],
    ...(adopted !== undefined && {adopted}),
    ...(driver.settings === undefined
      ? {}
      : {settings: driver.settings(context.home, context.env)}),
  };
}

/** An agent in its own interface is typed to; a headless one has a runner of ours. */
function selectMessageWay(
  {screen}: Driver,
  {input, renderer}: AgentCommand,
  {for: kind}: AgentPurpose,
): MessageWay | undefined {
  if (kind === 'plan') return undefined;
  if (input !== undefined) return 'typed';
  // Without a known prompt it may be a shell, which would run the message.
  if (kind === 'takeover') return screen.ready === undefined ? 'unknown' : 'typed';
  return renderer === undefined ? undefined : 'inbox';
}

/**
 * A planner that was cut short while it waited for the person waits again. One that cannot resume
 * its conversation is asked again, unless there is a plan already.
 */
function waitsForPerson({stage}: Run, purpose: AgentPurpose, conversation?: string): boolean {
  return (
    purpose.for === 'plan' &&
    purpose.waits === true &&
    (conversation !== undefined || stage.at === 'reviewing')
  );
}

function resumesWork({resumesPlans, resumesWork: isDeclared}: Driver): boolean {
  return resumesPlans === true || isDeclared === true;
}

function readOwnSettings(
  {home, env}: Pick<RunVariables, 'env'> & Pick<UserAccount, 'home'>,
  {settingsFile}: Driver,
): Pick<Job, 'ownSettings'> {
  if (settingsFile === undefined) return {};
  const file = settingsFile(home, env);
  const text = readSettings(file);
  return {ownSettings: {path: file, ...(text === undefined ? {} : {text})}};
}

/** Follows links: a person's own settings may be one. */
export function readSettings(file: string): string | undefined {
  return tryReadText(file, {maxBytes: 1024 * 1024, links: 'follow'});
}

/**
 * The tokens left for the attempt. The run's limit is not passed on: the daemon counts all agents
 * together.
 */
function selectTokenLimit(
  {state}: StateReader,
  {budget: {attemptTokens}}: Run,
  purpose: AgentPurpose,
): Pick<Job, 'tokenLimit'> {
  const task = purpose.for === 'attempt' ? selectTask(state(), purpose.task) : undefined;
  if (attemptTokens === undefined || task === undefined || purpose.for !== 'attempt') return {};
  return {
    tokenLimit: Math.max(
      1,
      attemptTokens - selectTokens(usageOfAttempt(state(), task, purpose.attempt)),
    ),
  };
}

/** The driver of a session's agent, and the model that it is started with. */
export function selectSessionDriver(
  {state}: StateReader,
  session: Session,
): {readonly driver: Driver; readonly model?: string} {
  const chosen = selectSessionAgent(state(), session);
  if (chosen === undefined) throw new Error(`no agent works in ${session.id}`);
  const found = findDriver(chosen.agent, state().project.agents ?? []);
  if ('refused' in found) throw new Error(found.refused);
  return {driver: found.driver, ...(chosen.model === undefined ? {} : {model: chosen.model})};
}

/** The agent cannot be started on this machine: its program or its login is missing. */
export class AgentMissingError extends Error {}

function resolveProgram(
  {
    ownProgram,
    env,
    root,
  }: Pick<RepositoryAccess, 'root'> &
    Pick<SessionLaunching, 'ownProgram'> &
    Pick<RunVariables, 'env'>,
  driver: Driver,
  name: string,
): readonly string[] {
  if (driver.isBuiltIn) return ownProgram;
  if (path.isAbsolute(name)) return [name];
  const {file} = findProgram(name, {path: env['PATH'] ?? '', outside: root});
  if (file === undefined)
    throw new AgentMissingError(
      `${name} is not on PATH; install it, or choose another agent with --agent`,
    );
  return [file];
}
