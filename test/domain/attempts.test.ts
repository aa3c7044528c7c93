import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  attemptOf,
  needsOf,
  taskOf,
  type Attempt,
  type Failure,
  type StopReason,
} from '../../source/domain/index.ts';
import {conclude, report, wantedKeys, wish, type House} from './support/house.ts';
import {change, failed, green, passed, plannedTask} from './support/samples.ts';
import {
  check,
  makeWorktree,
  runToExit,
  sessionOfTask,
  startSession,
  typesOf,
  validate,
  work,
  working,
} from './support/stages.ts';

const t1 = 'r1.t1';

function attempting(budget = {}, project = {}): House {
  const house = working([plannedTask('t1')], budget, project);
  makeWorktree(house, t1);
  return house;
}

function attemptUnderWay(house: House): Attempt {
  return attemptOf(taskOf(house.state, t1)!)!;
}

function stopOf(house: House): StopReason | undefined {
  const {stage} = taskOf(house.state, t1)!;
  return stage.at === 'stopped' ? stage.why : undefined;
}

test('the attempt is numbered in the journal before its process is asked for', () => {
  const house = working();
  assert.deepEqual(typesOf(makeWorktree(house, t1)), [
    'worktree-made',
    'attempt-started',
    'session-asked',
  ]);
  assert.deepEqual(wantedKeys(house), ['s2/run']);
});

test('work is read, captured, judged, checked in order and committed', () => {
  const house = attempting();
  runToExit(house, 's2');
  assert.deepEqual(wantedKeys(house), ['r1.t1.a1/read-outcome/s2']);
  conclude(house, 'read-outcome', {type: 'agent-finished', task: t1, attempt: 1, words: 'Done.'});
  assert.deepEqual(wantedKeys(house), ['r1.t1.a1/capture']);
  conclude(house, 'capture', {type: 'change-captured', task: t1, attempt: 1, change});
  assert.deepEqual(wantedKeys(house), ['r1.t1.a1/judge/tree-1']);
  conclude(house, 'judge', {type: 'change-judged', task: t1, attempt: 1, judgement: green});
  assert.deepEqual(wantedKeys(house), ['s3/run'], 'the first check');
  assert.deepEqual(typesOf(check(house, t1, passed('test', 'npm test'))), [
    'check-finished',
    'session-asked',
  ]);
  assert.deepEqual(typesOf(check(house, t1, passed('build'))), [
    'check-finished',
    'change-validated',
  ]);
  assert.deepEqual(wantedKeys(house), ['r1.t1.a1/commit/tree-1']);
  assert.deepEqual(
    typesOf(
      conclude(house, 'commit', {type: 'change-committed', task: t1, attempt: 1, commit: 'c1'}),
    ),
    ['change-committed', 'merge-begun'],
  );
});

test('the checks of the rules file come first, and win over the plan on the same name', () => {
  const house = attempting();
  work(house, t1);
  const purposes = house.events.flatMap((event) =>
    event.type === 'session-asked' && event.purpose.for === 'check' ? [event.purpose.check] : [],
  );
  assert.deepEqual(purposes, ['test']);
});

