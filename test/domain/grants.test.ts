import assert from 'node:assert/strict';
import {test} from 'node:test';
import {attemptOf, taskOf} from '../../source/domain/index.ts';
import {conclude, report, wantedKeys, wish, type House} from './support/house.ts';
import {plannedTask, rules} from './support/samples.ts';
import {
  approve,
  makeWorktree,
  runToExit,
  sessionOfTask,
  startSession,
  typesOf,
  working,
} from './support/stages.ts';

const t1 = 'r1.t1';

/** Both attempts are red, and the task has stopped. */
function stopped(): House {
  const house = working([plannedTask('t1')]);
  makeWorktree(house, t1);
  for (const attempt of [1, 2]) {
    runToExit(house, sessionOfTask(house, t1), 1);
    conclude(house, 'read-outcome', {type: 'agent-failed', task: t1, attempt, words: 'exit 1'});
  }

  return house;
}

function changeRules(house: House): void {
  report(house, {type: 'rules-changed', run: 'r1', rules: {...rules, hash: 'rules-2'}});
}

const hintOf = (house: House): string | undefined => attemptOf(taskOf(house.state, t1)!)?.hint;

test('a hint that is given while the rules have voided the approval reaches the next attempt, and nothing begins before the plan is approved again', () => {
  const house = stopped();
  changeRules(house);
  assert.deepEqual(
    typesOf(wish(house, {type: 'grant-attempt', task: t1, hint: 'look at the token'})),
    ['attempt-granted'],
  );
  assert.deepEqual(
    wantedKeys(house).filter((key) => key.startsWith(t1) && !key.includes('summary')),
    [],
  );
  assert.deepEqual(typesOf(approve(house)), [
    'plan-approved',
    'task-begun',
    'attempt-started',
    'session-asked',
  ]);
  assert.equal(hintOf(house), 'look at the token');
});

test('one that was given before they changed reaches it, too: whether its attempt had begun or not', () => {
  const house = stopped();
  wish(house, {type: 'grant-attempt', task: t1, hint: 'look at the token'});
  const session = sessionOfTask(house, t1);
  startSession(house, session);
  changeRules(house);
  report(house, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
  approve(house);
  assert.deepEqual(
    [hintOf(house), attemptOf(taskOf(house.state, t1)!)?.number],
    ['look at the token', 3],
  );
});

test('a run whose plan was never approved grants nothing', () => {
  const house = stopped();
  assert.match(
    wish(house, {type: 'grant-attempt', task: 'r1.t9'}).refused ?? '',
    /there is no task/,
  );
});
