import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {
  type AgentCommand,
  type AgentSpec,
  genericDriver,
  type Job,
  type AgentRefusal,
  toTerminalArgv,
} from '../../source/agents/index.ts';
import {without} from '../../source/shared/index.ts';

const job: Job = {
  mode: 'work',
  directory: '/w t',
  prompt: 'Do $(rm) "it" {model} {promptFile}\n- now',
  promptFile: '/x/prompt.md',
  outcomeFile: '/x/o.json',
};
const spec: AgentSpec = {
  name: 'mine',
  plan: ['mine', '--plan', '--in={directory}', '--file', '{promptFile}'],
  work: ['mine', '--model', '{model}', '{promptFile}', '--out={outcomeFile}'],
  resume: ['mine', '--resume', '{conversation}', '{promptFile}'],
  takeover: ['mine', '--resume', '{conversation}'],
  prompt: 'file',
  model: 'small',
};

function getCommand(
  changes: Partial<AgentSpec>,
  jobChanges: Partial<Job> = {},
): AgentCommand | AgentRefusal {
  return genericDriver({...spec, ...changes}).commandOf({...job, ...jobChanges});
}

describe('a declared agent is started by its templates:', () => {
  const cases: readonly (readonly [
    name: string,
    spec: Partial<AgentSpec>,
    job: Partial<Job>,
    command: AgentCommand | AgentRefusal,
  ])[] = [
    [
      'to plan',
      {},
      {mode: 'plan'},
      {argv: ['mine', '--plan', '--in=/w t', '--file', '/x/prompt.md'], env: {}},
    ],
    [
      'to work, with its own model',
      {},
      {},
      {argv: ['mine', '--model', 'small', '/x/prompt.md', '--out=/x/o.json'], env: {}},
    ],
    [
      'to work, with the model that the job names',
      {},
      {model: 'large'},
      {argv: ['mine', '--model', 'large', '/x/prompt.md', '--out=/x/o.json'], env: {}},
    ],
    [
      'to go on',
      {},
      {conversation: 'c-1'},
      {argv: ['mine', '--resume', 'c-1', '/x/prompt.md'], env: {}},
    ],
    [
      'to plan again, which is always fresh',
      {},
      {mode: 'plan', conversation: 'c-1'},
      {argv: ['mine', '--plan', '--in=/w t', '--file', '/x/prompt.md'], env: {}},
    ],
    [
      'to be taken over',
      {},
      {mode: 'takeover', conversation: 'c-1'},
      {argv: ['mine', '--resume', 'c-1'], env: {}},
    ],
    [
      'to be taken over without a conversation',
      {},
      {mode: 'takeover'},
      {
        refused:
          'mine: its arguments have {conversation}, but it has no value. Remove {conversation} from the arguments.',
      },
    ],
    [
      'a prompt as argument is one argument, and is not looked into',
      {prompt: 'argument', work: ['mine', '-p={prompt}!']},
      {},
      {argv: ['mine', `-p=${job.prompt}!`], env: {}},
    ],
    [
      'a prompt on standard input',
      {prompt: 'stdin', work: ['mine']},
      {},
      {argv: ['mine'], env: {}, stdin: '/x/prompt.md'},
    ],
    [
      'a prompt that is typed',
      {prompt: 'typed', work: ['mine']},
      {prompt: 'a\u001B[201~\rb\nc'},
      {argv: ['mine'], env: {}, input: {text: 'a\u001B[201~\rb\nc'}},
    ],
    [
      'a prompt that is typed when it is ready',
      {prompt: 'typed', work: ['mine'], patterns: {ready: 'Ask'}},
      {prompt: 'a'},
      {argv: ['mine'], env: {}, input: {text: 'a', when: 'Ask'}},
    ],
    [
      'a person types for themselves',
      {prompt: 'typed', takeover: ['mine']},
      {mode: 'takeover'},
      {argv: ['mine'], env: {}},
    ],
    [
      'other braces stay',
      {
        work: [
          'mine',
          '{}',
          '{"a":1}',
          '{nothing}',
          '{__proto__}',
          '{constructor}',
          '{promptFile}',
        ],
      },
      {},
      {
        argv: [
          'mine',
          '{}',
          '{"a":1}',
          '{nothing}',
          '{__proto__}',
          '{constructor}',
          '/x/prompt.md',
        ],
        env: {},
      },
    ],
    [
      'a prompt of 128 KiB',
      {prompt: 'argument', work: ['mine', '{prompt}']},
      {prompt: 'ä'.repeat(65_536)},
      {
        refused:
          'mine: the prompt is too long for an argument (128 KiB at most). Use "prompt: file" or "prompt: stdin".',
      },
    ],
    [
      'a prompt with a NUL',
      {prompt: 'argument', work: ['mine', '{prompt}']},
      {prompt: 'a\0b'},
      {refused: 'mine: an argument cannot contain a NUL character. Remove it from the prompt.'},
    ],
  ];
  for (const [name, changes, jobChanges, expected] of cases) {
    test(name, () => {
      assert.deepEqual(getCommand(changes, jobChanges), expected);
    });
  }

  test('without a model anywhere', () => {
    const bare = without(spec, 'model');
    assert.deepEqual(genericDriver(bare).commandOf(job), {
      refused:
        'mine: its arguments have {model}, but it has no value. Name a model, or add "model:".',
    });
  });

  test('without resume an attempt that goes on begins afresh', () => {
    const bare = without(spec, 'resume');
    assert.deepEqual(genericDriver(bare).commandOf({...job, conversation: 'c-1'}), {
      argv: ['mine', '--model', 'small', '/x/prompt.md', '--out=/x/o.json'],
      env: {},
    });
  });

  test('without a screen of its own', () => {
    const bare = without(spec, 'takeover');
    assert.deepEqual(genericDriver(bare).commandOf({...job, mode: 'takeover'}), {
      refused:
        'mine cannot be taken over: it has no interactive mode. Add "takeover:" to agents.mine.',
    });
  });
});

test('what is looked for on PATH and on the screen', () => {
  const driver = genericDriver({...spec, patterns: {ready: 'r', question: 'q', gaveUp: 'g'}});
  assert.deepEqual(
    [driver.name, driver.program, driver.isBuiltIn, driver.screen],
    ['mine', 'mine', false, {ready: 'r', question: 'q'}],
  );
});

test('standard input from a file, whatever the names are', () => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-test-'));
  try {
    const file = path.join(directory, 'a "$(b)" \'c.md');
    writeFileSync(file, 'the prompt');
    const [program = '', ...rest] = toTerminalArgv(
      {
        argv: [
          'named',
          '-e',
          'process.stdin.pipe(process.stdout); process.stdout.write(process.argv[1])',
          'a "b" $c ',
        ],
        env: {},
        stdin: file,
      },
      [process.execPath],
    );
    assert.equal(execFileSync(program, rest, {encoding: 'utf8'}), 'a "b" $c the prompt');
  } finally {
    rmSync(directory, {recursive: true});
  }
});

test('without such a file the program is started itself', () => {
  assert.deepEqual(
    toTerminalArgv({argv: ['orchestra', 'agent'], env: {}}, ['/usr/bin/node', '/o.js']),
    ['/usr/bin/node', '/o.js', 'agent'],
  );
});
