import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parsePlan, planHash} from '../../source/plan/index.ts';
import {planText, task} from '../support/plan-text.ts';

const toHash = (text: string): string => planHash(parsePlan(text, {objective: 'x'}).value!);

test('the hash of a plan does not depend on how it was written down', () => {
  const hash = toHash(planText());
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.equal(
    toHash(
      JSON.stringify(
        Object.fromEntries(Object.entries(JSON.parse(planText()) as object).toReversed()),
      ),
    ),
    hash,
  );
  assert.equal(toHash(planText({rootCause: ' A typo. ', risks: [], unheard: true})), hash);
  assert.equal(toHash(planText({tasks: [task({files: ['./src/a.ts'], skill: null})]})), hash);
});

test('the hash changes with anything that a person approves', () => {
  const changes = [
    {problem: 'Other.'},
    {objective: 'Other.'},
    {risks: ['Other.']},
    {tasks: [task({files: ['src/b.ts']})]},
    {tasks: [task({skill: 'other'})]},
    {tasks: [task({agent: 'codex'})]},
    {tasks: [task({agent: 'codex', model: 'gpt-9'})]},
    {tasks: [task({model: 'gpt-9'})]},
    {validation: [{name: 'test', command: 'npm test'}]},
  ];
  assert.equal(
    new Set([{}, ...changes].map((change) => toHash(planText(change)))).size,
    changes.length + 1,
  );
});

test('a plan whose tasks name no agent and no model has the hash of before these fields', () => {
  const plan = {
    problem: 'P.',
    rootCause: 'R.',
    tasks: [
      {
        id: 't1',
        title: 'One',
        brief: 'Do one.',
        files: ['a.txt'],
        skill: 'write-docs',
        tools: ['docs'],
      },
      {
        id: 't2',
        title: 'Two',
        brief: 'Do two.',
        files: ['b.txt'],
        after: ['t1'],
        services: ['web'],
      },
    ],
    validation: [{name: 'test', command: 'npm test'}],
  };
  const before = 'e54e2a9ce84099689ebe70dd6d0702b3815c07bc43cb976d67be02ab80a1b1d0';
  const hashOf = (more: object): string =>
    planHash(
      parsePlan(JSON.stringify({...plan, tasks: plan.tasks.map((one) => ({...one, ...more}))}), {
        objective: 'O.',
      }).value!,
    );
  assert.equal(hashOf({}), before);
  assert.equal(hashOf({agent: null, model: null}), before);
  assert.notEqual(hashOf({agent: 'codex'}), before);
});
