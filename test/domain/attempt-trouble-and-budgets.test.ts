import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectNeeds, selectTask} from '../../source/domain/index.ts';
import {conclude, report, userCommand, wantedKeys} from './support/harness.ts';
import {change, failed, passed, plannedTask} from './support/samples.ts';
import {
  check,
  getTypes,
  makeWorktree,
  runToExit,
  startSession,
  work,
  working,
} from './support/stages.ts';
import {attempting, attemptUnderWay, getStop, agentFails} from './support/attempts.ts';

const t1 = 'r1.t1';

test('a check whose command is missing is trouble for a person, not a failure of the change', () => {
  const harness = attempting();
  work(harness, t1);
  assert.deepEqual(getTypes(check(harness, t1, {...failed('test'), outcome: 'broken'})), [
    'check-finished',
    'trouble-met',
  ]);
  assert.deepEqual(
    selectNeeds(harness.state).map((need) => need.kind === 'trouble' && need.why),
    [{kind: 'broken-check', name: 'test'}],
  );
  assert.deepEqual(wantedKeys(harness), []);
  assert.deepEqual(getTypes(userCommand(harness, {type: 'resume', what: t1})), [
    'task-resumed',
    'session-asked',
  ]);
  check(harness, t1, passed('test'));
  assert.equal(attemptUnderWay(harness).number, 1);
});

