import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isDemoAtWork} from '../../source/cli/demo/start-demo.ts';
import {emptyState} from '../../source/domain/index.ts';
import {plannedTask} from '../domain/support/samples.ts';
import {mergeTask, validate, working} from '../domain/support/stages.ts';
import {storeFiles} from '../../source/cli/demo/store-files.ts';
import {storeAnswer, storePlaybook} from '../../source/cli/demo/store-playbook.ts';
import {parsePlaybook} from '../../source/playbook/index.ts';
import {parseRules} from '../../source/rules/index.ts';

const {value, problems} = parsePlaybook(storePlaybook(1));

test('the playbook of the demo has six tasks in three waves, one question and one repair', () => {
  assert.deepEqual(problems, []);
  assert.deepEqual(
    value.plan?.tasks.map(({id, after}) => [id, after]),
    [
      ['t1', []],
      ['t2', []],
      ['t3', []],
      ['t4', []],
      ['t5', ['t2']],
      ['t6', ['t4', 't5']],
    ],
  );
  const steps = value.tasks.flatMap((list) => list.steps);
  const questions = steps.filter((step) => step.do === 'ask');
  assert.equal(questions.length, 1);
  assert.equal(questions[0]?.options[Number(storeAnswer.number) - 1], storeAnswer.text);
  assert.deepEqual(
    value.repairs.map(({task}) => task),
    ['t3'],
  );
});

test('every task and the planner count tokens and cost', () => {
  for (const steps of [value.planning, ...value.tasks.map((list) => list.steps)])
    assert.ok(steps.some((step) => step.do === 'use' && step.usage.cost !== undefined));
});

test('headless, the pauses almost vanish, and nothing else changes', () => {
  const pauses = (pace: number): number =>
    parsePlaybook(storePlaybook(pace))
      .value.tasks.flatMap((list) => list.steps)
      .reduce((sum, step) => sum + (step.do === 'wait' ? step.milliseconds : 0), 0);
  assert.ok(pauses(1) > 20_000);
  assert.ok(pauses(0.01) < 1000);
  const withoutPauses = (text: string): string => text.replaceAll(/wait: \d+ms/g, '');
  assert.equal(withoutPauses(storePlaybook(1)), withoutPauses(storePlaybook(0.01)));
});

test('the rules file has seven rules, six of which are enforced', () => {
  const {value: rules, problems: wrong} = parseRules(storeFiles['.rulesfile.md'] ?? '');
  assert.deepEqual(wrong, []);
  // The checks are enforced, too.
  const enforced = rules.rules.filter(({tooth}) => tooth !== undefined);
  assert.deepEqual(
    [rules.rules.length, enforced.length, rules.checks.map(({name}) => name)],
    [7, 4, ['test', 'build']],
  );
});

test('a demo is at work until its run is ready, also while no session of it lives', () => {
  assert.equal(isDemoAtWork(emptyState), false);
  const harness = working([plannedTask('t1')]);
  assert.equal(isDemoAtWork(harness.state), true);
  assert.equal(isDemoAtWork({...harness.state, live: []}), true);
  validate(harness, 'r1.t1');
  mergeTask(harness, 'r1.t1');
  assert.equal(isDemoAtWork(harness.state), false);
});
