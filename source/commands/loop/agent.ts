import {Impossible} from '../here.ts';
import {runPlaybook} from '../../playbook/index.ts';
import type {ExitCode, Surroundings} from '../surroundings.ts';

/** The built-in agent itself, as it is started in a session. */
export async function agentPlaybook(options: Readonly<Record<string, string | undefined>>, {cwd, env, out}: Surroundings): Promise<ExitCode> {
  const {mode, playbook, task, attempt, outcomeFile} = options;
  if ((mode !== 'plan' && mode !== 'work') || playbook === undefined) throw new Impossible(`expected --mode plan or work, got ${JSON.stringify(mode)}`);
  return runPlaybook({
    mode, playbook, directory: cwd, env, out,
    ...(task === undefined ? {} : {task}),
    ...(attempt === undefined ? {} : {attempt: Number(attempt)}),
    ...(outcomeFile === undefined ? {} : {outcomeFile}),
  });
}
