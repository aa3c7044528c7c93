import assert from 'node:assert/strict';
import {test} from 'node:test';
import {addMendingTask, parsePlan, planHash} from '../../source/plan/index.ts';
import {getPlan, plannedTask} from '../domain/support/samples.ts';

const red = {
  check: {name: 'test', command: 'npm test'},
  outcome: 'failed' as const,
  firstFailure: 'expected 1, got 2',
  touched: [],
};

test('a plan that mends a check is a plan: its first task has the failure, and all others come after it', () => {
  const plan = addMendingTask(getPlan(plannedTask('t1'), plannedTask('t7', {after: ['t1']})), red);
  const {value, problems} = parsePlan(JSON.stringify(plan), {objective: plan.objective});
  assert.deepEqual(
    problems.filter(({level}) => level === 'error'),
    [],
  );
  assert.equal(planHash(value!), planHash(plan), 'an approval binds what was sent');
  assert.deepEqual(
    value!.tasks.map(({id, after}) => [id, after]),
    [
      ['t8', []],
      ['t1', ['t8']],
      ['t7', ['t8', 't1']],
    ],
  );
  assert.match(value!.tasks[0]!.brief, /npm test[^]*expected 1, got 2/);
});

test('a second check is mended before the first: each has its own task', () => {
  const once = addMendingTask(getPlan(plannedTask('t1')), red);
  const twice = addMendingTask(once, {...red, check: {name: 'lint', command: 'npm run lint'}});
  assert.deepEqual(
    twice.tasks.map(({id, after}) => [id, after]),
    [
      ['t3', []],
      ['t2', ['t3']],
      ['t1', ['t3', 't2']],
    ],
  );
});
