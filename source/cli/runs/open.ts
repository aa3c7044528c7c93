import {
  type OpenOptions,
  type RunId,
  selectRun,
  selectSession,
  type SessionId,
  type State,
  untitledObjective,
} from '../../domain/index.ts';
import {attach} from '../attach.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';
import {UsageError} from '../repo-paths.ts';
import {withLive} from '../with-daemon.ts';
import {isWaitingForPerson} from './print-run-progress.ts';
import {run, type RunOptions, startRun} from './run.ts';
import {parseTries, type TriesOptions} from './tries.ts';

export type OpenArguments = Pick<
  RunOptions,
  | 'agent'
  | 'model'
  | 'playbook'
  | 'skill'
  | 'tokens'
  | 'detach'
  | 'json'
  | 'headless'
  | 'interactive'
> & {
  readonly branch?: string;
  readonly on?: string;
  readonly resume?: string;
} & TriesOptions;

/**
 * Starts an agent in a worktree of its own, without a planner. The start is the approval. With a
 * terminal, the person is connected to the agent's own interface.
 */
export async function open(
  objective: string | undefined,
  options: OpenArguments,
  cli: CliContext,
): Promise<ExitCode> {
  const {branch, on, resume, tries, agents, ...rest} = options;
  const variants = parseTries({
    ...(tries === undefined ? {} : {tries}),
    ...(agents === undefined ? {} : {agents}),
  });
  if (agents !== undefined && options.agent !== undefined)
    throw new UsageError('expected --agent or --agents, got both. Leave out one');
  const text = objective?.trim() ?? '';
  if (text === '' && options.headless === true)
    throw new UsageError(
      'a headless agent needs to know what to do: orchestra open "what to do" --headless',
    );
  const how: OpenOptions = {
    ...(branch === undefined ? {} : {branch}),
    ...(on === undefined ? {} : {on}),
    ...(resume === undefined ? {} : {conversation: resume}),
    ...(text === '' ? {withoutPrompt: true} : {}),
  };
  const hasTerminal = cli.keyboard !== undefined;
  // Without a terminal nobody can talk to the agent.
  const isHeadless = text !== '' && !hasTerminal && options.interactive !== true;
  const running: RunOptions = {
    ...rest,
    ...(variants?.[0] === undefined || variants[0] === '' ? {} : {agent: variants[0]}),
    ...(variants === undefined ? {} : {variants}),
    open: how,
    ...(isHeadless ? {headless: true} : {}),
  };
  const title = text === '' ? untitledObjective : text;
  const isAttached =
    hasTerminal &&
    variants === undefined &&
    rest.detach !== true &&
    rest.json !== true &&
    rest.headless !== true;
  return isAttached ? openHere(title, running, cli) : run(title, running, cli);
}

/** Connects the person to the agent as soon as it runs. */
async function openHere(title: string, options: RunOptions, cli: CliContext): Promise<ExitCode> {
  let id: RunId | undefined;
  let terminal: SessionId | undefined;
  const code = await withLive(cli, async (live, repoPaths): Promise<ExitCode> => {
    const started = await startRun(live, repoPaths, title, options, cli);
    id = started;
    cli.err(`${started}: starts in a worktree of its own\n`);
    await live.until(
      (state) => findTerminal(state, started) !== undefined || hasStopped(state, started),
    );
    terminal = findTerminal(live.state(), started);
    return 3;
  });
  if (id === undefined) return code;
  if (terminal === undefined) {
    cli.err(`${id} did not start; what it waits for: orchestra needs\n`);
    return code;
  }

  const left = await attach(terminal, cli);
  cli.err(
    `back to it: orchestra attach ${terminal} · check it: orchestra check ${id} · discard it: ` +
      `orchestra discard ${id}\n`,
  );
  return left;
}

/** The agent's own interface; a headless agent has only output. */
function findTerminal(state: State, id: RunId): SessionId | undefined {
  return selectRun(state, id)?.sessions.findLast((session) => {
    const {purpose, life} = selectSession(state, session) ?? {};
    return life?.at === 'running' && (purpose?.for === 'attempt' || purpose?.for === 'takeover');
  });
}

/** It needs a person before its agent could start, or it has ended. */
function hasStopped(state: State, id: RunId): boolean {
  const found = selectRun(state, id);
  return found === undefined || isWaitingForPerson(state, found);
}
