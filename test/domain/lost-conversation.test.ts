import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  attemptOf,
  conversationOf,
  sessionOf,
  taskOf,
  type Decision,
  type SessionId,
} from '../../source/domain/index.ts';
import {report, wantedKeys, wish, type House} from './support/house.ts';
import {green, plannedTask} from './support/samples.ts';
import {
  makeWorktree,
  runToExit,
  sessionOfTask,
  startSession,
  typesOf,
  work,
  working,
} from './support/stages.ts';

const t1 = 'r1.t1';
const words = 'No conversation found.';

function attempting(): House {
  const house = working([plannedTask('t1')]);
  makeWorktree(house, t1);
  return house;
}

/** The agent says which conversation it has, and is killed. */
function interrupt(house: House, conversation: string): Decision {
  const session = sessionOfTask(house, t1);
  startSession(house, session);
  report(house, {type: 'conversation-known', session, conversation});
  return report(house, {type: 'session-lost', session, why: 'killed'});
}

/** The agent ends by itself and says that it has not the conversation. */
function lose(house: House): Decision {
  const session = sessionOfTask(house, t1);
  const {number} = attemptOf(taskOf(house.state, t1)!)!;
  runToExit(house, session, 1);
  return report(
    house,
    {type: 'conversation-lost', session, words},
    `${t1}.a${number}/read-outcome/${session}`,
  );
}

function goesOnWith(
  house: House,
  session: SessionId = sessionOfTask(house, t1),
): string | undefined {
  return conversationOf(house.state, sessionOf(house.state, session)!);
}

test('a conversation goes on through crashes and repairs', () => {
  const house = attempting();
  assert.equal(goesOnWith(house), undefined);
  interrupt(house, 'c1');
  assert.equal(goesOnWith(house), 'c1');
  work(house, t1, {...green, outside: ['README.md']});
  assert.deepEqual([attemptOf(taskOf(house.state, t1)!)?.number, goesOnWith(house)], [2, 'c1']);
});

test('one that was lost begins anew under the same attempt: no try is spent, no interruption counted', () => {
  const house = attempting();
  interrupt(house, 'c1');
  assert.deepEqual(typesOf(lose(house)), ['conversation-lost', 'session-asked']);
  const {number, interruptions, step} = attemptOf(taskOf(house.state, t1)!)!;
  assert.deepEqual([number, interruptions, step], [1, 1, {at: 'working', session: 's4'}]);
  assert.equal(goesOnWith(house), undefined);
  assert.equal(sessionOf(house.state, 's3')?.lostConversation, true);
  assert.deepEqual(wantedKeys(house), ['s4/run']);
});

test('what has begun anew has a conversation of its own, which goes on', () => {
  const house = attempting();
  interrupt(house, 'c1');
  lose(house);
  interrupt(house, 'c2');
  assert.equal(goesOnWith(house), 'c2');
});

test('an attempt begins anew once; the second time is a failure like any other', () => {
  const house = attempting();
  interrupt(house, 'c1');
  lose(house);
  interrupt(house, 'c2');
  assert.deepEqual(typesOf(lose(house)), ['agent-failed', 'attempt-started', 'session-asked']);
  assert.deepEqual(attemptOf(taskOf(house.state, t1)!)?.repairs, {kind: 'agent', words});
});

test('the next attempt may begin anew, too', () => {
  const house = attempting();
  interrupt(house, 'c1');
  lose(house);
  work(house, t1, {...green, outside: ['README.md']});
  interrupt(house, 'c2');
  assert.deepEqual(typesOf(lose(house)), ['conversation-lost', 'session-asked']);
  assert.deepEqual(
    [attemptOf(taskOf(house.state, t1)!)?.number, goesOnWith(house)],
    [2, undefined],
  );
});

test('whoever had no conversation has none to lose: it failed', () => {
  const house = attempting();
  assert.deepEqual(typesOf(lose(house)), ['agent-failed', 'attempt-started', 'session-asked']);
});

test('what it names itself is not what it was to go on with', () => {
  const house = attempting();
  report(house, {type: 'conversation-known', session: 's2', conversation: 'c1'});
  assert.equal(goesOnWith(house), undefined);
  assert.deepEqual(typesOf(lose(house)), ['agent-failed', 'attempt-started', 'session-asked']);
});

test('after a reset there is none to lose', () => {
  const house = attempting();
  interrupt(house, 'c1');
  wish(house, {type: 'reset-task', task: t1});
  report(house, {type: 'session-exited', session: 's3', code: null, signal: 'SIGTERM'});
  assert.equal(goesOnWith(house), undefined);
  assert.deepEqual(typesOf(lose(house)), ['agent-failed', 'attempt-started', 'session-asked']);
});

test('only who reads the outcome of an attempt says so, and not of a session that is over', () => {
  const house = attempting();
  interrupt(house, 'c1');
  const session = sessionOfTask(house, t1);
  assert.match(
    report(house, {type: 'conversation-lost', session, words}).refused ?? '',
    /concludes read-outcome or read-plan or run-session/,
  );
  lose(house);
  assert.match(
    report(house, {type: 'conversation-lost', session, words}, `${t1}.a1/read-outcome/${session}`)
      .refused ?? '',
    /is not wanted now/,
  );
});

test('a person who takes over gets another session in place of one that shows only that it is lost', () => {
  const house = attempting();
  interrupt(house, 'c1');
  wish(house, {type: 'take-over', task: t1});
  report(house, {type: 'session-exited', session: 's3', code: null, signal: 'SIGTERM'});
  const session = sessionOfTask(house, t1);
  assert.equal(goesOnWith(house), 'c1');
  startSession(house, session);
  assert.deepEqual(
    typesOf(report(house, {type: 'conversation-lost', session, words}, `${session}/run`)),
    ['conversation-lost'],
  );
  assert.deepEqual(
    typesOf(report(house, {type: 'session-exited', session, code: 1, signal: null})),
    ['session-exited', 'session-asked'],
  );
  assert.notEqual(sessionOfTask(house, t1), session);
  assert.equal(goesOnWith(house), undefined);
  runToExit(house, sessionOfTask(house, t1), 1);
  assert.deepEqual(wantedKeys(house), []);
});

test('a person who takes over what was never begun has nothing that could be lost', () => {
  const house = attempting();
  wish(house, {type: 'take-over', task: t1});
  report(house, {type: 'session-exited', session: 's2', code: null, signal: 'SIGTERM'});
  const session = sessionOfTask(house, t1);
  startSession(house, session);
  assert.match(
    report(house, {type: 'conversation-lost', session, words}, `${session}/run`).refused ?? '',
    /had no conversation to lose/,
  );
});
