import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {AgentSpec} from '../../source/agents/index.ts';
import type {Problem} from '../../source/shared/index.ts';
import type {DeclaredAgent} from '../../source/domain/index.ts';
import {parseAgents} from '../../source/project-config/parse-agents.ts';
import {parseProject} from '../../source/project-config/index.ts';
import {parseYaml} from '../../source/syntax/parse-yaml.ts';

function read(text: string): {
  readonly agents: readonly AgentSpec[];
  readonly problems: readonly Problem[];
} {
  const {value, problems: unread} = parseYaml(text);
  assert.deepEqual(unread, []);
  const agents = value.is === 'mapping' ? value.entries[0]?.value : undefined;
  assert(agents?.is === 'mapping');
  const problems: Problem[] = [];
  return {
    agents: parseAgents(agents, (line, text) => problems.push({line, text: text})),
    problems,
  };
}

test('what is read is what a driver is made of, and the other way round', () => {
  const declared = (spec: AgentSpec): DeclaredAgent => spec;
  const spec: AgentSpec = {name: 'a', plan: ['a'], work: ['a'], prompt: 'stdin'};
  assert.equal(declared(spec), spec);
});

test('an agent with everything in it, and one with little', () => {
  assert.deepEqual(
    read(`
agents:
  qwen:
    plan: [qwen, --approval-mode, plan, -m, "{model}", -p, "{prompt}"]
    work: [qwen, -y, "{prompt}", '{"json": {}}']
    resume: [qwen, -y, -r, "{conversation}", "{prompt}"]
    takeover: [qwen, -r, "{conversation}"]
    prompt: argument
    model: qwen/coder-3:latest
    patterns:
      ready: 'Type your message'
      question: 'Allow execution'
      conversation: 'session ([0-9a-f-]+)'
      gaveUp: '^I cannot'
      unavailable: 'quota exceeded'
  2nd-agent:
    plan: [other, plan, --in, "{directory}"]
    work: [other]
    prompt: stdin
`),
    {
      agents: [
        {
          name: 'qwen',
          plan: ['qwen', '--approval-mode', 'plan', '-m', '{model}', '-p', '{prompt}'],
          work: ['qwen', '-y', '{prompt}', '{"json": {}}'],
          resume: ['qwen', '-y', '-r', '{conversation}', '{prompt}'],
          takeover: ['qwen', '-r', '{conversation}'],
          prompt: 'argument',
          model: 'qwen/coder-3:latest',
          patterns: {
            ready: 'Type your message',
            question: 'Allow execution',
            conversation: 'session ([0-9a-f-]+)',
            gaveUp: '^I cannot',
            unavailable: 'quota exceeded',
          },
        },
        {
          name: '2nd-agent',
          plan: ['other', 'plan', '--in', '{directory}'],
          work: ['other'],
          prompt: 'stdin',
        },
      ],
      problems: [],
    },
  );
});

const untilThen = / Until then the agent is left out\.$/;

