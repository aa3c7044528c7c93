import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  conversationOf,
  runOf,
  sessionOf,
  type Decision,
  type SessionId,
} from '../../source/domain/index.ts';
import {conclude, report, wish, type House} from './support/house.ts';
import {planOf, plannedTask} from './support/samples.ts';
import {runToExit, startSession, thinking, typesOf} from './support/stages.ts';

const words = 'No conversation found.';

/** The planner that thinks now. */
function planner(house: House): SessionId {
  const step = runOf(house.state, 'r1')!.rounds.at(-1)!.step;
  assert.ok(step.at === 'thinking');
  return step.session;
}

function goesOnWith(house: House): string | undefined {
  return conversationOf(house.state, sessionOf(house.state, planner(house))!);
}

/** It says which conversation it has, and hands in a plan. */
function plan(house: House, conversation: string): void {
  const session = planner(house);
  startSession(house, session);
  report(house, {type: 'conversation-known', session, conversation});
  report(house, {type: 'session-exited', session, code: 0, signal: null});
  const round = runOf(house.state, 'r1')!.rounds.length;
  conclude(house, 'read-plan', {
    type: 'plan-received',
    run: 'r1',
    round,
    plan: planOf(plannedTask('t1')),
    hash: `plan-${round}`,
    tree: 'tree-base',
  });
}

function reject(house: House): Decision {
  const stage = runOf(house.state, 'r1')!.stage;
  return wish(house, {
    type: 'reject-plan',
    run: 'r1',
    plan: stage.at === 'reviewing' ? stage.proposal.hash : '',
    reason: 'no',
  });
}

function lose(house: House): Decision {
  const session = planner(house);
  runToExit(house, session, 1);
  return conclude(house, 'read-plan', {type: 'conversation-lost', session, words});
}

test('a rejected plan is planned again in the same conversation, however often', () => {
  const house = thinking();
  assert.equal(goesOnWith(house), undefined);
  plan(house, 'c1');
  assert.deepEqual(typesOf(reject(house)), ['plan-rejected', 'planning-started', 'session-asked']);
  assert.equal(goesOnWith(house), 'c1');
  plan(house, 'c1');
  reject(house);
  assert.equal(goesOnWith(house), 'c1');
});

test('so is what was no plan, and what was interrupted', () => {
  const house = thinking();
  report(house, {type: 'conversation-known', session: 's1', conversation: 'c1'});
  runToExit(house, 's1');
  conclude(house, 'read-plan', {type: 'plan-invalid', run: 'r1', round: 1, problems: ['no']});
  assert.equal(goesOnWith(house), 'c1');
  startSession(house, 's2');
  report(house, {type: 'session-lost', session: 's2', why: 'killed'});
  assert.equal(goesOnWith(house), 'c1');
});

test('a conversation that is lost begins anew in the same round, once; the second time planning has failed', () => {
  const house = thinking();
  plan(house, 'c1');
  reject(house);
  assert.deepEqual(typesOf(lose(house)), ['conversation-lost', 'session-asked']);
  assert.deepEqual(
    [goesOnWith(house), runOf(house.state, 'r1')!.rounds.at(-1)!.interruptions],
    [undefined, 0],
  );
  startSession(house, 's3');
  report(house, {type: 'conversation-known', session: 's3', conversation: 'c2'});
  report(house, {type: 'session-lost', session: 's3', why: 'killed'});
  assert.equal(goesOnWith(house), 'c2');
  assert.deepEqual(typesOf(lose(house)), ['planner-failed']);
});

test('whoever had none has none to lose', () => {
  const house = thinking();
  assert.deepEqual(typesOf(lose(house)), ['planner-failed']);
});

/** How planning failed, and whether the next one goes on with that conversation. */
const failures: readonly (readonly [
  name: string,
  fail: (house: House) => void,
  goesOn: boolean,
])[] = [
  [
    'no plan twice',
    (house) => {
      for (const session of ['s1', 's2'] as const) {
        runToExit(house, session);
        conclude(house, 'read-plan', {type: 'plan-invalid', run: 'r1', round: 1, problems: ['no']});
      }
    },
    true,
  ],
  [
    'no progress',
    (house) => {
      startSession(house, 's1');
      report(house, {type: 'no-progress', session: 's1', silentFor: 60_000, limit: 60_000});
      report(house, {type: 'session-exited', session: 's1', code: null, signal: 'SIGTERM'});
    },
    true,
  ],
  [
    'a failure',
    (house) => {
      runToExit(house, 's1', 1);
      conclude(house, 'read-plan', {
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
    (house) => {
      runToExit(house, 's1');
      conclude(house, 'read-plan', {type: 'planner-wrote', run: 'r1', round: 1, paths: ['x']});
    },
    false,
  ],
];

for (const [name, fail, goesOn] of failures) {
  test(`asked again after ${name}, it ${goesOn ? 'goes on' : 'begins anew'}`, () => {
    const house = thinking();
    report(house, {type: 'conversation-known', session: 's1', conversation: 'c1'});
    fail(house);
    wish(house, {type: 'plan-again', run: 'r1'});
    assert.equal(goesOnWith(house), goesOn ? 'c1' : undefined);
    // What began anew has a conversation of its own, which goes on.
    plan(house, 'c2');
    reject(house);
    assert.equal(goesOnWith(house), 'c2');
  });
}
