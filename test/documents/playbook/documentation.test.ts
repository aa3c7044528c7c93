import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {formatProjectProblems, readPlaybook} from '../../../source/documents/index.ts';
import {stepKinds} from '../../../source/documents/playbook/read-step.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/playbook.md'), 'utf8');

test('the example in docs/playbook.md has nothing wrong with it and shows every step but giving up', () => {
  const {value, problems} = readPlaybook(/^```yaml\n([^]*?)^```$/m.exec(page)![1]!);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    new Set(value.tasks[0]?.steps.map((step) => step.do)),
    new Set(stepKinds.filter((kind) => kind !== 'fail')),
  );
  assert.deepEqual([value.plan?.tasks.length, value.repairs.length], [1, 1]);
});

test('docs/playbook.md names every step', () => {
  for (const kind of stepKinds) assert.ok(page.includes(`\n| \`${kind}: `), kind);
});

test('the problem in docs/playbook.md is what a person sees', () => {
  const {problems} = readPlaybook(
    'tasks:\n  t1:\n    - print: a\n    - wirte: {path: c, text: d}\n',
  );
  assert.equal(
    `${formatProjectProblems('fix.yaml', problems)}\n`,
    /^```text\n([^]*?)^```$/m.exec(page)![1]!,
  );
});