/** The ways in which an attempt is red, each with the command that makes it so. */
const reds: readonly [string, (house: House) => unknown, Failure][] = [
  [
    'a red check',
    (house) => {
      work(house, t1);
      check(house, t1, failed('test'));
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
    (house) => {
      work(house, t1);
      check(house, t1, passed('test'));
      check(house, t1, failed('build'));
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
    (house) => {
      work(house, t1);
      check(house, t1, {...failed('test'), outcome: 'timed-out'});
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
    (house) => {
      work(house, t1, {...green, outside: ['README.md']});
    },
    {kind: 'scope', paths: ['README.md']},
  ],
  [
    'a broken rule, the first in policy order',
    (house) => {
      work(house, t1, {
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
    (house) => {
      work(house, t1, {outside: ['a'], rules: [{number: '1.1', verdict: 'broken', detail: 'x'}]});
    },
    {kind: 'scope', paths: ['a']},
  ],
  [
    'nothing changed',
    (house) => {
      workWithout(house);
    },
    {kind: 'no-change'},
  ],
  [
    'nothing changed, because a write was denied',
    (house) => {
      workWithout(house, ['Write src/a.ts: not granted']);
    },
    {kind: 'no-change', denied: ['Write src/a.ts: not granted']},
  ],
  [
    'an agent that failed',
    (house) => {
      agentFails(house);
    },
    {kind: 'agent', words: 'exit 1'},
  ],
];

function workWithout(house: House, denied?: readonly string[]): void {
  const {number} = attemptUnderWay(house);
  runToExit(house, sessionOfTask(house, t1));
  conclude(house, 'read-outcome', {
    type: 'agent-finished',
    task: t1,
    attempt: number,
    words: 'Done.',
    ...(denied === undefined ? {} : {denied}),
  });
  conclude(house, 'capture', {
    type: 'change-captured',
    task: t1,
    attempt: number,
    change: {tree: 'tree-base', files: []},
  });
}

function agentFails(house: House): void {
  const {number} = attemptUnderWay(house);
  runToExit(house, sessionOfTask(house, t1), 1);
  conclude(house, 'read-outcome', {
    type: 'agent-failed',
    task: t1,
    attempt: number,
    words: 'exit 1',
  });
}

for (const [name, makeRed, failure] of reds) {
  test(`retry once, then stop and explain: ${name}`, () => {
    const house = attempting();
    makeRed(house);
    assert.deepEqual(attemptUnderWay(house), {
      number: 2,
      by: 'agent',
      repairs: failure,
      interruptions: 0,
      context: 1,
      step: {at: 'working', session: sessionOfTask(house, t1)},
    });
    makeRed(house);
    assert.deepEqual(stopOf(house), failure);
    assert.deepEqual(
      wantedKeys(house),
      ['r1.t1/summary-1'],
      'why it failed is written down, and nothing is tried any more',
    );
    assert.deepEqual(
      needsOf(house.state).map(({kind}) => kind),
      ['stopped'],
    );
  });
}

test('a repair that is green goes on as if it had been green at once', () => {
  const house = attempting();
  work(house, t1);
  check(house, t1, failed('test'));
  validate(house, t1);
  assert.equal(taskOf(house.state, t1)!.stage.at, 'merging');
});

test('a grant is one more attempt, with the hint, and not two', () => {
  const house = attempting();
  for (let times = 0; times < 2; times++) agentFails(house);
  assert.equal(taskOf(house.state, t1)!.stage.at, 'stopped');
  wish(house, {type: 'grant-attempt', task: t1, hint: 'look at the token'});
  assert.deepEqual(attemptUnderWay(house), {
    number: 3,
    by: 'agent',
    repairs: {kind: 'agent', words: 'exit 1'},
    hint: 'look at the token',
    interruptions: 0,
    context: 1,
    step: {at: 'working', session: 's4'},
  });
  agentFails(house);
  assert.deepEqual(stopOf(house), {kind: 'agent', words: 'exit 1'});
});

test('a task that has not stopped is granted nothing', () => {
  const house = attempting();
  assert.match(
    wish(house, {type: 'grant-attempt', task: t1}).refused ?? '',
    /r1\.t1 is attempting/,
  );
});

test('an agent that gives up stops the task at once: a repair would only be the same words again', () => {
  const house = attempting();
  runToExit(house, 's2', 1);
  assert.deepEqual(
    typesOf(
      conclude(house, 'read-outcome', {
        type: 'agent-gave-up',
        task: t1,
        attempt: 1,
        words: 'I cannot.',
      }),
    ),
    ['agent-gave-up', 'task-stopped'],
  );
  assert.deepEqual(stopOf(house), {kind: 'gave-up', words: 'I cannot.'});
});

for (const end of [
  {type: 'session-lost', why: 'its keeper was killed'},
  {type: 'session-exited', code: null, signal: 'SIGKILL'},
] as const) {
  test(`an interruption (${end.type}) goes on under the same number; the third stops the task`, () => {
    const house = attempting();
    for (const session of ['s2', 's3'] as const) {
      startSession(house, session);
      assert.deepEqual(typesOf(report(house, {...end, session})), [
        end.type,
        'attempt-interrupted',
        'session-asked',
      ]);
      assert.equal(attemptUnderWay(house).number, 1);
    }

    assert.deepEqual(typesOf(report(house, {...end, session: 's4'})), [
      end.type,
      'attempt-interrupted',
      'task-stopped',
    ]);
    assert.deepEqual(stopOf(house), {kind: 'interrupted', times: 3});
  });
}

test('interruptions neither spend nor grant the one retry', () => {
  const house = attempting();
  startSession(house, 's2');
  report(house, {type: 'session-lost', session: 's2', why: 'killed'});
  agentFails(house);
  assert.equal(attemptUnderWay(house).number, 2);
  startSession(house, sessionOfTask(house, t1));
  report(house, {type: 'session-lost', session: sessionOfTask(house, t1), why: 'killed'});
  assert.equal(attemptUnderWay(house).number, 2);
  agentFails(house);
  assert.deepEqual(stopOf(house), {kind: 'agent', words: 'exit 1'});
});

test('a check that was cut short runs again under the same attempt', () => {
  const house = attempting();
  work(house, t1);
  startSession(house, 's3');
  assert.deepEqual(typesOf(report(house, {type: 'session-lost', session: 's3', why: 'killed'})), [
    'session-lost',
    'attempt-interrupted',
    'session-asked',
  ]);
  assert.deepEqual(typesOf(check(house, t1, passed('test'))), ['check-finished', 'session-asked']);
  assert.equal(attemptUnderWay(house).interruptions, 1);
});

test('a check whose command is missing is trouble for a person, not a failure of the change', () => {
  const house = attempting();
  work(house, t1);
  assert.deepEqual(typesOf(check(house, t1, {...failed('test'), outcome: 'broken'})), [
    'check-finished',
    'trouble-met',
  ]);
  assert.deepEqual(
    needsOf(house.state).map((need) => need.kind === 'trouble' && need.why),
    [{kind: 'broken-check', name: 'test'}],
  );
  assert.deepEqual(wantedKeys(house), []);
  assert.deepEqual(typesOf(wish(house, {type: 'resume', what: t1})), [
    'task-resumed',
    'session-asked',
  ]);
  check(house, t1, passed('test'));
  assert.equal(attemptUnderWay(house).number, 1);
});

test('an overloaded model is waited for, and the attempt goes on', () => {
  const house = attempting();
  runToExit(house, 's2', 1);
  conclude(house, 'read-outcome', {
    type: 'attempt-paused',
    task: t1,
    attempt: 1,
    until: house.time + 60_000,
    words: 'overloaded',
  });
  const [effect] = wantedKeys(house);
  assert.match(effect!, /^r1\.t1\.a1\/pause\//);
  assert.deepEqual(typesOf(report(house, {type: 'time-passed'}, effect)), [], 'too early');
  house.time += 60_000;
  assert.deepEqual(typesOf(report(house, {type: 'time-passed'}, effect)), [
    'pause-ended',
    'session-asked',
  ]);
  assert.equal(attemptUnderWay(house).number, 1);
});

test('an agent without an account is trouble; after the person has seen to it, the attempt begins its work anew', () => {
  const house = attempting();
  runToExit(house, 's2', 1);
  conclude(house, 'read-outcome', {type: 'agent-unavailable', words: 'no quota'});
  assert.deepEqual(wantedKeys(house), []);
  assert.deepEqual(typesOf(wish(house, {type: 'resume', what: t1})), [
    'task-resumed',
    'session-asked',
  ]);
});

test('an effect that fails is trouble, named with its words', () => {
  const house = working();
  report(house, {type: 'effect-failed', words: 'no space left on device'}, 'r1.t1/make');
  assert.deepEqual(taskOf(house.state, t1)!.trouble?.why, {
    kind: 'effect',
    effect: 'r1.t1/make',
    words: 'no space left on device',
  });
  assert.deepEqual(wantedKeys(house), []);
  wish(house, {type: 'resume', what: t1});
  assert.deepEqual(wantedKeys(house), ['r1.t1/make']);
});

test('setup runs in the worktree before the first attempt, and once', () => {
  const house = working([plannedTask('t1')], {}, {setup: 'npm ci'});
  assert.deepEqual(typesOf(makeWorktree(house, t1)), ['worktree-made', 'session-asked']);
  assert.deepEqual(typesOf(runToExit(house, 's2')), [
    'session-exited',
    'setup-passed',
    'attempt-started',
    'session-asked',
  ]);
  agentFails(house);
  assert.equal(
    house.events.filter((event) => event.type === 'session-asked' && event.purpose.for === 'setup')
      .length,
    1,
  );
});

test('a setup that fails is trouble; one that is cut short is run again, three times', () => {
  const house = working([plannedTask('t1')], {}, {setup: 'npm ci'});
  makeWorktree(house, t1);
  for (const session of ['s2', 's3'] as const)
    assert.deepEqual(typesOf(report(house, {type: 'session-lost', session, why: 'reboot'})), [
      'session-lost',
      'session-asked',
    ]);
  assert.deepEqual(typesOf(report(house, {type: 'session-lost', session: 's4', why: 'reboot'})), [
    'session-lost',
    'trouble-met',
  ]);
  wish(house, {type: 'resume', what: t1});
  assert.deepEqual(typesOf(runToExit(house, 's5', 1)), ['session-exited', 'trouble-met']);
  assert.deepEqual(taskOf(house.state, t1)!.trouble?.why, {kind: 'setup', code: 1});
  wish(house, {type: 'resume', what: t1});
  assert.deepEqual(typesOf(runToExit(house, 's6')), [
    'session-exited',
    'setup-passed',
    'attempt-started',
    'session-asked',
  ]);
});

test('a setup has as long as an attempt; one that never ends is trouble, and is stopped', () => {
  const house = working([plannedTask('t1')], {attemptWallClock: 60_000}, {setup: 'npm ci'});
  makeWorktree(house, t1);
  startSession(house, 's2');
  const wait = wantedKeys(house).find((key) => key.startsWith('r1.t1/setup-clock/s2'));
  assert.deepEqual(typesOf(report(house, {type: 'time-passed'}, wait)), [], 'too early');
  house.time += 60_000;
  assert.deepEqual(typesOf(report(house, {type: 'time-passed'}, wait)), ['trouble-met']);
  assert.deepEqual(taskOf(house.state, t1)!.trouble?.why, {
    kind: 'setup',
    code: null,
    limit: 60_000,
  });
  assert.deepEqual(wantedKeys(house), ['s2/stop']);
});

test('a worktree that vanished is trouble; resumed, the task gets a new one and the attempt goes on', () => {
  const house = attempting();
  startSession(house, 's2');
  report(house, {type: 'worktree-vanished', owner: t1});
  assert.deepEqual(wantedKeys(house), ['s2/stop']);
  report(house, {type: 'session-exited', session: 's2', code: null, signal: 'SIGTERM'});
  wish(house, {type: 'resume', what: t1});
  assert.deepEqual(typesOf(makeWorktree(house, t1)), [
    'worktree-made',
    'attempt-continued',
    'session-asked',
  ]);
  assert.equal(attemptUnderWay(house).number, 1);
});

test('tokens beyond the budget of an attempt stop the task and explain', () => {
  const house = attempting({attemptTokens: 1000});
  startSession(house, 's2');
  assert.deepEqual(
    typesOf(report(house, {type: 'usage-counted', session: 's2', usage: {input: 900, output: 50}})),
    ['usage-counted'],
  );
  assert.deepEqual(
    typesOf(
      report(house, {type: 'usage-counted', session: 's2', usage: {input: 900, output: 100}}),
    ),
    ['usage-counted', 'task-stopped'],
  );
  assert.deepEqual(stopOf(house), {kind: 'budget', budget: 'tokens', used: 1000, limit: 1000});
  assert.ok(wantedKeys(house).includes('s2/stop'));
});

test('an attempt beyond its wall clock stops the task, and a late clock does not', () => {
  const house = attempting({attemptWallClock: 60_000});
  startSession(house, 's2');
  const clock = 'r1.t1.a1/wall-clock/s2';
  assert.ok(wantedKeys(house).includes(clock));
  assert.deepEqual(typesOf(report(house, {type: 'time-passed'}, clock)), []);
  house.time += 60_000;
  assert.deepEqual(typesOf(report(house, {type: 'time-passed'}, clock)), ['task-stopped']);
  assert.match(report(house, {type: 'time-passed'}, clock).refused ?? '', /is not wanted now/);
});

test('the clock of an attempt stands still while it waits for a person, at its terminal or through its tools', () => {
  const house = attempting({attemptWallClock: 60_000});
  startSession(house, 's2');
  house.time += 50_000;
  report(house, {
    type: 'session-waiting',
    session: 's2',
    proof: 'proven',
    secret: false,
    question: 'Overwrite? [y/N]',
  });
  assert.ok(!wantedKeys(house).some((key) => key.includes('wall-clock')));
  house.time += 3_600_000;
  report(house, {
    type: 'session-waiting',
    session: 's2',
    proof: 'proven',
    secret: false,
    question: 'Really? [y/N]',
  });
  house.time += 3_600_000;
  assert.deepEqual(typesOf(report(house, {type: 'session-moved-on', session: 's2'})), [
    'session-moved-on',
  ]);
  report(house, {type: 'person-asked', session: 's2', question: 'Which one?'});
  house.time += 1_000_000;
  wish(house, {type: 'answer-question', session: 's2', number: 1, text: 'the first'});
  const clock = wantedKeys(house).find((key) => key.includes('wall-clock')) ?? '';
  assert.match(clock, /^r1\.t1\.a1\/wall-clock\/s2\/\d+$/);
  house.time += 5000;
  assert.deepEqual(typesOf(report(house, {type: 'time-passed'}, clock)), []);
  house.time += 10_000;
  assert.deepEqual(typesOf(report(house, {type: 'time-passed'}, clock)), ['task-stopped']);
  const stopped = stopOf(house);
  assert.ok(
    stopped?.kind === 'budget' &&
      stopped.budget === 'wall-clock' &&
      stopped.used >= 60_000 &&
      stopped.used < 70_000,
    JSON.stringify(stopped),
  );
});

test('no progress stops the task and explains', () => {
  const house = attempting();
  startSession(house, 's2');
  assert.deepEqual(
    typesOf(
      report(house, {type: 'no-progress', session: 's2', silentFor: 700_000, limit: 600_000}),
    ),
    ['task-stopped'],
  );
  assert.deepEqual(stopOf(house), {
    kind: 'budget',
    budget: 'no-progress',
    used: 700_000,
    limit: 600_000,
  });
});

test('tokens beyond the budget of the run halt all of it until a person extends it', () => {
  const house = attempting({tokens: 1000});
  startSession(house, 's2');
  assert.deepEqual(
    typesOf(report(house, {type: 'usage-counted', session: 's2', usage: {input: 1500, output: 0}})),
    ['usage-counted', 'budget-exhausted'],
  );
  assert.deepEqual(wantedKeys(house), ['s2/stop']);
  assert.deepEqual(
    needsOf(house.state).map(({kind}) => kind),
    ['budget'],
  );
  report(house, {type: 'session-exited', session: 's2', code: 0, signal: null});
  assert.match(wish(house, {type: 'resume', what: 'r1'}).refused ?? '', /extend it/);
  assert.match(
    wish(house, {type: 'extend-budget', run: 'r1', tokens: 900}).refused ?? '',
    /extended to more than it is/,
  );
  assert.deepEqual(typesOf(wish(house, {type: 'extend-budget', run: 'r1', tokens: 9000})), [
    'budget-extended',
    'session-asked',
  ]);
});

test('the wall clock of the run counts from the approval', () => {
  const house = attempting({wallClock: 3_600_000});
  const clock = 'r1/wall-clock/3600000';
  house.time += 3_600_000;
  assert.deepEqual(typesOf(report(house, {type: 'time-passed'}, clock)), ['budget-exhausted']);
});

test('a late report of an effect that is no longer wanted changes nothing', () => {
  const house = attempting();
  runToExit(house, 's2');
  wish(house, {type: 'stop', what: t1});
  const before = house.state;
  const decision = report(
    house,
    {type: 'agent-finished', task: t1, attempt: 1, words: 'Done.'},
    'r1.t1.a1/read-outcome/s2',
  );
  assert.match(decision.refused ?? '', /is not wanted now/);
  assert.equal(house.state, before);
});

test('a report that does not belong to its effect is refused', () => {
  const house = attempting();
  runToExit(house, 's2');
  assert.match(
    report(
      house,
      {type: 'change-captured', task: t1, attempt: 1, change},
      'r1.t1.a1/read-outcome/s2',
    ).refused ?? '',
    /concludes capture, not read-outcome/,
  );
  assert.match(
    report(house, {type: 'agent-finished', task: t1, attempt: 1, words: ''}).refused ?? '',
    /concludes read-outcome, not an effect without a name/,
  );
});
