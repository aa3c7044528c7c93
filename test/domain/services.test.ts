import assert from 'node:assert/strict';
import {test} from 'node:test';
import {needsOf, serviceOf, taskOf, type Service} from '../../source/domain/index.ts';
import {conclude, createHouse, report, wantedKeys, wish, type House} from './support/house.ts';
import {plannedTask} from './support/samples.ts';
import {mergeTask, startSession, typesOf, validate, working} from './support/stages.ts';

function declared(): House {
  const house = createHouse();
  wish(house, {
    type: 'declare-service',
    spec: {name: 'web', command: 'npm start', port: 3000, ready: {by: 'port'}},
  });
  return house;
}

function started(): House {
  const house = declared();
  wish(house, {type: 'start-service', service: 'web'});
  startSession(house, 's1');
  return house;
}

function web(house: House): Service {
  return serviceOf(house.state, 'web')!;
}

function die(house: House, code = 1): string[] {
  const stage = web(house).stage;
  if (stage.at !== 'up') throw new Error(`web is ${stage.at}`);
  return typesOf(
    report(house, {type: 'session-exited', session: stage.session, code, signal: null}),
  );
}

test('a declared service runs when somebody wants it, and is watched', () => {
  const house = declared();
  assert.deepEqual(wantedKeys(house), []);
  assert.deepEqual(typesOf(wish(house, {type: 'start-service', service: 'web'})), [
    'service-wanted',
    'session-asked',
  ]);
  startSession(house, 's1');
  assert.deepEqual(wantedKeys(house), ['s1/run', 'service/web/watch/s1']);
  conclude(house, 'watch-service', {type: 'service-observed', service: 'web', condition: 'ready'});
  assert.deepEqual(web(house).stage, {
    at: 'up',
    session: 's1',
    condition: 'ready',
    since: house.time,
  });
  assert.match(
    wish(house, {type: 'start-service', service: 'web'}).refused ?? '',
    /started already/,
  );
});

test('a service that dies comes back after a pause that doubles, and five starts in a minute are enough', () => {
  const house = started();
  const pauses: number[] = [];
  for (let death = 1; death <= 4; death++) {
    assert.deepEqual(die(house), ['session-exited', 'service-backed-off']);
    const {stage} = web(house);
    if (stage.at !== 'backing-off') throw new Error(`web is ${stage.at}`);
    pauses.push(stage.until - house.time);
    const [wait] = wantedKeys(house);
    house.time = stage.until;
    assert.deepEqual(typesOf(report(house, {type: 'time-passed'}, wait)), ['session-asked']);
  }

  assert.deepEqual(pauses, [500, 1000, 2000, 4000]);
  assert.deepEqual(die(house), ['session-exited', 'service-failed']);
  assert.deepEqual(
    needsOf(house.state).map(({kind}) => kind),
    ['service'],
  );
  assert.deepEqual(wantedKeys(house), []);
});

test('a service that was up for a minute starts counting anew', () => {
  const house = started();
  die(house);
  house.time += 500;
  report(house, {type: 'time-passed'}, wantedKeys(house)[0]);
  house.time += 120_000;
  die(house);
  const {stage} = web(house);
  assert.equal(stage.at === 'backing-off' && stage.until - house.time, 500);
});

test('exit 125 says that starting again is no use', () => {
  const house = started();
  assert.deepEqual(die(house, 125), ['session-exited', 'service-failed']);
  assert.deepEqual(web(house).stage, {
    at: 'failed',
    why: {kind: 'permanent', code: 125},
    since: house.time,
  });
});

test("a person's stop is durable: neither a death, nor time, nor a task that needs it starts it again", () => {
  const house = working([plannedTask('t1', {services: ['web']})]);
  startSession(house, 's2');
  assert.deepEqual(typesOf(wish(house, {type: 'stop', what: 's2'})), [
    'service-stopped',
    'service-went-down',
  ]);
  assert.deepEqual(wantedKeys(house), ['s2/stop']);
  report(house, {type: 'session-exited', session: 's2', code: 0, signal: null});
  report(house, {type: 'daemon-started', build: 'test'});
  assert.deepEqual(wantedKeys(house), []);
  assert.deepEqual(
    needsOf(house.state).map((need) => need.kind === 'service-missing' && need.service),
    ['web'],
  );
  assert.deepEqual(typesOf(wish(house, {type: 'start-service', service: 'web'})), [
    'service-wanted',
    'session-asked',
  ]);
});

test('a stop while it backs off cancels the pause', () => {
  const house = started();
  die(house);
  wish(house, {type: 'stop-service', service: 'web'});
  assert.deepEqual(wantedKeys(house), []);
});

test('a restart waits for the old process to be gone', () => {
  const house = started();
  assert.deepEqual(typesOf(wish(house, {type: 'restart-service', service: 'web'})), [
    'service-restarted',
  ]);
  assert.deepEqual(wantedKeys(house), ['s1/stop']);
  assert.deepEqual(
    typesOf(report(house, {type: 'session-exited', session: 's1', code: 0, signal: null})),
    ['session-exited', 'session-asked'],
  );
});

