import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type Failure, selectNeeds, selectTask} from '../../source/domain/index.ts';
import {conclude, type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {change, failed, green, passed} from './support/samples.ts';
import {
  check,
  getTypes,
  makeWorktree,
  runToExit,
  sessionOfTask,
  startSession,
  validate,
  work,
  working,
} from './support/stages.ts';
import {attempting, attemptUnderWay, getStop, agentFails} from './support/attempts.ts';

const t1 = 'r1.t1';

test('the attempt is numbered in the journal before its process is asked for', () => {
  const harness = working();
  assert.deepEqual(getTypes(makeWorktree(harness, t1)), [
    'worktree-made',
    'attempt-started',
    'session-asked',
  ]);
  assert.deepEqual(wantedKeys(harness), ['s2/run']);
});

test('work is read, captured, judged, checked in order and committed', () => {
  const harness = attempting();
  runToExit(harness, 's2');
  assert.deepEqual(wantedKeys(harness), ['r1.t1.a1/read-outcome/s2']);
  conclude(harness, 'read-outcome', {type: 'agent-finished', task: t1, attempt: 1, words: 'Done.'});
  assert.deepEqual(wantedKeys(harness), ['r1.t1.a1/capture']);
  conclude(harness, 'capture', {type: 'change-captured', task: t1, attempt: 1, change});
  assert.deepEqual(wantedKeys(harness), ['r1.t1.a1/judge/tree-1']);
  conclude(harness, 'judge', {type: 'change-judged', task: t1, attempt: 1, judgement: green});
  assert.deepEqual(wantedKeys(harness), ['s3/run'], 'the first check');
  assert.deepEqual(getTypes(check(harness, t1, passed('test', 'npm test'))), [
    'check-finished',
    'session-asked',
  ]);
  assert.deepEqual(getTypes(check(harness, t1, passed('build'))), [
    'check-finished',
    'change-validated',
  ]);
  assert.deepEqual(wantedKeys(harness), ['r1.t1.a1/commit/tree-1']);
  assert.deepEqual(
    getTypes(
      conclude(harness, 'commit', {type: 'change-committed', task: t1, attempt: 1, commit: 'c1'}),
    ),
    ['change-committed', 'merge-begun'],
  );
});

test('the checks of the rules file come first, and win over the plan on the same name', () => {
  const harness = attempting();
  work(harness, t1);
  const purposes = harness.events.flatMap((event) =>
    event.type === 'session-asked' && event.purpose.for === 'check' ? [event.purpose.check] : [],
  );
  assert.deepEqual(purposes, ['test']);
});

/** The ways in which an attempt is red, each with the command that makes it so. */
const reds: readonly [string, (harness: Harness) => unknown, Failure][] = [
  [
    'a red check',
    (harness) => {
      work(harness, t1);
      check(harness, t1, failed('test'));
    },
    {
      kind: 'check',
      name: 'test',
      code: 'TEST_FAILURE',
      on: 'change',
      firstFailure: 'expected 1, got 2',
    },
  ],
  [
    'a red build after green tests',
    (harness) => {
      work(harness, t1);
      check(harness, t1, passed('test'));
      check(harness, t1, failed('build'));
    },
    {
      kind: 'check',
      name: 'build',
      code: 'BUILD_FAILURE',
      on: 'change',
      firstFailure: 'expected 1, got 2',
    },
  ],
  [
    'a check that hangs',
    (harness) => {
      work(harness, t1);
      check(harness, t1, {...failed('test'), outcome: 'timed-out'});
    },
    {
      kind: 'check',
      name: 'test',
      code: 'TEST_FAILURE',
      on: 'change',
      firstFailure: 'expected 1, got 2',
    },
  ],
  [
    'a file outside the plan',
    (harness) => {
      work(harness, t1, {...green, outside: ['README.md']});
    },
    {kind: 'scope', paths: ['README.md']},
  ],
  [
    'a broken rule, the first in policy order',
    (harness) => {
      work(harness, t1, {
        outside: [],
        rules: [
          {number: '1.1', verdict: 'kept'},
          {number: '2.1', verdict: 'broken', detail: '9 files'},
          {number: '3.1', verdict: 'broken', detail: 'x'},
        ],
      });
    },
    {kind: 'rule', number: '2.1', detail: '9 files'},
  ],
  [
    'scope before rules',
    (harness) => {
      work(harness, t1, {outside: ['a'], rules: [{number: '1.1', verdict: 'broken', detail: 'x'}]});
    },
    {kind: 'scope', paths: ['a']},
  ],
  [
    'nothing changed',
    (harness) => {
      workWithout(harness);
    },
    {kind: 'no-change'},
  ],
  [
    'nothing changed, because a write was denied',
    (harness) => {
      workWithout(harness, ['Write src/a.ts: not granted']);
    },
    {kind: 'no-change', denied: ['Write src/a.ts: not granted']},
  ],
  [
    'an agent that failed',
    (harness) => {
      agentFails(harness);
    },
    {kind: 'agent', words: 'exit 1'},
  ],
];

function workWithout(harness: Harness, denied?: readonly string[]): void {
  const {number} = attemptUnderWay(harness);
  runToExit(harness, sessionOfTask(harness, t1));
  conclude(harness, 'read-outcome', {
    type: 'agent-finished',
    task: t1,
    attempt: number,
    words: 'Done.',
    ...(denied === undefined ? {} : {denied}),
  });
  conclude(harness, 'capture', {
    type: 'change-captured',
    task: t1,
    attempt: number,
    change: {tree: 'tree-base', files: []},
  });
}

for (const [name, makeRed, failure] of reds) {
  test(`retry once, then stop and explain: ${name}`, () => {
    const harness = attempting();
    makeRed(harness);
    assert.deepEqual(attemptUnderWay(harness), {
      number: 2,
      by: 'agent',
      repairs: failure,
      interruptions: 0,
      context: 1,
      step: {at: 'working', session: sessionOfTask(harness, t1)},
    });
    makeRed(harness);
    assert.deepEqual(getStop(harness), failure);
    assert.deepEqual(
      wantedKeys(harness),
      ['r1.t1/summary-1'],
      'why it failed is written down, and nothing is tried any more',
    );
    assert.deepEqual(
      selectNeeds(harness.state).map(({kind}) => kind),
      ['stopped'],
    );
  });
}

test('a repair that is green goes on as if it had been green at once', () => {
  const harness = attempting();
  work(harness, t1);
  check(harness, t1, failed('test'));
  validate(harness, t1);
  assert.equal(selectTask(harness.state, t1)!.stage.at, 'merging');
});

test('a grant after interruptions of a repair still repairs the failure', () => {
  const harness = attempting();
  work(harness, t1);
  check(harness, t1, failed('test'));
  const {repairs} = attemptUnderWay(harness);
  assert.equal(repairs?.kind, 'check');
  for (let times = 0; times < 3; times++) {
    const session = sessionOfTask(harness, t1);
    startSession(harness, session);
    report(harness, {type: 'session-lost', session, why: 'its keeper is gone'});
  }

  assert.deepEqual(getStop(harness), {kind: 'interrupted', times: 3});
  userCommand(harness, {type: 'grant-attempt', task: t1});
  assert.deepEqual(
    [attemptUnderWay(harness).number, attemptUnderWay(harness).repairs],
    [3, repairs],
  );
});

test('a grant is one more attempt, with the hint, and not two', () => {
  const harness = attempting();
  for (let times = 0; times < 2; times++) agentFails(harness);
  assert.equal(selectTask(harness.state, t1)!.stage.at, 'stopped');
  userCommand(harness, {type: 'grant-attempt', task: t1, hint: 'look at the token'});
  assert.deepEqual(attemptUnderWay(harness), {
    number: 3,
    by: 'agent',
    repairs: {kind: 'agent', words: 'exit 1'},
    hint: 'look at the token',
    interruptions: 0,
    context: 1,
    step: {at: 'working', session: 's4'},
  });
  agentFails(harness);
  assert.deepEqual(getStop(harness), {kind: 'agent', words: 'exit 1'});
});

test('a task that has not stopped is granted nothing', () => {
  const harness = attempting();
  assert.match(
    userCommand(harness, {type: 'grant-attempt', task: t1}).refused ?? '',
    /r1\.t1 is attempting/,
  );
});

test('an agent that gives up stops the task at once, without a repair', () => {
  const harness = attempting();
  runToExit(harness, 's2', 1);
  assert.deepEqual(
    getTypes(
      conclude(harness, 'read-outcome', {
        type: 'agent-gave-up',
        task: t1,
        attempt: 1,
        words: 'I cannot.',
      }),
    ),
    ['agent-gave-up', 'task-stopped'],
  );
  assert.deepEqual(getStop(harness), {kind: 'gave-up', words: 'I cannot.'});
});

for (const end of [
  {type: 'session-lost', why: 'its keeper was killed'},
  {type: 'session-exited', code: null, signal: 'SIGKILL'},
] as const) {
  test(`an interruption (${end.type}) goes on under the same number; the third stops the task`, () => {
    const harness = attempting();
    for (const session of ['s2', 's3'] as const) {
      startSession(harness, session);
      assert.deepEqual(getTypes(report(harness, {...end, session})), [
        end.type,
        'attempt-interrupted',
        'session-asked',
      ]);
      assert.equal(attemptUnderWay(harness).number, 1);
    }

    assert.deepEqual(getTypes(report(harness, {...end, session: 's4'})), [
      end.type,
      'attempt-interrupted',
      'task-stopped',
    ]);
    assert.deepEqual(getStop(harness), {kind: 'interrupted', times: 3});
  });
}

test('interruptions neither spend nor grant the one retry', () => {
  const harness = attempting();
  startSession(harness, 's2');
  report(harness, {type: 'session-lost', session: 's2', why: 'killed'});
  agentFails(harness);
  assert.equal(attemptUnderWay(harness).number, 2);
  startSession(harness, sessionOfTask(harness, t1));
  report(harness, {type: 'session-lost', session: sessionOfTask(harness, t1), why: 'killed'});
  assert.equal(attemptUnderWay(harness).number, 2);
  agentFails(harness);
  assert.deepEqual(getStop(harness), {kind: 'agent', words: 'exit 1'});
});

test('an interrupted check runs again under the same attempt', () => {
  const harness = attempting();
  work(harness, t1);
  startSession(harness, 's3');
  assert.deepEqual(
    getTypes(report(harness, {type: 'session-lost', session: 's3', why: 'killed'})),
    ['session-lost', 'attempt-interrupted', 'session-asked'],
  );
  assert.deepEqual(getTypes(check(harness, t1, passed('test'))), [
    'check-finished',
    'session-asked',
  ]);
  assert.equal(attemptUnderWay(harness).interruptions, 1);
});
