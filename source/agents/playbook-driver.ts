import type {AgentCommand, Driver, Refusal} from './driver.ts';
import type {Job} from './job.ts';
import {readOutcome} from './read-outcome.ts';

/** The built-in agent: this very program, told to follow a playbook. */
export const playbookDriver: Driver = {
  name: 'playbook',
  isBuiltIn: true,
  program: 'orchestra',
  commandOf,
  readOutcome: (ended) => readOutcome(ended),
  screen: {},
};

function commandOf({
  mode,
  playbook,
  task,
  attempt = 1,
  promptFile,
  outcomeFile,
}: Job): AgentCommand | Refusal {
  if (mode === 'takeover')
    return {
      refused:
        'playbook cannot be taken over: it has no conversation to go on with. Open a shell in the worktree instead.',
    };
  if (playbook === undefined)
    return {refused: 'playbook needs a playbook to follow. Name one with --playbook FILE.'};
  if (mode === 'work' && task === undefined)
    return {refused: 'playbook needs the id of the task that it works on.'};

  const which =
    mode === 'work' && task !== undefined ? ['--task', task, '--attempt', String(attempt)] : [];
  return {
    argv: [
      'orchestra',
      'agent',
      'playbook',
      '--mode',
      mode,
      '--playbook',
      playbook,
      ...which,
      '--prompt-file',
      promptFile,
      '--outcome-file',
      outcomeFile,
    ],
    env: {},
  };
}
