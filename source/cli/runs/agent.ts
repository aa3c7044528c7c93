import {UsageError} from '../repo-paths.ts';
import {runPlaybook} from '../../playbook-agent/index.ts';
import {runAgent} from '../../agent-runner/index.ts';
import type {CliContext, ExitCode} from '../cli-context.ts';

/** Runs the built-in agent inside of a session. */
export async function agentPlaybook(
  options: Readonly<Record<string, string | undefined>>,
  {cwd, env, out, isTerminal, terminal}: CliContext,
): Promise<ExitCode> {
  const {mode, playbook, task, attempt, outcomeFile} = options;
  if ((mode !== 'plan' && mode !== 'work') || playbook === undefined)
    throw new UsageError(`expected --mode plan or work, got ${JSON.stringify(mode)}`);
  return runPlaybook({
    mode,
    playbook,
    directory: cwd,
    env,
    out,
    color: isTerminal && (env['NO_COLOR'] ?? '') === '',
    ...(terminal === undefined ? {} : {columns: () => terminal.size().columns}),
    ...(task === undefined ? {} : {task}),
    ...(attempt === undefined ? {} : {attempt: Number(attempt)}),
    ...(outcomeFile === undefined ? {} : {outcomeFile}),
  });
}

/** Runs a real agent and shows its output stream in a readable form. */
export async function agentRun(
  argv: readonly string[],
  options: Readonly<Record<string, string | undefined>>,
  {cwd, env, out, isTerminal}: CliContext,
): Promise<ExitCode> {
  const {agent, mode, promptFile, promptFrom, outcomeFile, inbox, conversation, tokenLimit} =
    options;
  if (
    (mode !== 'plan' && mode !== 'work') ||
    agent === undefined ||
    promptFile === undefined ||
    outcomeFile === undefined
  )
    throw new UsageError('expected --agent, --mode plan or work, --prompt-file and --outcome-file');
  return runAgent({
    agent,
    mode,
    argv,
    directory: cwd,
    promptFile,
    outcomeFile,
    env,
    out,
    now: Date.now,
    color: isTerminal,
    ...(promptFrom === undefined ? {} : {promptFrom: Number(promptFrom)}),
    ...(inbox === undefined ? {} : {inbox}),
    ...(conversation === undefined ? {} : {conversation}),
    ...(tokenLimit === undefined ? {} : {tokenLimit: Number(tokenLimit)}),
  });
}
