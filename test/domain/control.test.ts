import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  selectAttempt,
  selectNeeds,
  selectRuns,
  selectTask,
  wanted,
} from '../../source/domain/index.ts';
import {
  conclude,
  createHarness,
  type Harness,
  report,
  userCommand,
  wantedKeys,
} from './support/harness.ts';
import {change, green, passed, plannedTask, request} from './support/samples.ts';
import {
  atWork,
  buildMerge,
  check,
  getTypes,
  makeWorktree,
  mergeTask,
  runToExit,
  sessionOfTask,
  startSession,
  surveyed,
  thinking,
  validate,
  work,
  working,
} from './support/stages.ts';

const t1 = 'r1.t1';

function kill(harness: Harness, session: `s${number}`): string[] {
  return getTypes(
    report(harness, {type: 'session-exited', session, code: null, signal: 'SIGTERM'}),
  );
}

test("a person's stop of a task ends its process and stands until a person resumes it", () => {
  const harness = atWork();
  userCommand(harness, {type: 'stop', what: t1, reason: 'wrong way'});
  assert.deepEqual(wantedKeys(harness), ['s2/stop']);
  assert.deepEqual(kill(harness, 's2'), ['session-exited']);
  report(harness, {type: 'daemon-started', build: 'test'});
  report(harness, {type: 'time-passed'});
  assert.deepEqual(wantedKeys(harness), [], 'not even a restart brings it back');
  assert.deepEqual(selectNeeds(harness.state), [], 'what a person stopped is no need');
  assert.deepEqual(getTypes(userCommand(harness, {type: 'resume', what: t1})), [
    'task-resumed',
    'session-asked',
  ]);
  assert.deepEqual(
    [
      selectAttempt(selectTask(harness.state, t1)!)?.number,
      selectAttempt(selectTask(harness.state, t1)!)?.interruptions,
    ],
    [1, 0],
    'it cost neither a try nor an interruption',
  );
});

test('resumed before its process has ended, it waits for that end before it starts another', () => {
  const harness = atWork();
  userCommand(harness, {type: 'stop', what: t1});
  assert.deepEqual(getTypes(userCommand(harness, {type: 'resume', what: t1})), ['task-resumed']);
  assert.deepEqual(wantedKeys(harness), ['s2/stop']);
  assert.deepEqual(kill(harness, 's2'), ['session-exited', 'session-asked']);
});

test('work that had ended before the stop is not done again', () => {
  const harness = atWork();
  report(harness, {type: 'session-exited', session: 's2', code: 0, signal: null});
  userCommand(harness, {type: 'stop', what: t1});
  userCommand(harness, {type: 'resume', what: t1});
  assert.deepEqual(wantedKeys(harness), ['r1.t1.a1/read-outcome/s2']);
});

test('a stop of a run covers its planner and all its tasks', () => {
  const planning = thinking();
  startSession(planning, 's1');
  userCommand(planning, {type: 'stop', what: 'r1'});
  assert.deepEqual(wantedKeys(planning), ['s1/stop']);
  assert.deepEqual(kill(planning, 's1'), ['session-exited']);
  assert.deepEqual(getTypes(userCommand(planning, {type: 'resume', what: 'r1'})), [
    'run-resumed',
    'session-asked',
  ]);

  const harness = atWork();
  userCommand(harness, {type: 'stop', what: 'r1'});
  assert.deepEqual(wantedKeys(harness), ['s2/stop']);
});

test('a stop of a session is a stop of what it works for', () => {
  const harness = atWork();
  assert.deepEqual(getTypes(userCommand(harness, {type: 'stop', what: 's2'})), ['task-held']);
  const planning = thinking();
  startSession(planning, 's1');
  assert.deepEqual(getTypes(userCommand(planning, {type: 'stop', what: 's1'})), ['run-held']);
});

