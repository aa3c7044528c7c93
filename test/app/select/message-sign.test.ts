import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectMessageSign} from '../../../source/app/select/message-sign.ts';
import {conclude, report, userCommand} from '../../domain/support/harness.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {makeWorktree, sessionOfTask, startSession, working} from '../../domain/support/stages.ts';

const task = 'r1.t1';

test('the foot of a pane shows what comes of the last message', () => {
  const harness = working([plannedTask('t1')], {}, undefined, {worker: 'claude'});
  makeWorktree(harness, task);
  startSession(harness, sessionOfTask(harness, task));
  const sign = (later = 0) => selectMessageSign(harness.state, task, harness.state.at + later);
  assert.equal(sign(), undefined);
  userCommand(harness, {type: 'message-task', task, text: 'Mind the tests.'});
  assert.deepEqual(sign(), {text: 'message on its way', isBad: false});
  report(harness, {type: 'message-held', task, number: 1, why: 'draft'}, 'r1.t1/message-1');
  assert.deepEqual(sign(), {text: 'message waits for your unfinished text', isBad: false});
  conclude(harness, 'deliver-message', {
    type: 'message-delivered',
    task,
    number: 1,
    session: sessionOfTask(harness, task),
    how: 'typed',
  });
  assert.deepEqual(sign(), {text: 'message delivered', isBad: false});
  assert.equal(sign(120_000), undefined);
  userCommand(harness, {type: 'message-task', task, text: 'Use tabs.'});
  conclude(harness, 'deliver-message', {
    type: 'message-failed',
    task,
    number: 2,
    why: 'it is uncertain',
  });
  assert.deepEqual(sign(120_000), {text: 'message not delivered', isBad: true});
});
