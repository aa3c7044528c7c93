import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  type Decision,
  selectAttempt,
  selectConversation,
  selectSession,
  selectTask,
  type SessionId,
} from '../../source/domain/index.ts';
import {type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {green, plannedTask} from './support/samples.ts';
import {
  getTypes,
  makeWorktree,
  runToExit,
  sessionOfTask,
  startSession,
  work,
  working,
} from './support/stages.ts';

const t1 = 'r1.t1';
const text = 'No conversation found.';

function attempting(): Harness {
  const harness = working([plannedTask('t1')]);
  makeWorktree(harness, t1);
  return harness;
}

/** The agent says which conversation it has, and is killed. */
function interrupt(harness: Harness, conversation: string): Decision {
  const session = sessionOfTask(harness, t1);
  startSession(harness, session);
  report(harness, {type: 'conversation-known', session, conversation});
  return report(harness, {type: 'session-lost', session, why: 'killed'});
}

/** The agent ends by itself and says that it has not the conversation. */
function lose(harness: Harness): Decision {
  const session = sessionOfTask(harness, t1);
  const {number} = selectAttempt(selectTask(harness.state, t1)!)!;
  runToExit(harness, session, 1);
  return report(
    harness,
    {type: 'conversation-lost', session, words: text},
    `${t1}.a${number}/read-outcome/${session}`,
  );
}

function goesOnWith(
  harness: Harness,
  session: SessionId = sessionOfTask(harness, t1),
): string | undefined {
  return selectConversation(harness.state, selectSession(harness.state, session)!);
}

test('a conversation goes on through crashes and repairs', () => {
  const harness = attempting();
  assert.equal(goesOnWith(harness), undefined);
  interrupt(harness, 'c1');
  assert.equal(goesOnWith(harness), 'c1');
  work(harness, t1, {...green, outside: ['README.md']});
  assert.deepEqual(
    [selectAttempt(selectTask(harness.state, t1)!)?.number, goesOnWith(harness)],
    [2, 'c1'],
  );
});

test('a lost conversation restarts under the same attempt: it costs no attempt and counts as no interruption', () => {
  const harness = attempting();
  interrupt(harness, 'c1');
  assert.deepEqual(getTypes(lose(harness)), ['conversation-lost', 'session-asked']);
  const {number, interruptions, step} = selectAttempt(selectTask(harness.state, t1)!)!;
  assert.deepEqual([number, interruptions, step], [1, 1, {at: 'working', session: 's4'}]);
  assert.equal(goesOnWith(harness), undefined);
  assert.equal(selectSession(harness.state, 's3')?.lostConversation, true);
  assert.deepEqual(wantedKeys(harness), ['s4/run']);
});

test('the restarted session has its own conversation, which continues', () => {
  const harness = attempting();
  interrupt(harness, 'c1');
  lose(harness);
  interrupt(harness, 'c2');
  assert.equal(goesOnWith(harness), 'c2');
});

test('an attempt restarts once; the second time is an ordinary failure', () => {
  const harness = attempting();
  interrupt(harness, 'c1');
  lose(harness);
  interrupt(harness, 'c2');
  assert.deepEqual(getTypes(lose(harness)), ['agent-failed', 'attempt-started', 'session-asked']);
  assert.deepEqual(selectAttempt(selectTask(harness.state, t1)!)?.repairs, {
    kind: 'agent',
    words: text,
  });
});

test('the next attempt may restart once, too', () => {
  const harness = attempting();
  interrupt(harness, 'c1');
  lose(harness);
  work(harness, t1, {...green, outside: ['README.md']});
  interrupt(harness, 'c2');
  assert.deepEqual(getTypes(lose(harness)), ['conversation-lost', 'session-asked']);
  assert.deepEqual(
    [selectAttempt(selectTask(harness.state, t1)!)?.number, goesOnWith(harness)],
    [2, undefined],
  );
});

test('a session without a conversation cannot lose one: it failed', () => {
  const harness = attempting();
  assert.deepEqual(getTypes(lose(harness)), ['agent-failed', 'attempt-started', 'session-asked']);
});

test('what it names itself is not what it was to go on with', () => {
  const harness = attempting();
  report(harness, {type: 'conversation-known', session: 's2', conversation: 'c1'});
  assert.equal(goesOnWith(harness), undefined);
  assert.deepEqual(getTypes(lose(harness)), ['agent-failed', 'attempt-started', 'session-asked']);
});

test('after a reset there is none to lose', () => {
  const harness = attempting();
  interrupt(harness, 'c1');
  userCommand(harness, {type: 'reset-task', task: t1});
  report(harness, {type: 'session-exited', session: 's3', code: null, signal: 'SIGTERM'});
  assert.equal(goesOnWith(harness), undefined);
  assert.deepEqual(getTypes(lose(harness)), ['agent-failed', 'attempt-started', 'session-asked']);
});

test('only who reads the outcome of an attempt says so, and not of a session that is over', () => {
  const harness = attempting();
  interrupt(harness, 'c1');
  const session = sessionOfTask(harness, t1);
  assert.match(
    report(harness, {type: 'conversation-lost', session, words: text}).refused ?? '',
    /concludes read-outcome or read-plan or run-session/,
  );
  lose(harness);
  assert.match(
    report(
      harness,
      {type: 'conversation-lost', session, words: text},
      `${t1}.a1/read-outcome/${session}`,
    ).refused ?? '',
    /is not wanted now/,
  );
});

test('a person who takes over gets another session in place of one that shows only that it is lost', () => {
  const harness = attempting();
  interrupt(harness, 'c1');
  userCommand(harness, {type: 'take-over', task: t1});
  report(harness, {type: 'session-exited', session: 's3', code: null, signal: 'SIGTERM'});
  const session = sessionOfTask(harness, t1);
  assert.equal(goesOnWith(harness), 'c1');
  startSession(harness, session);
  assert.deepEqual(
    getTypes(report(harness, {type: 'conversation-lost', session, words: text}, `${session}/run`)),
    ['conversation-lost'],
  );
  assert.deepEqual(
    getTypes(report(harness, {type: 'session-exited', session, code: 1, signal: null})),
    ['session-exited', 'session-asked'],
  );
  assert.notEqual(sessionOfTask(harness, t1), session);
  assert.equal(goesOnWith(harness), undefined);
  runToExit(harness, sessionOfTask(harness, t1), 1);
  assert.deepEqual(wantedKeys(harness), []);
});

test('taking over a task that never started loses no conversation', () => {
  const harness = attempting();
  userCommand(harness, {type: 'take-over', task: t1});
  report(harness, {type: 'session-exited', session: 's2', code: null, signal: 'SIGTERM'});
  const session = sessionOfTask(harness, t1);
  startSession(harness, session);
  assert.match(
    report(harness, {type: 'conversation-lost', session, words: text}, `${session}/run`).refused ??
      '',
    /had no conversation to lose/,
  );
});