test("a person's own session ends when they say so, and only then", () => {
  const harness = surveyed();
  userCommand(harness, {type: 'start-session', name: 'shell', command: ['bash'], directory: '/'});
  startSession(harness, 's1');
  assert.deepEqual(getTypes(userCommand(harness, {type: 'stop', what: 's1'})), [
    'session-stop-asked',
  ]);
  assert.ok(wantedKeys(harness).includes('s1/stop'));
  assert.match(
    userCommand(harness, {type: 'stop', what: 's1'}).refused ?? '',
    /already being stopped/,
  );
});

test('a person takes a task over in its worktree, and what they hand back is validated like any other attempt', () => {
  const harness = atWork();
  assert.deepEqual(getTypes(userCommand(harness, {type: 'take-over', task: t1})), [
    'task-taken-over',
  ]);
  assert.deepEqual(wantedKeys(harness), ['s2/stop'], 'the agent leaves first');
  assert.deepEqual(kill(harness, 's2'), ['session-exited', 'session-asked']);
  startSession(harness, 's3');
  assert.match(
    userCommand(harness, {type: 'take-over', task: t1}).refused ?? '',
    /you already took over r1.t1/,
  );
  assert.deepEqual(getTypes(userCommand(harness, {type: 'hand-back', task: t1})), [
    'task-handed-back',
  ]);
  assert.deepEqual(
    wantedKeys(harness),
    ['s3/stop'],
    'nothing is captured while somebody may still write',
  );
  kill(harness, 's3');
  conclude(harness, 'capture', {type: 'change-captured', task: t1, attempt: 2, change});
  conclude(harness, 'judge', {
    type: 'change-judged',
    task: t1,
    attempt: 2,
    judgement: {...green, outside: ['x']},
  });
  assert.deepEqual(
    selectAttempt(selectTask(harness.state, t1)!)?.repairs,
    {kind: 'scope', paths: ['x']},
    'the agent still has its tries, and repairs it',
  );
});

test('a takeover whose process ended can be taken up again', () => {
  const harness = atWork();
  userCommand(harness, {type: 'take-over', task: t1});
  kill(harness, 's2');
  runToExit(harness, 's3');
  assert.deepEqual(getTypes(userCommand(harness, {type: 'take-over', task: t1})), [
    'task-taken-over',
    'session-asked',
  ]);
});

test('a reset gives the agent a fresh context in the same worktree under the same attempt', () => {
  const harness = atWork();
  userCommand(harness, {type: 'reset-task', task: t1});
  assert.deepEqual(kill(harness, 's2'), ['session-exited', 'session-asked']);
  assert.deepEqual(selectAttempt(selectTask(harness.state, t1)!), {
    number: 1,
    by: 'agent',
    interruptions: 0,
    context: 2,
    step: {at: 'working', session: 's3'},
  });
});

test('work that is being validated is not reset', () => {
  const harness = working();
  makeWorktree(harness, t1);
  work(harness, t1);
  assert.match(
    userCommand(harness, {type: 'reset-task', task: t1}).refused ?? '',
    /no agent works on/,
  );
});

test('a discarded task ends its process, then its worktree goes; what needed it goes with it', () => {
  const harness = working([
    plannedTask('t1'),
    plannedTask('t2', {after: ['t1']}),
    plannedTask('t3', {after: ['t2']}),
  ]);
  makeWorktree(harness, t1);
  startSession(harness, 's2');
  assert.deepEqual(getTypes(userCommand(harness, {type: 'discard', what: t1})), [
    'task-discarded',
    'task-discarded',
    'task-discarded',
  ]);
  assert.deepEqual(selectTask(harness.state, 'r1.t3')!.stage, {
    at: 'discarded',
    why: {kind: 'needs', task: 'r1.t2'},
    since: harness.time,
  });
  assert.deepEqual(wantedKeys(harness), ['s2/stop', 'r1.t1/summary-1']);
  kill(harness, 's2');
  assert.ok(wantedKeys(harness).includes('r1.t1/remove'));
  assert.deepEqual(
    selectNeeds(harness.state).map(({kind}) => kind),
    ['nothing-left'],
  );
});

