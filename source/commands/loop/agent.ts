import {Impossible} from '../here.ts';
import {runPlaybook} from '../../playbook/index.ts';
import {runAgent} from '../../renderer/index.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';

/** The built-in agent itself, as it is started in a session. */
export async function agentPlaybook(
  options: Readonly<Record<string, string | undefined>>,
  {cwd, env, out}: Surroundings,
): Promise<ExitCode> {
  const {mode, playbook, task, attempt, outcomeFile} = options;
  if ((mode !== 'plan' && mode !== 'work') || playbook === undefined)
    throw new Impossible(`expected --mode plan or work, got ${JSON.stringify(mode)}`);
  return runPlaybook({
    mode,
    playbook,
    directory: cwd,
    env,
    out,
    ...(task === undefined ? {} : {task}),
    ...(attempt === undefined ? {} : {attempt: Number(attempt)}),
    ...(outcomeFile === undefined ? {} : {outcomeFile}),
  });
}

/** A real agent, with its stream shown so that a person can read it. */
export async function agentRun(
  argv: readonly string[],
  options: Readonly<Record<string, string | undefined>>,
  {cwd, env, out, isTerminal}: Surroundings,
): Promise<ExitCode> {
  const {agent, mode, promptFile, promptFrom, outcomeFile, conversation, tokenLimit} = options;
  if (
    (mode !== 'plan' && mode !== 'work') ||
    agent === undefined ||
    promptFile === undefined ||
    outcomeFile === undefined
  )
    throw new Impossible('expected --agent, --mode plan or work, --prompt-file and --outcome-file');
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
    ...(conversation === undefined ? {} : {conversation}),
    ...(tokenLimit === undefined ? {} : {tokenLimit: Number(tokenLimit)}),
  });
}
