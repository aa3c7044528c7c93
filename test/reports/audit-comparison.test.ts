import assert from 'node:assert/strict';
import {test} from 'node:test';
import {without} from '../../source/shared/index.ts';
import {compareContexts, type ContextAudit, formatComparison} from '../../source/reports/index.ts';

type Context = ContextAudit['contexts'][number];

const rules = {name: 'rules', tokens: 100, isCut: false, full: 100};
const summaries = {name: 'summaries', tokens: 400, isCut: true, full: 900};

function work(session: string, about: string, more: Partial<Context> = {}): Context {
  return {
    session,
    for: 'attempt',
    about,
    agent: 'claude',
    tokens: 500,
    budget: 6000,
    parts: [rules],
    used: {input: 900, output: 100},
    attempt: 1,
    result: 'green',
    ...more,
  };
}

const contexts: readonly Context[] = [
  work('s1', 'r1', {
    for: 'plan',
    used: {input: 1900, output: 100},
    attempt: undefined,
    result: undefined,
  } as never),
  work('s2', 'r1.t1', {result: 'red', model: 'small', parts: [rules, summaries]}),
  work('s3', 'r1.t1', {attempt: 2, model: 'small'}),
  // The same attempt in two sessions: its agent was interrupted.
  work('s4', 'r1.t2', {agent: 'codex'}),
  work('s5', 'r1.t2', {agent: 'codex'}),
  work('s6', 'r2.t1', {agent: 'own', used: {input: 0, output: 0}}),
  work('s7', 'r2.t2', {agent: 'own', result: 'open', used: {input: 0, output: 0}}),
];

test('runs, agents and models are compared by validated changes for 1,000 tokens', () => {
  const {runs, agents, models} = compareContexts({contexts});
  assert.deepEqual(runs, [
    {
      name: 'r1',
      sessions: 5,
      attempts: 3,
      green: 2,
      validated: 2,
      tokens: 6000,
      sessionsWithoutTokens: 0,
      per1000: 0.333,
    },
    {
      name: 'r2',
      sessions: 1,
      attempts: 1,
      green: 1,
      validated: 1,
      tokens: null,
      sessionsWithoutTokens: 1,
      per1000: null,
    },
  ]);
  assert.deepEqual(
    agents.map(({name, validated, tokens, per1000}) => [name, validated, tokens, per1000]),
    [
      ['codex', 1, 2000, 0.5],
      ['claude', 1, 4000, 0.25],
      ['own', 1, null, null],
    ],
  );
  assert.deepEqual(
    models.map(({name, attempts, green}) => [name, attempts, green]),
    [
      ['claude small', 2, 1],
      ['codex, its own choice', 1, 1],
      ['claude, its own choice', 0, 0],
      ['own, its own choice', 1, 1],
    ],
  );
});

test('a part is compared with the attempts that did not have it', () => {
  const {parts} = compareContexts({contexts});
  assert.deepEqual(parts[1], {
    name: 'summaries',
    prompts: 1,
    cut: 1,
    tokens: 400,
    attempts: 1,
    green: 0,
    attemptsWithout: 3,
    greenWithout: 3,
    validated: 0,
    per1000: 0,
  });
});

test('tokens that nobody reported are unknown, never 0', () => {
  const text = formatComparison(compareContexts({contexts}), undefined);
  assert.match(text, /^r2 +1 +1\/1 +1 +unknown +unknown$/m);
  const mixed = compareContexts({
    contexts: [work('s1', 'r1.t1'), work('s2', 'r1.t2', {used: {input: 0, output: 0}})],
  });
  assert.deepEqual([mixed.runs[0]?.tokens, mixed.runs[0]?.per1000], [1000, null]);
  assert.match(formatComparison(mixed, undefined), /^r1 .*1000 and unknown +unknown$/m);
});

test('the answer of an older daemon has no results, and nothing is made up', () => {
  const older = contexts.map((context) => without(without(context, 'attempt'), 'result'));
  const {runs} = compareContexts({contexts: older});
  assert.deepEqual(
    runs.map(({name, attempts, validated, per1000}) => [name, attempts, validated, per1000]),
    [
      ['r1', 0, 0, 0],
      ['r2', 0, 0, null],
    ],
  );
  assert.equal(
    formatComparison(compareContexts({contexts: []}), 80),
    'No agent has a context yet.\n',
  );
});
