import assert from 'node:assert/strict';
import {test} from 'node:test';
import {describeEvent} from '../../../source/reports/index.ts';
import {type Event, eventTypes} from '../../../source/domain/index.ts';
import {runRandomHistory} from '../../domain/support/random-history.ts';

test('every event is described in one sanitised line', () => {
  const notified = new Set<string>();
  for (let seed = 1; seed <= 300; seed++) {
    for (const event of runRandomHistory(seed).harness.events) {
      const line = describeEvent(event);
      assert.match(line, /^[^\n\t\u0000-\u001F\u007F-\u009F]+$/, event.type);
      assert.doesNotMatch(line, /undefined|\[object|NaN/, `${event.type}: ${line}`);
      notified.add(event.type);
    }
  }

  assert.ok(
    notified.size > eventTypes.length * 0.9,
    `only ${notified.size} kinds of event happened`,
  );
});

const examples: readonly [Event, string][] = [
  [
    {
      type: 'attempt-failed',
      at: 1,
      task: 'r1.t1',
      attempt: 1,
      failure: {
        kind: 'check',
        name: 'test',
        code: 'TEST_FAILURE',
        on: 'change',
        firstFailure: 'token.test.js:7 expected 1, got 2',
      },
    },
    'r1.t1 try 1 failed: test failed: token.test.js:7 expected 1, got 2',
  ],
  [
    {
      type: 'task-stopped',
      at: 1,
      task: 'r1.t1',
      why: {kind: 'budget', budget: 'wall-clock', used: 61_000, limit: 60_000},
    },
    'r1.t1 stopped: it was not done after 60 s, the limit for a try',
  ],
  [
    {
      type: 'task-stopped',
      at: 1,
      task: 'r1.t1',
      why: {kind: 'budget', budget: 'wall-clock', used: 3_600_500, limit: 3_600_000},
    },
    'r1.t1 stopped: it was not done after 60 min, the limit for a try',
  ],
  [{type: 'plan-rejected', at: 1, run: 'r1', reason: ''}, 'you rejected the plan of r1'],
  [
    {
      type: 'variant-picked',
      at: 1,
      task: 'r1.t3',
      commit: '0123456789abcdef0123456789abcdef01234567',
    },
    'you picked r1.t3: 0123456789ab',
  ],
  [
    {type: 'task-discarded', at: 1, task: 'r1.t1', why: {kind: 'not-picked', task: 'r1.t3'}},
    'r1.t1 was discarded: r1.t3 was picked',
  ],
  [
    {type: 'intrusion-refused', at: 1, session: 's3', intent: 'approve-plan'},
    's3 tried to approve a plan; refused: only you can',
  ],
  [
    {
      type: 'session-waiting',
      at: 1,
      session: 's2',
      proof: 'proven',
      secret: true,
      question: 'Password:',
    },
    's2 waits for a secret: Password:',
  ],
  [
    {
      type: 'session-waiting',
      at: 1,
      session: 's2',
      proof: 'proven',
      secret: false,
      question: 'bash-5.2#',
      idle: true,
    },
    's2 is at its prompt: bash-5.2#',
  ],
];

for (const [event, line] of examples) {
  test(`${event.type} reads: ${line}`, () => {
    assert.equal(describeEvent(event), line);
  });
}

test('what an agent says cannot act on the terminal that shows it', () => {
  assert.equal(
    describeEvent({
      type: 'agent-gave-up',
      at: 1,
      task: 'r1.t1',
      attempt: 1,
      words: '\u001B]52;c;aGk=\u0007\nno',
    }),
    'the agent of r1.t1 gave up: \\u{1b}]52;c;aGk=\\u{7} no',
  );
});
