import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  attemptOf,
  needsOf,
  taskOf,
  type Decision,
  type Limits,
  type TroubleReason,
} from '../../source/domain/index.ts';
import {conclude, report, wantedKeys, wish, type House} from './support/house.ts';
import {plannedTask} from './support/samples.ts';
import {makeWorktree, runToExit, sessionOfTask, typesOf, working} from './support/stages.ts';

const t1 = 'r1.t1';
const second = 1000;
const minute = 60 * second;

function attempting(limits: Partial<Limits> = {}): House {
  const house = working([plannedTask('t1')], {}, {limits: {workers: 2, runs: 1, ...limits}});
  makeWorktree(house, t1);
  return house;
}

/** The agent ends, and its service wants to be left alone until then. */
function putOff(house: House, until: number): Decision {
  runToExit(house, sessionOfTask(house, t1), 1);
  return conclude(house, 'read-outcome', {
    type: 'attempt-paused',
    task: t1,
    attempt: 1,
    until,
    words: 'overloaded',
  });
}

/** How long the pause under way is; nothing when a person was asked instead. */
function pauseOf(house: House): number | undefined {
  const step = attemptOf(taskOf(house.state, t1)!)!.step;
  return step.at === 'pausing' ? step.until - house.time : undefined;
}

function waitOut(house: House): Decision {
  const [effect] = wantedKeys(house);
  house.time += pauseOf(house) ?? 0;
  return report(house, {type: 'time-passed'}, effect);
}

function troubleOf(house: House): TroubleReason | undefined {
  return taskOf(house.state, t1)!.trouble?.why;
}

for (const [name, until] of [
  ['now', (at: number) => at],
  ['the past', () => 0],
  ['no time', () => Number.NaN],
  ['a negative time', () => -1e300],
  ['minus infinity', () => Number.NEGATIVE_INFINITY],
] as const) {
  test(`a pause until ${name} is 30 s long, and each further one twice as long`, () => {
    const house = attempting();
    const pauses: (number | undefined)[] = [];
    for (let times = 0; times < 5; times++) {
      putOff(house, until(house.time));
      pauses.push(pauseOf(house));
      assert.deepEqual(typesOf(waitOut(house)), ['pause-ended', 'session-asked']);
    }

    assert.deepEqual(
      pauses,
      [30, 60, 120, 240, 480].map((seconds) => seconds * second),
    );
    assert.equal(attemptOf(taskOf(house.state, t1)!)!.number, 1, 'no try is spent');
  });
}

test('what the service names is waited for when it is longer than the least pause', () => {
  const house = attempting();
  // A second for each of created, running, exited and the report itself.
  putOff(house, house.time + 4 * second + 5 * minute);
  assert.equal(pauseOf(house), 5 * minute);
});

for (const [name, until] of [
  ['400 days', (at: number) => at + 400 * 24 * 60 * minute],
  ['1e308', () => 1e308],
  ['infinity', () => Number.POSITIVE_INFINITY],
] as const) {
  test(`a service that wants to be left alone for ${name} is told to a person at once, and what is written down is a number`, () => {
    const house = attempting();
    assert.deepEqual(typesOf(putOff(house, until(house.time))), ['trouble-met']);
    const why = troubleOf(house);
    assert.ok(
      why?.kind === 'agent-unavailable' && why.words === 'overloaded' && why.pauses !== undefined,
    );
    assert.deepEqual(
      [why.pauses.times, why.pauses.total, Number.isSafeInteger(Math.round(why.pauses.next))],
      [0, 0, true],
    );
    assert.deepEqual(wantedKeys(house), []);
    assert.deepEqual(
      needsOf(house.state).map(({kind}) => kind),
      ['trouble'],
    );
  });
}

test('all pauses together are no longer than a day; then a person is asked, and told how long it was waited for', () => {
  const house = attempting();
  let times = 0;
  for (putOff(house, 0); pauseOf(house) !== undefined; putOff(house, 0)) {
    times += 1;
    waitOut(house);
  }

  assert.equal(times, 11);
  assert.deepEqual(troubleOf(house), {
    kind: 'agent-unavailable',
    words: 'overloaded',
    pauses: {times, total: 30 * second * (2 ** 11 - 1), next: 30 * second * 2 ** 11},
  });
});