test('a foreign owner of the port is reported, and nothing is tried against it', () => {
  const house = started();
  conclude(house, 'watch-service', {type: 'port-taken', service: 'web', owner: 'pid 4711 (nginx)'});
  assert.deepEqual(wantedKeys(house), ['s1/stop'], 'ours leaves; the other stays');
  assert.deepEqual(
    needsOf(house.state).map((need) => need.kind === 'service' && need.stage.at),
    ['foreign-port'],
  );
});

test('a task that needs a service starts it, and starts itself when it is ready', () => {
  const house = working([plannedTask('t1', {services: ['web']})]);
  assert.equal(taskOf(house.state, 'r1.t1')!.stage.at, 'waiting');
  startSession(house, 's2');
  assert.deepEqual(
    typesOf(
      conclude(house, 'watch-service', {
        type: 'service-observed',
        service: 'web',
        condition: 'listening',
      }),
    ),
    ['service-observed'],
  );
  assert.deepEqual(
    typesOf(
      conclude(house, 'watch-service', {
        type: 'service-observed',
        service: 'web',
        condition: 'ready',
      }),
    ),
    ['service-observed', 'task-begun'],
  );
});

test('a service is not started before the task that needs it could start', () => {
  const house = working([plannedTask('t1'), plannedTask('t2', {after: ['t1'], services: ['web']})]);
  assert.equal(web(house).desire, 'none');
  validate(house, 'r1.t1');
  assert.equal(web(house).desire, 'none');
  assert.deepEqual(typesOf(mergeTask(house, 'r1.t1')), [
    'task-merged',
    'service-wanted',
    'session-asked',
  ]);
});

test('a process that could not even be started counts as a death', () => {
  const house = declared();
  wish(house, {type: 'start-service', service: 'web'});
  assert.deepEqual(
    typesOf(conclude(house, 'run-session', {type: 'effect-failed', words: 'no pty left'})),
    ['session-lost', 'service-backed-off'],
  );
});

test('a new declaration replaces the old one and leaves what runs alone', () => {
  const house = started();
  report(house, {
    type: 'project-read',
    project: {
      services: [
        {name: 'web', command: 'npm run dev'},
        {name: 'db', command: 'postgres'},
      ],
      limits: {workers: 1, runs: 1},
    },
  });
  assert.deepEqual(
    house.state.services.map(({spec, stage}) => [spec.command, stage.at]),
    [
      ['npm run dev', 'up'],
      ['postgres', 'down'],
    ],
  );
});

test('a service that a task waits for and that is not ready after half an hour is given up, and the person is told', () => {
  const house = working([plannedTask('t1', {services: ['web']})]);
  startSession(house, 's2');
  const wait = wantedKeys(house).find((key) => key.startsWith('service/web/ready/'));
  house.time = web(house).starts[0]! + 30 * 60_000 - 1000 - 1;
  assert.deepEqual(typesOf(report(house, {type: 'time-passed'}, wait)), []);
  assert.deepEqual(typesOf(report(house, {type: 'time-passed'}, wait)), ['service-failed']);
  assert.deepEqual(
    needsOf(house.state).map(
      (need) => need.kind === 'service' && need.stage.at === 'failed' && need.stage.why,
    ),
    [{kind: 'not-ready', limit: 30 * 60_000}],
  );
});

test('one that nobody waits for is left as it is, however long it takes', () => {
  const house = started();
  house.time += 24 * 60 * 60_000;
  assert.deepEqual(typesOf(report(house, {type: 'time-passed'})), []);
  assert.equal(web(house).stage.at, 'up');
});

test('a service that always dies a little too late for the limit on starts is given up after ten deaths in a row', () => {
  const house = started();
  let deaths = 0;
  for (let events: string[] = []; !events.includes('service-failed'); deaths++) {
    house.time += 30_000;
    events = die(house);
    const {stage} = web(house);
    if (stage.at === 'backing-off') {
      house.time = stage.until;
      report(house, {type: 'time-passed'}, wantedKeys(house)[0]);
    }
  }

  assert.equal(deaths, 10);
  assert.deepEqual(web(house).stage, {
    at: 'failed',
    why: {kind: 'restarts', times: 10, steady: 600_000},
    since: house.time,
  });
});

test('one that ran for ten minutes before it died counts its deaths anew', () => {
  const house = started();
  for (let death = 0; death < 30; death++) {
    house.time += death % 9 === 8 ? 600_000 : 30_000;
    die(house);
    const {stage} = web(house);
    if (stage.at !== 'backing-off') throw new Error(`web is ${stage.at} after ${death + 1} deaths`);
    house.time = stage.until;
    report(house, {type: 'time-passed'}, wantedKeys(house)[0]);
  }
});

test('a service that nobody can watch is a need', () => {
  const house = started();
  assert.deepEqual(
    typesOf(conclude(house, 'watch-service', {type: 'effect-failed', words: 'EMFILE'})),
    ['service-failed'],
  );
  assert.deepEqual(
    needsOf(house.state).map(
      (need) => need.kind === 'service' && need.stage.at === 'failed' && need.stage.why,
    ),
    [{kind: 'unwatchable', words: 'EMFILE'}],
  );
});

test('what is known of a service is no news', () => {
  const house = started();
  conclude(house, 'watch-service', {type: 'service-observed', service: 'web', condition: 'ready'});
  assert.deepEqual(
    typesOf(
      conclude(house, 'watch-service', {
        type: 'service-observed',
        service: 'web',
        condition: 'ready',
      }),
    ),
    [],
  );
});
