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
    {validation: [{name: 'test', command: 'npm test'}]},
  ];
  assert.equal(
    new Set([{}, ...changes].map((change) => toHash(planText(change)))).size,
    changes.length + 1,
  );
});
