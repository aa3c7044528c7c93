import assert from 'node:assert/strict';
import {test} from 'node:test';
import {planHash, readPlan} from '../../source/documents/index.ts';
import {planText, task} from './plan-text.ts';

const hashOf = (text: string): string => planHash(readPlan(text, {objective: 'x'}).value!);

test('the hash of a plan does not depend on how it was written down', () => {
  const hash = hashOf(planText());
  assert.match(hash, /^[0-9a-f]{64}$/);
  assert.equal(
    hashOf(
      JSON.stringify(
        Object.fromEntries(Object.entries(JSON.parse(planText()) as object).toReversed()),
      ),
    ),
    hash,
  );
  assert.equal(hashOf(planText({rootCause: ' A typo. ', risks: [], unheard: true})), hash);
  assert.equal(hashOf(planText({tasks: [task({files: ['./src/a.ts'], skill: null})]})), hash);
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
    new Set([{}, ...changes].map((change) => hashOf(planText(change)))).size,
    changes.length + 1,
  );
});
