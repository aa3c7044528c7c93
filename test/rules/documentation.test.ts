import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {checkRules} from '../../source/rules/index.ts';
import {parsePlan, parsePlanFromOutput} from '../../source/plan/index.ts';
import {
  checkSchema,
  planSchema,
  rejectedSchema,
  taskSchema,
} from '../../source/plan/plan-schema.ts';
import {lintLevels} from '../../source/rules/lint.ts';
import {directiveKinds} from '../../source/rules/directives.ts';

const root = path.join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

test('the example rules file has nothing wrong with it and shows every directive', () => {
  const {findings, rules, checks} = checkRules(
    '.rulesfile.example.md',
    read('.rulesfile.example.md'),
  );
  assert.deepEqual(findings, []);
  assert.deepEqual(new Set(rules.flatMap(({tooth}) => tooth?.kind ?? [])), new Set(directiveKinds));
  assert.deepEqual(
    checks.map(({name}) => name),
    ['test', 'build'],
  );
});

test('docs/rules-file.md explains every directive and every finding with its level, and no other', () => {
  const text = read('docs/rules-file.md');
  for (const kind of directiveKinds) assert.match(text, new RegExp(`^\\| \`${kind}: `, 'm'));
  const table = [...text.matchAll(/^\| `([a-z0-9-]+)` \| (error|warning) \| \S/gm)].map(
    ([, name, level]) => [name, level],
  );
  assert.deepEqual(Object.fromEntries(table), lintLevels);
  assert.equal(table.length, Object.keys(lintLevels).length);
});

test('the rules files in docs/rules-file.md have nothing wrong with them', () => {
  const examples = [...read('docs/rules-file.md').matchAll(/^````?markdown\n([^]*?)^````?$/gm)].map(
    ([, example]) => example!,
  );
  assert.ok(examples.length > 0);
  for (const example of examples) assert.deepEqual(checkRules('x.md', example).findings, []);
});

test('the plan in docs/plan.md is a plan without problems, and the page names every field', () => {
  const text = read('docs/plan.md');
  const {value, problems} = parsePlanFromOutput(text, {objective: 'x'});
  assert.deepEqual(problems, []);
  assert.deepEqual(Object.keys(value!).toSorted(), Object.keys(planSchema.shape).toSorted());
  assert.ok(value!.tasks.some(({skill}) => skill !== undefined));
  for (const schema of [planSchema, taskSchema, rejectedSchema, checkSchema]) {
    for (const field of Object.keys(schema.shape))
      assert.match(text, new RegExp(`^\\| \`(?:\\w+\\[\\]\\.)?${field}\` \\|`, 'm'), field);
  }

  assert.deepEqual(parsePlan(JSON.stringify(value), {objective: ''}).value, value);
});