test('an overloaded model is waited for, and the attempt goes on', () => {
  const harness = attempting();
  runToExit(harness, 's2', 1);
  conclude(harness, 'read-outcome', {
    type: 'attempt-paused',
    task: t1,
    attempt: 1,
    until: harness.time + 60_000,
    words: 'overloaded',
  });
  const [effect] = wantedKeys(harness);
  assert.match(effect!, /^r1\.t1\.a1\/pause\//);
  assert.deepEqual(getTypes(report(harness, {type: 'time-passed'}, effect)), [], 'too early');
  harness.time += 60_000;
  assert.deepEqual(getTypes(report(harness, {type: 'time-passed'}, effect)), [
    'pause-ended',
    'session-asked',
  ]);
  assert.equal(attemptUnderWay(harness).number, 1);
});

test('an agent without an account is trouble; once the person has logged in, the attempt starts over', () => {
  const harness = attempting();
  runToExit(harness, 's2', 1);
  conclude(harness, 'read-outcome', {type: 'agent-unavailable', words: 'no quota'});
  assert.deepEqual(wantedKeys(harness), []);
  assert.deepEqual(getTypes(userCommand(harness, {type: 'resume', what: t1})), [
    'task-resumed',
    'session-asked',
  ]);
});

test('an effect that fails is trouble, with its error text', () => {
  const harness = working();
  report(harness, {type: 'effect-failed', words: 'no space left on device'}, 'r1.t1/make');
  assert.deepEqual(selectTask(harness.state, t1)!.trouble?.why, {
    kind: 'effect',
    effect: 'r1.t1/make',
    words: 'no space left on device',
  });
  assert.deepEqual(wantedKeys(harness), []);
  userCommand(harness, {type: 'resume', what: t1});
  assert.deepEqual(wantedKeys(harness), ['r1.t1/make']);
});

test('setup runs in the worktree before the first attempt, and once', () => {
  const harness = working([plannedTask('t1')], {}, {setup: 'npm ci'});
  assert.deepEqual(getTypes(makeWorktree(harness, t1)), ['worktree-made', 'session-asked']);
  assert.deepEqual(getTypes(runToExit(harness, 's2')), [
    'session-exited',
    'setup-passed',
    'attempt-started',
    'session-asked',
  ]);
  agentFails(harness);
  assert.equal(
    harness.events.filter(
      (event) => event.type === 'session-asked' && event.purpose.for === 'setup',
    ).length,
    1,
  );
});

test('a setup that fails is trouble; an interrupted one runs again, three times', () => {
  const harness = working([plannedTask('t1')], {}, {setup: 'npm ci'});
  makeWorktree(harness, t1);
  for (const session of ['s2', 's3'] as const)
    assert.deepEqual(getTypes(report(harness, {type: 'session-lost', session, why: 'reboot'})), [
      'session-lost',
      'session-asked',
    ]);
  assert.deepEqual(
    getTypes(report(harness, {type: 'session-lost', session: 's4', why: 'reboot'})),
    ['session-lost', 'trouble-met'],
  );
  userCommand(harness, {type: 'resume', what: t1});
  assert.deepEqual(getTypes(runToExit(harness, 's5', 1)), ['session-exited', 'trouble-met']);
  assert.deepEqual(selectTask(harness.state, t1)!.trouble?.why, {kind: 'setup', code: 1});
  userCommand(harness, {type: 'resume', what: t1});
  assert.deepEqual(getTypes(runToExit(harness, 's6')), [
    'session-exited',
    'setup-passed',
    'attempt-started',
    'session-asked',
  ]);
});

test('a setup has as long as an attempt; one that never ends is trouble, and is stopped', () => {
  const harness = working([plannedTask('t1')], {attemptWallClock: 60_000}, {setup: 'npm ci'});
  makeWorktree(harness, t1);
  startSession(harness, 's2');
  const wait = wantedKeys(harness).find((key) => key.startsWith('r1.t1/setup-clock/s2'));
  assert.deepEqual(getTypes(report(harness, {type: 'time-passed'}, wait)), [], 'too early');
  harness.time += 60_000;
  assert.deepEqual(getTypes(report(harness, {type: 'time-passed'}, wait)), ['trouble-met']);
  assert.deepEqual(selectTask(harness.state, t1)!.trouble?.why, {
    kind: 'setup',
    code: null,
    limit: 60_000,
  });
  assert.deepEqual(wantedKeys(harness), ['s2/stop']);
});

test('a worktree that vanished is trouble; resumed, the task gets a new one and the attempt goes on', () => {
  const harness = attempting();
  startSession(harness, 's2');
  report(harness, {type: 'worktree-vanished', owner: t1});
  assert.deepEqual(wantedKeys(harness), ['s2/stop']);
  report(harness, {type: 'session-exited', session: 's2', code: null, signal: 'SIGTERM'});
  userCommand(harness, {type: 'resume', what: t1});
  assert.deepEqual(getTypes(makeWorktree(harness, t1)), [
    'worktree-made',
    'attempt-continued',
    'session-asked',
  ]);
  assert.equal(attemptUnderWay(harness).number, 1);
});

test('tokens beyond the budget of an attempt stop the task and explain', () => {
  const harness = attempting({attemptTokens: 1000});
  startSession(harness, 's2');
  assert.deepEqual(
    getTypes(
      report(harness, {type: 'usage-counted', session: 's2', usage: {input: 900, output: 50}}),
    ),
    ['usage-counted'],
  );
  assert.deepEqual(
    getTypes(
      report(harness, {type: 'usage-counted', session: 's2', usage: {input: 900, output: 100}}),
    ),
    ['usage-counted', 'task-stopped'],
  );
  assert.deepEqual(getStop(harness), {kind: 'budget', budget: 'tokens', used: 1000, limit: 1000});
  assert.ok(wantedKeys(harness).includes('s2/stop'));
});

test('an attempt beyond its wall clock stops the task, and a late clock does not', () => {
  const harness = attempting({attemptWallClock: 60_000});
  startSession(harness, 's2');
  const clock = 'r1.t1.a1/wall-clock/s2';
  assert.ok(wantedKeys(harness).includes(clock));
  assert.deepEqual(getTypes(report(harness, {type: 'time-passed'}, clock)), []);
  harness.time += 60_000;
  assert.deepEqual(getTypes(report(harness, {type: 'time-passed'}, clock)), ['task-stopped']);
  assert.match(report(harness, {type: 'time-passed'}, clock).refused ?? '', /is not wanted now/);
});

test('the time limit of an attempt pauses while it waits for a person, at its terminal or through its tools', () => {
  const harness = attempting({attemptWallClock: 60_000});
  startSession(harness, 's2');
  harness.time += 50_000;
  report(harness, {
    type: 'session-waiting',
    session: 's2',
    proof: 'proven',
    secret: false,
    question: 'Overwrite? [y/N]',
  });
  assert.ok(!wantedKeys(harness).some((key) => key.includes('wall-clock')));
  harness.time += 3_600_000;
  report(harness, {
    type: 'session-waiting',
    session: 's2',
    proof: 'proven',
    secret: false,
    question: 'Really? [y/N]',
  });
  harness.time += 3_600_000;
  assert.deepEqual(getTypes(report(harness, {type: 'session-moved-on', session: 's2'})), [
    'session-moved-on',
  ]);
  report(harness, {type: 'person-asked', session: 's2', question: 'Which one?'});
  harness.time += 1_000_000;
  userCommand(harness, {type: 'answer-question', session: 's2', number: 1, text: 'the first'});
  const clock = wantedKeys(harness).find((key) => key.includes('wall-clock')) ?? '';
  assert.match(clock, /^r1\.t1\.a1\/wall-clock\/s2\/\d+$/);
  harness.time += 5000;
  assert.deepEqual(getTypes(report(harness, {type: 'time-passed'}, clock)), []);
  harness.time += 10_000;
  assert.deepEqual(getTypes(report(harness, {type: 'time-passed'}, clock)), ['task-stopped']);
  const stopped = getStop(harness);
  assert.ok(
    stopped?.kind === 'budget' &&
      stopped.budget === 'wall-clock' &&
      stopped.used >= 60_000 &&
      stopped.used < 70_000,
    JSON.stringify(stopped),
  );
});

test('no progress stops the task and explains', () => {
  const harness = attempting();
  startSession(harness, 's2');
  assert.deepEqual(
    getTypes(
      report(harness, {type: 'no-progress', session: 's2', silentFor: 700_000, limit: 600_000}),
    ),
    ['task-stopped'],
  );
  assert.deepEqual(getStop(harness), {
    kind: 'budget',
    budget: 'no-progress',
    used: 700_000,
    limit: 600_000,
  });
});

test('tokens beyond the budget of the run halt all of it until a person extends it', () => {
  const harness = attempting({tokens: 1000});
  startSession(harness, 's2');
  assert.deepEqual(
    getTypes(
      report(harness, {type: 'usage-counted', session: 's2', usage: {input: 1500, output: 0}}),
    ),
    ['usage-counted', 'budget-exhausted'],
  );
  assert.deepEqual(wantedKeys(harness), ['s2/stop']);
  assert.deepEqual(
    selectNeeds(harness.state).map(({kind}) => kind),
    ['budget'],
  );
  report(harness, {type: 'session-exited', session: 's2', code: 0, signal: null});
  assert.match(userCommand(harness, {type: 'resume', what: 'r1'}).refused ?? '', /raise it/);
  assert.match(
    userCommand(harness, {type: 'extend-budget', run: 'r1', tokens: 900}).refused ?? '',
    /expected more than the current budget/,
  );
  assert.deepEqual(
    getTypes(userCommand(harness, {type: 'extend-budget', run: 'r1', tokens: 9000})),
    ['budget-extended', 'session-asked'],
  );
});

test('the wall clock of the run counts from the approval', () => {
  const harness = attempting({wallClock: 3_600_000});
  const clock = 'r1/wall-clock/3600000';
  harness.time += 3_600_000;
  assert.deepEqual(getTypes(report(harness, {type: 'time-passed'}, clock)), ['budget-exhausted']);
});

test('a late report of an effect that is no longer wanted changes nothing', () => {
  const harness = attempting();
  runToExit(harness, 's2');
  userCommand(harness, {type: 'stop', what: t1});
  const before = harness.state;
  const decision = report(
    harness,
    {type: 'agent-finished', task: t1, attempt: 1, words: 'Done.'},
    'r1.t1.a1/read-outcome/s2',
  );
  assert.match(decision.refused ?? '', /is not wanted now/);
  assert.equal(harness.state, before);
});

test('a report that does not belong to its effect is refused', () => {
  const harness = attempting();
  runToExit(harness, 's2');
  assert.match(
    report(
      harness,
      {type: 'change-captured', task: t1, attempt: 1, change},
      'r1.t1.a1/read-outcome/s2',
    ).refused ?? '',
    /concludes capture, not read-outcome/,
  );
  assert.match(
    report(harness, {type: 'agent-finished', task: t1, attempt: 1, words: ''}).refused ?? '',
    /concludes read-outcome, not an effect without a name/,
  );
});
