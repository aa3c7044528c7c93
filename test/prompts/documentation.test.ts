import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {selectAgentEnvironment} from '../../source/secrets/index.ts';
import {composeWorkerPrompt, parseSkill, usualBudget} from '../../source/prompts/index.ts';
import {workerInput} from './inputs.ts';

const page = readFileSync(path.join(import.meta.dirname, '..', '..', 'docs', 'context.md'), 'utf8');

test('docs/context.md names the parts of a prompt in their order, and the budget', () => {
  const rows = [...page.matchAll(/^\| `(rules|task|facts|summaries|skill)` \|/gm)].map(
    ([, name]) => name,
  );
  assert.deepEqual(
    rows,
    composeWorkerPrompt(workerInput).parts.map(({name}) => name),
  );
  assert.ok(page.includes(`${usualBudget} tokens`));
});

test('the skill and the data in docs/context.md are what they say', () => {
  const skill = /^```markdown\n([^]*?)^```$/m.exec(page)![1]!;
  assert.deepEqual(parseSkill(skill, 'write-docs').problems, []);
  const data = /^```text\n([^]*?)^```$/m.exec(page)![1]!;
  const {text} = composeWorkerPrompt({
    ...workerInput,
    nonce: '7f3a9c2e51d04b88',
    attempt: {
      number: 2,
      interruptions: 0,
      repairs: {
        kind: 'check',
        name: 'test',
        code: 'TEST_FAILURE',
        on: 'change',
        firstFailure: 'expected 1, got 2',
      },
    },
  });
  assert.ok(text.includes(data));
});

test('docs/context.md names every variable that agents get', () => {
  const named = [...page.matchAll(/\b[A-Z][A-Z_]*[A-Z]\b/g)].map(([name]) => name);
  const got = selectAgentEnvironment(
    Object.fromEntries([...named, 'EDITOR', 'HTTP_PROXY'].map((name) => [name, 'x'])),
    {allow: []},
  );
  const usual = /allow-list: `([A-Z_ ]+)`/.exec(page)![1]!.split(' ');
  assert.deepEqual(
    Object.keys(got).toSorted(),
    [
      ...usual,
      'HTTP_PROXY',
      'GIT_TERMINAL_PROMPT',
      'PAGER',
      'GIT_PAGER',
      'DEBIAN_FRONTEND',
    ].toSorted(),
  );
});