/** Each is all of the agent `a`, which begins on line 3. */
const wrong: readonly (readonly [name: string, text: string, problems: RegExp])[] = [
  [
    'a command alone',
    'my-agent --go',
    /^2 agents\.a: expected fields with "plan:", "work:" and "prompt:", got "my-agent --go"\./,
  ],
  ['nothing', '', /^2 agents\.a: expected fields .*, got nothing/],
  [
    'no fields',
    '{}',
    /^2 agents\.a\.plan: is missing.*\n2 agents\.a\.work: is missing.*\n2 agents\.a\.prompt: is missing/,
  ],
  [
    'arguments in one text',
    '{plan: a b, work: [a], prompt: stdin}',
    /^2 agents\.a\.plan: expected a program and its arguments, as a list .*, got "a b"/,
  ],
  [
    'no arguments',
    '{plan: [], work: [a], prompt: stdin}',
    /agents\.a\.plan: expected a program .*, got 0 of them/,
  ],
  [
    'too many arguments',
    `{plan: [${'x, '.repeat(65)}], work: [a], prompt: stdin}`,
    /got 65 of them/,
  ],
  [
    'a number',
    '{plan: [a, 3], work: [a], prompt: stdin}',
    /^2 agents\.a\.plan\[1]: expected a text, got 3\. Put it in quotes/,
  ],
  [
    'braces without quotes',
    '{plan: [a, {prompt}], work: [a], prompt: stdin}',
    /agents\.a\.plan\[1]: expected a text, got a mapping\. Put it in quotes; "\{prompt}" as well/,
  ],
  [
    'a hidden character',
    String.raw`{plan: [a, "\u202E"], work: [a], prompt: stdin}`,
    /plan\[1]: expected one line of at most 2000 characters without control or hidden ones, got "\\u\{202e}"/,
  ],
  [
    'a long argument',
    `{plan: [a, ${'x'.repeat(2001)}], work: [a], prompt: stdin}`,
    /plan\[1]: expected one line/,
  ],
  [
    'no program',
    '{plan: ["", b], work: [a], prompt: stdin}',
    /plan: expected a program as the first one/,
  ],
  [
    'a prompt for a program',
    '{plan: ["{promptFile}"], work: [a], prompt: stdin}',
    /plan: expected a program as the first one/,
  ],
  [
    'a misspelt placeholder',
    '{plan: [a, "{promptfile}"], work: [a], prompt: stdin}',
    /plan: has \{promptfile}, which is not a placeholder\. Did you mean \{promptFile}\?/,
  ],
  [
    'another way for the prompt',
    '{plan: [a], work: [a], prompt: pipe}',
    /prompt: expected argument, file, stdin or typed, got "pipe"/,
  ],
  [
    'an argument without the prompt',
    '{plan: [a, "{prompt}"], work: [a], prompt: argument}',
    /work: has no \{prompt}, though the prompt is passed as an argument/,
  ],
  [
    'a file without its name',
    '{plan: [a], work: [a, "{promptFile}"], prompt: file}',
    /plan: has no \{promptFile}, though/,
  ],
  [
    'a prompt in two ways',
    '{plan: [a, "{prompt}"], work: [a], prompt: typed}',
    /plan: has \{prompt}, though the prompt is passed by "typed"/,
  ],
  [
    'a conversation where there is none',
    '{plan: [a, "{conversation}"], work: [a], prompt: stdin}',
    /plan: has \{conversation}, but starts a new conversation/,
  ],
  [
    'a prompt for a person',
    '{plan: [a], work: [a], takeover: [a, "{prompt}"], prompt: stdin}',
    /takeover: has \{prompt}, but a person types for themselves/,
  ],
  [
    'a model that is an option',
    '{plan: [a], work: [a], prompt: stdin, model: --help}',
    /model: expected the name of a model .*, got "--help"/,
  ],
  [
    'patterns that are a text',
    '{plan: [a], work: [a], prompt: stdin, patterns: x}',
    /patterns: expected fields of ready, question/,
  ],
  [
    'a pattern that takes for ever',
    '{plan: [a], work: [a], prompt: stdin, patterns: {ready: (a+)+b}}',
    /patterns\.ready: the pattern "\(a\+\)\+b" repeats something/,
  ],
  [
    'a pattern that is a list',
    '{plan: [a], work: [a], prompt: stdin, patterns: {ready: [b]}}',
    /patterns\.ready: expected a regular expression, got a list/,
  ],
  [
    'an unknown pattern',
    '{plan: [a], work: [a], prompt: stdin, patterns: {redy: b}}',
    /patterns\.redy: is not a field here, so it is ignored\. Did you mean "ready"\?/,
  ],
];

describe('an agent is left out as a whole:', () => {
  for (const [name, text, expected] of wrong) {
    test(name, () => {
      const {agents, problems} = read(
        `agents:\n  a: ${text}\n  b: {plan: [b], work: [b], prompt: stdin}\n`,
      );
      assert.deepEqual(agents, [{name: 'b', plan: ['b'], work: ['b'], prompt: 'stdin'}]);
      assert.match(
        problems.map((problem) => `${problem.line} ${problem.text}`).join('\n'),
        expected,
      );
      for (const problem of problems) assert.match(problem.text, untilThen);
    });
  }

  for (const name of [
    'Mine',
    '-a',
    'a_b',
    '__proto__',
    'constructor-',
    'playbook',
    'a'.repeat(41),
    '""',
  ]) {
    test(`the name ${name}`, () => {
      const {agents, problems} = read(
        `agents:\n  ${name}: {plan: [b], work: [b], prompt: stdin}\n`,
      );
      const isFine = name === 'constructor-';
      assert.deepEqual(
        agents.map((agent) => agent.name),
        isFine ? [name] : [],
      );
      assert.deepEqual(
        problems.map(({line}) => line),
        isFine ? [] : [2],
      );
    });
  }
});

test('an unknown field is ignored, and the agent counts', () => {
  const {agents, problems} = read(
    'agents:\n  b: {plan: [b], work: [b], prompt: stdin, promt: x}\n',
  );
  assert.deepEqual(
    agents.map(({name}) => name),
    ['b'],
  );
  assert.match(
    problems[0]!.text,
    /^agents\.b\.promt: is not a field here, so it is ignored\. Did you mean "prompt"\?$/,
  );
});

test('how an agent runs, which may be a built-in one', () => {
  const text = `
agents:
  claude: {workers: interactive}
  codex: {planners: headless, workers: both}
  Big Name: {workers: headless}
  mine: {plan: [m], work: [m], prompt: typed, workers: headless, planners: interactive}
`;
  const {value, problems} = parseProject(`${text}workers: headless\nplanners: on\n`);
  assert.deepEqual(
    {
      agents: value.agents?.map(({name}) => name),
      workers: value.workers,
      planners: value.planners,
      modes: value.modes,
    },
    {
      agents: ['mine'],
      workers: 'headless',
      planners: undefined,
      modes: {
        claude: {workers: 'interactive'},
        codex: {planners: 'headless'},
        mine: {workers: 'headless', planners: 'interactive'},
      },
    },
  );
  assert.deepEqual(
    problems.map(({line, text}) => `${line}: ${text}`),
    [
      '4: agents.codex.workers: expected interactive or headless, got "both". Change it. Until then the project\'s mode counts.',
      '5: agents.Big Name: expected the name of an agent (small letters, digits and "-", at most 40). Change it.',
      '8: planners: expected interactive or headless, got "on". Change it. Until then the default mode counts.',
    ],
  );
});
