import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  type Decision,
  type Limits,
  selectAttempt,
  selectNeeds,
  selectTask,
  type TroubleReason,
} from '../../source/domain/index.ts';
import {conclude, type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {plannedTask} from './support/samples.ts';
import {
  getTypes,
  makeWorktree,
  runToExit,
  sessionOfTask,
  startSession,
  working,
} from './support/stages.ts';

const t1 = 'r1.t1';
const second = 1000;
const minute = 60 * second;

function attempting(limits: Partial<Limits> = {}): Harness {
  const harness = working([plannedTask('t1')], {}, {limits: {workers: 2, runs: 1, ...limits}});
  makeWorktree(harness, t1);
  return harness;
}

/** The agent ends, and its service wants to be left alone until then. */
function putOff(harness: Harness, until: number): Decision {
  runToExit(harness, sessionOfTask(harness, t1), 1);
  return conclude(harness, 'read-outcome', {
    type: 'attempt-paused',
    task: t1,
    attempt: 1,
    until,
    words: 'overloaded',
  });
}

/** How long the pause under way is; nothing when a person was asked instead. */
function getPause(harness: Harness): number | undefined {
  const step = selectAttempt(selectTask(harness.state, t1)!)!.step;
  return step.at === 'pausing' ? step.until - harness.time : undefined;
}

function waitOut(harness: Harness): Decision {
  const [effect] = wantedKeys(harness);
  harness.time += getPause(harness) ?? 0;
  return report(harness, {type: 'time-passed'}, effect);
}

function getTrouble(harness: Harness): TroubleReason | undefined {
  return selectTask(harness.state, t1)!.trouble?.why;
}

for (const [name, until] of [
  ['now', (at: number) => at],
  ['the past', () => 0],
  ['no time', () => Number.NaN],
  ['a negative time', () => -1e300],
  ['minus infinity', () => Number.NEGATIVE_INFINITY],
] as const) {
  test(`a pause until ${name} is 30 s long, and each further one twice as long`, () => {
    const harness = attempting();
    const pauses: (number | undefined)[] = [];
    for (let times = 0; times < 5; times++) {
      putOff(harness, until(harness.time));
      pauses.push(getPause(harness));
      assert.deepEqual(getTypes(waitOut(harness)), ['pause-ended', 'session-asked']);
    }

    assert.deepEqual(
      pauses,
      [30, 60, 120, 240, 480].map((seconds) => seconds * second),
    );
    assert.equal(selectAttempt(selectTask(harness.state, t1)!)!.number, 1, 'no try is spent');
  });
}

test('what the service names is waited for when it is longer than the least pause', () => {
  const harness = attempting();
  // A second for each of created, running, exited and the report itself.
  putOff(harness, harness.time + 4 * second + 5 * minute);
  assert.equal(getPause(harness), 5 * minute);
});

for (const [name, until] of [
  ['400 days', (at: number) => at + 400 * 24 * 60 * minute],
  ['1e308', () => 1e308],
  ['infinity', () => Number.POSITIVE_INFINITY],
] as const) {
  test(`a service that wants to be left alone for ${name} is told to a person at once, and what is written down is a number`, () => {
    const harness = attempting();
    assert.deepEqual(getTypes(putOff(harness, until(harness.time))), ['trouble-met']);
    const why = getTrouble(harness);
    assert.ok(
      why?.kind === 'agent-unavailable' && why.words === 'overloaded' && why.pauses !== undefined,
    );
    assert.deepEqual(
      [why.pauses.times, why.pauses.total, Number.isSafeInteger(Math.round(why.pauses.next))],
      [0, 0, true],
    );
    assert.deepEqual(wantedKeys(harness), []);
    assert.deepEqual(
      selectNeeds(harness.state).map(({kind}) => kind),
      ['trouble'],
    );
  });
}

test('all pauses together last at most a day; then a need says how long the task waited', () => {
  const harness = attempting();
  let times = 0;
  for (putOff(harness, 0); getPause(harness) !== undefined; putOff(harness, 0)) {
    times += 1;
    waitOut(harness);
  }

  assert.equal(times, 11);
  assert.deepEqual(getTrouble(harness), {
    kind: 'agent-unavailable',
    words: 'overloaded',
    pauses: {times, total: 30 * second * (2 ** 11 - 1), next: 30 * second * 2 ** 11},
  });
});

test('the project says how long the first pause is, and all of them', () => {
  const harness = attempting({pauseSeconds: 10, pauseMinutes: 1});
  putOff(harness, 0);
  assert.equal(getPause(harness), 10 * second);
  waitOut(harness);
  putOff(harness, 0);
  assert.equal(getPause(harness), 20 * second);
  waitOut(harness);
  putOff(harness, 0);
  assert.deepEqual(getTrouble(harness), {
    kind: 'agent-unavailable',
    words: 'overloaded',
    pauses: {times: 2, total: 30 * second, next: 40 * second},
  });
});

test('a pause that is exactly what is left is still waited for', () => {
  const harness = attempting({pauseSeconds: 30, pauseMinutes: 1});
  putOff(harness, harness.time + 4 * second + minute);
  assert.equal(getPause(harness), minute);
});

test("a person's resume tries at once, under the same attempt, and waits as long again", () => {
  const harness = attempting({pauseSeconds: 30, pauseMinutes: 1});
  putOff(harness, 0);
  waitOut(harness);
  putOff(harness, 0);
  assert.equal(getTrouble(harness)?.kind, 'agent-unavailable');
  assert.deepEqual(getTypes(userCommand(harness, {type: 'resume', what: t1})), [
    'task-resumed',
    'session-asked',
  ]);
  putOff(harness, 0);
  assert.equal(getPause(harness), 30 * second);
  assert.equal(selectAttempt(selectTask(harness.state, t1)!)!.number, 1);
});

test('a resume of what a person stopped counts the pauses on', () => {
  const harness = attempting({pauseSeconds: 30, pauseMinutes: 1});
  putOff(harness, 0);
  userCommand(harness, {type: 'stop', what: t1});
  userCommand(harness, {type: 'resume', what: t1});
  waitOut(harness);
  putOff(harness, 0);
  assert.equal(getTrouble(harness)?.kind, 'agent-unavailable');
});

test('another attempt has pauses of its own', () => {
  const harness = attempting({pauseSeconds: 30, pauseMinutes: 1});
  putOff(harness, 0);
  waitOut(harness);
  runToExit(harness, sessionOfTask(harness, t1), 1);
  conclude(harness, 'read-outcome', {type: 'agent-failed', task: t1, attempt: 1, words: 'no'});
  runToExit(harness, sessionOfTask(harness, t1), 1);
  conclude(harness, 'read-outcome', {
    type: 'attempt-paused',
    task: t1,
    attempt: 2,
    until: 0,
    words: 'overloaded',
  });
  assert.equal(getPause(harness), 30 * second);
});

test('a person ends a wait early: the agent is tried at once, the count of pauses restarts, and no attempt is spent', () => {
  const harness = attempting();
  putOff(harness, harness.time);
  waitOut(harness);
  putOff(harness, harness.time);
  assert.equal(getPause(harness), 60 * second);
  const {events} = userCommand(harness, {type: 'resume', what: t1});
  assert.deepEqual(getTypes({events}), ['pause-ended', 'session-asked']);
  assert.deepEqual(events[0], {
    type: 'pause-ended',
    task: t1,
    attempt: 1,
    by: 'person',
    at: harness.time,
  });
  assert.equal(selectAttempt(selectTask(harness.state, t1)!)!.paused, undefined);
  putOff(harness, harness.time);
  assert.deepEqual(
    [getPause(harness), selectAttempt(selectTask(harness.state, t1)!)!.number],
    [30 * second, 1],
  );
});

test('trying now is for a task that waits: refused for one at work, for one in a halted run, and for the run itself, which names the task', () => {
  const harness = attempting();
  assert.match(userCommand(harness, {type: 'resume', what: t1}).refused ?? '', /is not stopped/);
  putOff(harness, harness.time);
  assert.match(
    userCommand(harness, {type: 'resume', what: 'r1'}).refused ?? '',
    /r1\.t1 waits for the agent's service: resume the task/,
  );
  userCommand(harness, {type: 'stop', what: 'r1'});
  assert.match(
    userCommand(harness, {type: 'resume', what: t1}).refused ?? '',
    /r1 is halted; resume it first/,
  );
});

test('a stopped task that waits is resumed first, and waits on; a second word tries it now', () => {
  const harness = attempting();
  putOff(harness, harness.time + 10 * minute);
  userCommand(harness, {type: 'stop', what: t1});
  assert.deepEqual(getTypes(userCommand(harness, {type: 'resume', what: t1})), ['task-resumed']);
  assert.deepEqual(getTypes(userCommand(harness, {type: 'resume', what: t1})), [
    'pause-ended',
    'session-asked',
  ]);
});

/**
 * The daemon dies three times under one effect of another task; at its next start the run is set
 * aside.
 */
function setAside(harness: Harness): Decision {
  let started: Decision = {events: []};
  for (let crash = 0; crash < 3; crash++) {
    report(harness, {type: 'effect-begun', effect: 'r1.t2/make'}, 'r1.t2/make');
    started = report(harness, {type: 'daemon-started', build: 'test'});
  }

  return started;
}

function attemptingBesideAnother(): Harness {
  const harness = working([plannedTask('t1'), plannedTask('t2')]);
  makeWorktree(harness, t1);
  startSession(harness, sessionOfTask(harness, t1));
  return harness;
}

test('an agent whose end was unknown when its run was parked restarts, and pauses when it asks for that again', () => {
  const harness = attemptingBesideAnother();
  const first = sessionOfTask(harness, t1);
  // It has said that its service is overloaded, and ended, while there was no daemon; the next
  // daemon decides before it looks.
  assert.deepEqual(getTypes(setAside(harness)), ['daemon-started', 'run-parked']);
  assert.deepEqual(
    getTypes(report(harness, {type: 'session-exited', session: first, code: 1, signal: null})),
    ['session-exited'],
  );
  assert.deepEqual(getTypes(userCommand(harness, {type: 'resume', what: 'r1'})), [
    'run-resumed',
    'session-asked',
  ]);
  assert.notEqual(sessionOfTask(harness, t1), first);
  assert.equal(selectAttempt(selectTask(harness.state, t1)!)!.paused, undefined);
  putOff(harness, harness.time);
  assert.deepEqual(
    [getPause(harness), selectAttempt(selectTask(harness.state, t1)!)!.number],
    [30 * second, 1],
  );
});

test('an agent whose end was known before its run was parked does not restart: its outcome is read, and it pauses', () => {
  const harness = attemptingBesideAnother();
  const first = sessionOfTask(harness, t1);
  report(harness, {type: 'session-exited', session: first, code: 1, signal: null});
  setAside(harness);
  assert.deepEqual(getTypes(userCommand(harness, {type: 'resume', what: 'r1'})), ['run-resumed']);
  conclude(harness, 'read-outcome', {
    type: 'attempt-paused',
    task: t1,
    attempt: 1,
    until: harness.time,
    words: 'overloaded',
  });
  assert.deepEqual([getPause(harness), sessionsOfAttempt(harness)], [30 * second, 1]);
});

function sessionsOfAttempt(harness: Harness): number {
  return harness.events.filter(
    (event) =>
      event.type === 'session-asked' &&
      event.purpose.for === 'attempt' &&
      event.purpose.task === t1,
  ).length;
}
