import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {formatProjectProblems} from '../../source/project-config/index.ts';
import {parsePlaybook} from '../../source/playbook/index.ts';
import {stepKinds} from '../../source/playbook/parse-steps.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../docs/playbook.md'), 'utf8');

test('the example in docs/playbook.md has nothing wrong with it and shows every step but giving up', () => {
  const {value, problems} = parsePlaybook(/^```yaml\n([^]*?)^```$/m.exec(page)![1]!);
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
  const {problems} = parsePlaybook(
    'tasks:\n  t1:\n    - print: a\n    - wirte: {path: c, text: d}\n',
  );
  assert.equal(
    `${formatProjectProblems('fix.yaml', problems)}\n`,
    /^```text\n([^]*?)^```$/m.exec(page)![1]!,
  );
});
