import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  type Decision,
  selectConversation,
  selectRun,
  selectSession,
  type SessionId,
} from '../../source/domain/index.ts';
import {conclude, type Harness, report, userCommand} from './support/harness.ts';
import {getPlan, plannedTask} from './support/samples.ts';
import {getTypes, runToExit, startSession, thinking} from './support/stages.ts';

const text = 'No conversation found.';

/** The planner that thinks now. */
function planner(harness: Harness): SessionId {
  const step = selectRun(harness.state, 'r1')!.rounds.at(-1)!.step;
  assert.ok(step.at === 'thinking');
  return step.session;
}

function goesOnWith(harness: Harness): string | undefined {
  return selectConversation(harness.state, selectSession(harness.state, planner(harness))!);
}

/** It says which conversation it has, and hands in a plan. */
function plan(harness: Harness, conversation: string): void {
  const session = planner(harness);
  startSession(harness, session);
  report(harness, {type: 'conversation-known', session, conversation});
  report(harness, {type: 'session-exited', session, code: 0, signal: null});
  const round = selectRun(harness.state, 'r1')!.rounds.length;
  conclude(harness, 'read-plan', {
    type: 'plan-received',
    run: 'r1',
    round,
    plan: getPlan(plannedTask('t1')),
    hash: `plan-${round}`,
    tree: 'tree-base',
  });
}

function reject(harness: Harness): Decision {
  const stage = selectRun(harness.state, 'r1')!.stage;
  return userCommand(harness, {
    type: 'reject-plan',
    run: 'r1',
    plan: stage.at === 'reviewing' ? stage.proposal.hash : '',
    reason: 'no',
  });
}

function lose(harness: Harness): Decision {
  const session = planner(harness);
  runToExit(harness, session, 1);
  return conclude(harness, 'read-plan', {type: 'conversation-lost', session, words: text});
}

test('a rejected plan is planned again in the same conversation, however often', () => {
  const harness = thinking();
  assert.equal(goesOnWith(harness), undefined);
  plan(harness, 'c1');
  assert.deepEqual(getTypes(reject(harness)), [
    'plan-rejected',
    'planning-started',
    'session-asked',
  ]);
  assert.equal(goesOnWith(harness), 'c1');
  plan(harness, 'c1');
  reject(harness);
  assert.equal(goesOnWith(harness), 'c1');
});

test('so is what was no plan, and what was interrupted', () => {
  const harness = thinking();
  report(harness, {type: 'conversation-known', session: 's1', conversation: 'c1'});
  runToExit(harness, 's1');
  conclude(harness, 'read-plan', {type: 'plan-invalid', run: 'r1', round: 1, problems: ['no']});
  assert.equal(goesOnWith(harness), 'c1');
  startSession(harness, 's2');
  report(harness, {type: 'session-lost', session: 's2', why: 'killed'});
  assert.equal(goesOnWith(harness), 'c1');
});

test('a lost conversation restarts in the same round, once; the second time planning fails', () => {
  const harness = thinking();
  plan(harness, 'c1');
  reject(harness);
  assert.deepEqual(getTypes(lose(harness)), ['conversation-lost', 'session-asked']);
  assert.deepEqual(
    [goesOnWith(harness), selectRun(harness.state, 'r1')!.rounds.at(-1)!.interruptions],
    [undefined, 0],
  );
  startSession(harness, 's3');
  report(harness, {type: 'conversation-known', session: 's3', conversation: 'c2'});
  report(harness, {type: 'session-lost', session: 's3', why: 'killed'});
  assert.equal(goesOnWith(harness), 'c2');
  assert.deepEqual(getTypes(lose(harness)), ['planner-failed']);
});

test('a session without a conversation cannot lose one', () => {
  const harness = thinking();
  assert.deepEqual(getTypes(lose(harness)), ['planner-failed']);
});

/** How planning failed, and whether the next one goes on with that conversation. */
const failures: readonly (readonly [
  name: string,
  fail: (harness: Harness) => void,
  goesOn: boolean,
])[] = [
  [
    'no plan twice',
    (harness) => {
      for (const session of ['s1', 's2'] as const) {
        runToExit(harness, session);
        conclude(harness, 'read-plan', {
          type: 'plan-invalid',
          run: 'r1',
          round: 1,
          problems: ['no'],
        });
      }
    },
    true,
  ],
  [
    'no progress',
    (harness) => {
      startSession(harness, 's1');
      report(harness, {type: 'no-progress', session: 's1', silentFor: 60_000, limit: 60_000});
      report(harness, {type: 'session-exited', session: 's1', code: null, signal: 'SIGTERM'});
    },
    true,
  ],
  [
    'a failure',
    (harness) => {
      runToExit(harness, 's1', 1);
      conclude(harness, 'read-plan', {
        type: 'planner-failed',
        run: 'r1',
        round: 1,
        words: 'too long',
      });
    },
    false,
  ],
  [
    'files that it changed',
    (harness) => {
      runToExit(harness, 's1');
      conclude(harness, 'read-plan', {type: 'planner-wrote', run: 'r1', round: 1, paths: ['x']});
    },
    false,
  ],
];

for (const [name, fail, goesOn] of failures) {
  test(`asked again after ${name}, it ${goesOn ? 'goes on' : 'begins anew'}`, () => {
    const harness = thinking();
    report(harness, {type: 'conversation-known', session: 's1', conversation: 'c1'});
    fail(harness);
    userCommand(harness, {type: 'plan-again', run: 'r1'});
    assert.equal(goesOnWith(harness), goesOn ? 'c1' : undefined);
    // What began anew has a conversation of its own, which goes on.
    plan(harness, 'c2');
    reject(harness);
    assert.equal(goesOnWith(harness), 'c2');
  });
}
