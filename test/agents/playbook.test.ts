import assert from 'node:assert/strict';
import {test} from 'node:test';
import {findDriver, type Job} from '../../source/agents/index.ts';
import {without} from '../../source/shared/index.ts';

const job: Job = {
  mode: 'work',
  directory: '/w',
  prompt: 'p',
  promptFile: '/x/prompt.md',
  outcomeFile: '/x/outcome.json',
  task: 't3',
  attempt: 2,
  playbook: '/r/fix.yaml',
};

function getCommand(changes: Partial<Job>): unknown {
  const found = findDriver('playbook', []);
  assert('driver' in found);
  return found.driver.commandOf({...job, ...changes});
}

test('playbook works by this very program, told the task and the attempt', () => {
  assert.deepEqual(getCommand({}), {
    argv: [
      'orchestra',
      'agent',
      'playbook',
      '--mode',
      'work',
      '--playbook',
      '/r/fix.yaml',
      '--task',
      't3',
      '--attempt',
      '2',
      '--prompt-file',
      '/x/prompt.md',
      '--outcome-file',
      '/x/outcome.json',
    ],
    env: {},
  });
});

test('playbook plans without a task', () => {
  assert.deepEqual(getCommand({mode: 'plan'}), {
    argv: [
      'orchestra',
      'agent',
      'playbook',
      '--mode',
      'plan',
      '--playbook',
      '/r/fix.yaml',
      '--prompt-file',
      '/x/prompt.md',
      '--outcome-file',
      '/x/outcome.json',
    ],
    env: {},
  });
});

test('the first attempt is the default', () => {
  const first = without(job, 'attempt');
  const found = findDriver('playbook', []);
  assert('driver' in found);
  const command = found.driver.commandOf(first);
  assert('argv' in command);
  assert.deepEqual(command.argv.slice(7, 11), ['--task', 't3', '--attempt', '1']);
});

test('playbook says what it needs', () => {
  const bare = without(job, 'playbook', 'task');
  const found = findDriver('playbook', []);
  assert('driver' in found);
  assert.deepEqual(found.driver.commandOf(bare), {
    refused: 'playbook needs a playbook to follow. Name one with --playbook FILE.',
  });
  assert.deepEqual(found.driver.commandOf({...bare, playbook: '/r/a.yaml'}), {
    refused: 'playbook needs the id of the task that it works on.',
  });
  assert.deepEqual(getCommand({mode: 'takeover'}), {
    refused:
      'playbook cannot be taken over: it has no conversation to continue. Open a shell in the worktree instead.',
  });
});

test('playbook is built in', () => {
  const found = findDriver('playbook', []);
  assert('driver' in found);
  assert.deepEqual(
    [found.driver.name, found.driver.program, found.driver.isBuiltIn, found.driver.screen],
    ['playbook', 'orchestra', true, {}],
  );
});

for (const name of ['nobody', '__proto__', 'constructor', 'toString', '']) {
  test(`an agent called ${JSON.stringify(name)} is not found, and those that exist are named`, () => {
    assert.deepEqual(
      findDriver(name, [{name: 'mine', plan: ['a'], work: ['a'], prompt: 'stdin'}]),
      {
        refused: `there is no agent "${name}". There are: mine, claude, codex, gemini, opencode, pi, playbook. Others are declared under "agents:" in .orchestra/project.yaml.`,
      },
    );
  });
}

test('what a project declares comes before what is known by that name', () => {
  const found = findDriver('playbook', [
    {name: 'playbook', plan: ['a'], work: ['other'], prompt: 'stdin'},
  ]);
  assert('driver' in found);
  assert.deepEqual([found.driver.program, found.driver.isBuiltIn], ['other', false]);
});