test('merged work is not discarded by itself, nor what is being published', () => {
  const harness = working([plannedTask('t1'), plannedTask('t2')]);
  validate(harness, t1);
  mergeTask(harness, t1);
  assert.match(
    userCommand(harness, {type: 'discard', what: t1}).refused ?? '',
    /is already merged into the run/,
  );
  validate(harness, 'r1.t2');
  buildMerge(harness, 'r1.t2');
  check(harness, 'r1.t2', passed('test'));
  check(harness, 'r1.t2', passed('build'));
  assert.match(
    userCommand(harness, {type: 'discard', what: 'r1.t2'}).refused ?? '',
    /is being merged; wait for the result/,
  );
  report(
    harness,
    {type: 'effect-failed', words: 'index.lock exists'},
    'r1.t2/publish-merge/merge-r1.t2',
  );
  assert.equal(
    userCommand(harness, {type: 'discard', what: 'r1.t2'}).refused,
    undefined,
    'a publication that failed for certain is no obstacle',
  );
});

test('a discarded run stops everything and lets its worktrees go', () => {
  const harness = atWork();
  userCommand(harness, {type: 'discard', what: 'r1'});
  assert.deepEqual(wantedKeys(harness), [
    's2/stop',
    'r1.t1/summary-1',
    'r1/summary-1',
    'r1.plan/remove',
  ]);
  kill(harness, 's2');
  assert.ok(wantedKeys(harness).includes('r1.t1/remove'));
  assert.match(
    userCommand(harness, {type: 'discard', what: 'r1'}).refused ?? '',
    /is over: discarded/,
  );
});

test('tampering with the repository parks the run before anything else touches it', () => {
  const harness = atWork();
  assert.deepEqual(
    getTypes(report(harness, {type: 'tampering-found', run: 'r1', paths: ['.git/config']})),
    ['run-parked'],
  );
  assert.deepEqual(wantedKeys(harness), ['s2/stop']);
  assert.deepEqual(
    selectNeeds(harness.state).map((need) => need.kind === 'parked' && need.why),
    [{kind: 'tampering', paths: ['.git/config']}],
  );
});

test('a daemon that crashes three times under one effect parks that run, and the other run goes on', () => {
  const harness = createHarness();
  userCommand(harness, {type: 'start-run', request, budget: {}});
  userCommand(harness, {type: 'start-run', request, budget: {}});
  const effect = 'r1/survey';
  for (let crash = 0; crash < 3; crash++) {
    assert.ok(wanted(harness.state).some(({key}) => key === effect));
    report(harness, {type: 'effect-begun', effect}, effect);
    report(harness, {type: 'daemon-started', build: 'test'});
  }

  const [first, second] = selectRuns(harness.state);
  assert.deepEqual(first?.parked?.why, {kind: 'crashing', effect, times: 3});
  assert.deepEqual(
    wanted(harness.state).map(({key}) => key),
    ['r2/survey'],
  );
  assert.equal(second?.parked, undefined);
});

test('a daemon that stops and starts again on purpose counts as no crash', () => {
  const harness = createHarness();
  userCommand(harness, {type: 'start-run', request, budget: {}});
  for (let times = 0; times < 5; times++) {
    report(harness, {type: 'effect-begun', effect: 'r1/survey'}, 'r1/survey');
    report(harness, {type: 'daemon-stopping'});
    report(harness, {type: 'daemon-started', build: 'test'});
  }

  assert.deepEqual(harness.state.crashes, []);
  assert.equal(selectRuns(harness.state)[0]?.parked, undefined);
});

test('a task that a person took over is handed back, not resumed; one that stopped is granted a try, not resumed', () => {
  const harness = atWork();
  userCommand(harness, {type: 'take-over', task: t1});
  assert.match(userCommand(harness, {type: 'resume', what: t1}).refused ?? '', /hand it back/);
  const stopped = atWork();
  report(stopped, {
    type: 'no-progress',
    session: sessionOfTask(stopped, t1),
    silentFor: 2,
    limit: 1,
  });
  assert.match(userCommand(stopped, {type: 'resume', what: t1}).refused ?? '', /grant one more/);
});
