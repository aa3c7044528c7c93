import type {Agent, AgentCommand, Driver, Job, AgentRefusal} from './driver.ts';
import {parseOutcome} from './parse-outcome.ts';

/** Follows a playbook; needs no model and no program. */
export const playbook: Agent = {name: 'playbook'};

/** The built-in agent: orchestra itself, following a playbook. */
export const playbookDriver: Driver = {
  name: 'playbook',
  isBuiltIn: true,
  program: 'orchestra',
  commandOf: buildCommand,
  readOutcome: (ended) => parseOutcome(ended),
  screen: {},
};

function buildCommand({
  mode,
  playbook,
  task,
  attempt = 1,
  promptFile,
  outcomeFile,
}: Job): AgentCommand | AgentRefusal {
  if (mode === 'takeover')
    return {
      refused:
        'playbook cannot be taken over: it has no conversation to continue. Open a shell in the worktree instead.',
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
