import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectAttempt, selectTask} from '../../source/domain/index.ts';
import {conclude, type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {plannedTask, rules} from './support/samples.ts';
import {
  approve,
  getTypes,
  makeWorktree,
  runToExit,
  sessionOfTask,
  startSession,
  working,
} from './support/stages.ts';

const t1 = 'r1.t1';

/** Both attempts are red, and the task has stopped. */
function stopped(): Harness {
  const harness = working([plannedTask('t1')]);
  makeWorktree(harness, t1);
  for (const attempt of [1, 2]) {
    runToExit(harness, sessionOfTask(harness, t1), 1);
    conclude(harness, 'read-outcome', {type: 'agent-failed', task: t1, attempt, words: 'exit 1'});
  }

  return harness;
}

function changeRules(harness: Harness): void {
  report(harness, {type: 'rules-changed', run: 'r1', rules: {...rules, hash: 'rules-2'}});
}

const getHint = (harness: Harness): string | undefined =>
  selectAttempt(selectTask(harness.state, t1)!)?.hint;

test('a hint that is given while the rules have voided the approval reaches the next attempt, and nothing begins before the plan is approved again', () => {
  const harness = stopped();
  changeRules(harness);
  assert.deepEqual(
    getTypes(userCommand(harness, {type: 'grant-attempt', task: t1, hint: 'look at the token'})),
    ['attempt-granted'],
  );
  assert.deepEqual(
    wantedKeys(harness).filter((key) => key.startsWith(t1) && !key.includes('summary')),
    [],
  );
  assert.deepEqual(getTypes(approve(harness)), [
    'plan-approved',
    'task-begun',
    'attempt-started',
    'session-asked',
  ]);
  assert.equal(getHint(harness), 'look at the token');
});

test('one that was given before they changed reaches it, too: whether its attempt had begun or not', () => {
  const harness = stopped();
  userCommand(harness, {type: 'grant-attempt', task: t1, hint: 'look at the token'});
  const session = sessionOfTask(harness, t1);
  startSession(harness, session);
  changeRules(harness);
  report(harness, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
  approve(harness);
  assert.deepEqual(
    [getHint(harness), selectAttempt(selectTask(harness.state, t1)!)?.number],
    ['look at the token', 3],
  );
});

test('a run whose plan was never approved grants nothing', () => {
  const harness = stopped();
  assert.match(
    userCommand(harness, {type: 'grant-attempt', task: 'r1.t9'}).refused ?? '',
    /there is no task/,
  );
});