test('the project says how long the first pause is, and all of them', () => {
  const house = attempting({pauseSeconds: 10, pauseMinutes: 1});
  putOff(house, 0);
  assert.equal(pauseOf(house), 10 * second);
  waitOut(house);
  putOff(house, 0);
  assert.equal(pauseOf(house), 20 * second);
  waitOut(house);
  putOff(house, 0);
  assert.deepEqual(troubleOf(house), {
    kind: 'agent-unavailable',
    words: 'overloaded',
    pauses: {times: 2, total: 30 * second, next: 40 * second},
  });
});

test('a pause that is exactly what is left is still waited for', () => {
  const house = attempting({pauseSeconds: 30, pauseMinutes: 1});
  putOff(house, house.time + 4 * second + minute);
  assert.equal(pauseOf(house), minute);
});

test("a person's resume tries at once, under the same attempt, and waits as long again", () => {
  const house = attempting({pauseSeconds: 30, pauseMinutes: 1});
  putOff(house, 0);
  waitOut(house);
  putOff(house, 0);
  assert.equal(troubleOf(house)?.kind, 'agent-unavailable');
  assert.deepEqual(typesOf(wish(house, {type: 'resume', what: t1})), [
    'task-resumed',
    'session-asked',
  ]);
  putOff(house, 0);
  assert.equal(pauseOf(house), 30 * second);
  assert.equal(attemptOf(taskOf(house.state, t1)!)!.number, 1);
});

test('a resume of what a person stopped counts the pauses on', () => {
  const house = attempting({pauseSeconds: 30, pauseMinutes: 1});
  putOff(house, 0);
  wish(house, {type: 'stop', what: t1});
  wish(house, {type: 'resume', what: t1});
  waitOut(house);
  putOff(house, 0);
  assert.equal(troubleOf(house)?.kind, 'agent-unavailable');
});

test('another attempt has pauses of its own', () => {
  const house = attempting({pauseSeconds: 30, pauseMinutes: 1});
  putOff(house, 0);
  waitOut(house);
  runToExit(house, sessionOfTask(house, t1), 1);
  conclude(house, 'read-outcome', {type: 'agent-failed', task: t1, attempt: 1, words: 'no'});
  runToExit(house, sessionOfTask(house, t1), 1);
  conclude(house, 'read-outcome', {
    type: 'attempt-paused',
    task: t1,
    attempt: 2,
    until: 0,
    words: 'overloaded',
  });
  assert.equal(pauseOf(house), 30 * second);
});

test('a person cuts a wait short: the agent is tried at once, the pauses are counted anew, and no try is spent', () => {
  const house = attempting();
  putOff(house, house.time);
  waitOut(house);
  putOff(house, house.time);
  assert.equal(pauseOf(house), 60 * second);
  const {events} = wish(house, {type: 'resume', what: t1});
  assert.deepEqual(typesOf({events}), ['pause-ended', 'session-asked']);
  assert.deepEqual(events[0], {
    type: 'pause-ended',
    task: t1,
    attempt: 1,
    by: 'person',
    at: house.time,
  });
  assert.equal(attemptOf(taskOf(house.state, t1)!)!.paused, undefined);
  putOff(house, house.time);
  assert.deepEqual([pauseOf(house), attemptOf(taskOf(house.state, t1)!)!.number], [30 * second, 1]);
});

test('trying now is for a task that waits: refused for one at work, for one in a halted run, and for the run itself, which names the task', () => {
  const house = attempting();
  assert.match(wish(house, {type: 'resume', what: t1}).refused ?? '', /is not stopped/);
  putOff(house, house.time);
  assert.match(
    wish(house, {type: 'resume', what: 'r1'}).refused ?? '',
    /r1\.t1 waits for the agent's service: resume the task/,
  );
  wish(house, {type: 'stop', what: 'r1'});
  assert.match(
    wish(house, {type: 'resume', what: t1}).refused ?? '',
    /r1 is halted; resume it first/,
  );
});

test('a stopped task that waits is resumed first, and waits on; a second word tries it now', () => {
  const house = attempting();
  putOff(house, house.time + 10 * minute);
  wish(house, {type: 'stop', what: t1});
  assert.deepEqual(typesOf(wish(house, {type: 'resume', what: t1})), ['task-resumed']);
  assert.deepEqual(typesOf(wish(house, {type: 'resume', what: t1})), [
    'pause-ended',
    'session-asked',
  ]);
});
