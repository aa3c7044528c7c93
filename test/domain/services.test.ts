import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectNeeds, selectService, selectTask, type Service} from '../../source/domain/index.ts';
import {
  conclude,
  createHarness,
  type Harness,
  report,
  userCommand,
  wantedKeys,
} from './support/harness.ts';
import {plannedTask} from './support/samples.ts';
import {getTypes, mergeTask, startSession, validate, working} from './support/stages.ts';

function declared(): Harness {
  const harness = createHarness();
  userCommand(harness, {
    type: 'declare-service',
    spec: {name: 'web', command: 'npm start', port: 3000, ready: {by: 'port'}},
  });
  return harness;
}

function started(): Harness {
  const harness = declared();
  userCommand(harness, {type: 'start-service', service: 'web'});
  startSession(harness, 's1');
  return harness;
}

function web(harness: Harness): Service {
  return selectService(harness.state, 'web')!;
}

function die(harness: Harness, code = 1): string[] {
  const stage = web(harness).stage;
  if (stage.at !== 'up') throw new Error(`web is ${stage.at}`);
  return getTypes(
    report(harness, {type: 'session-exited', session: stage.session, code, signal: null}),
  );
}

test('a declared service runs when somebody wants it, and is watched', () => {
  const harness = declared();
  assert.deepEqual(wantedKeys(harness), []);
  assert.deepEqual(getTypes(userCommand(harness, {type: 'start-service', service: 'web'})), [
    'service-wanted',
    'session-asked',
  ]);
  startSession(harness, 's1');
  assert.deepEqual(wantedKeys(harness), ['s1/run', 'service/web/watch/s1']);
  conclude(harness, 'watch-service', {
    type: 'service-observed',
    service: 'web',
    condition: 'ready',
  });
  assert.deepEqual(web(harness).stage, {
    at: 'up',
    session: 's1',
    condition: 'ready',
    since: harness.time,
  });
  assert.match(
    userCommand(harness, {type: 'start-service', service: 'web'}).refused ?? '',
    /already started/,
  );
});

test('a service that dies comes back after a pause that doubles, and five starts in a minute are enough', () => {
  const harness = started();
  const pauses: number[] = [];
  for (let death = 1; death <= 4; death++) {
    assert.deepEqual(die(harness), ['session-exited', 'service-backed-off']);
    const {stage} = web(harness);
    if (stage.at !== 'backing-off') throw new Error(`web is ${stage.at}`);
    pauses.push(stage.until - harness.time);
    const [wait] = wantedKeys(harness);
    harness.time = stage.until;
    assert.deepEqual(getTypes(report(harness, {type: 'time-passed'}, wait)), ['session-asked']);
  }

  assert.deepEqual(pauses, [500, 1000, 2000, 4000]);
  assert.deepEqual(die(harness), ['session-exited', 'service-failed']);
  assert.deepEqual(
    selectNeeds(harness.state).map(({kind}) => kind),
    ['service'],
  );
  assert.deepEqual(wantedKeys(harness), []);
});

test('a service that was up for a minute restarts its count', () => {
  const harness = started();
  die(harness);
  harness.time += 500;
  report(harness, {type: 'time-passed'}, wantedKeys(harness)[0]);
  harness.time += 120_000;
  die(harness);
  const {stage} = web(harness);
  assert.equal(stage.at === 'backing-off' && stage.until - harness.time, 500);
});

test('exit 125 says that starting again is no use', () => {
  const harness = started();
  assert.deepEqual(die(harness, 125), ['session-exited', 'service-failed']);
  assert.deepEqual(web(harness).stage, {
    at: 'failed',
    why: {kind: 'permanent', code: 125},
    since: harness.time,
  });
});

test("a person's stop is durable: neither a death, nor time, nor a task that needs it starts it again", () => {
  const harness = working([plannedTask('t1', {services: ['web']})]);
  startSession(harness, 's2');
  assert.deepEqual(getTypes(userCommand(harness, {type: 'stop', what: 's2'})), [
    'service-stopped',
    'service-went-down',
  ]);
  assert.deepEqual(wantedKeys(harness), ['s2/stop']);
  report(harness, {type: 'session-exited', session: 's2', code: 0, signal: null});
  report(harness, {type: 'daemon-started', build: 'test'});
  assert.deepEqual(wantedKeys(harness), []);
  assert.deepEqual(
    selectNeeds(harness.state).map((need) => need.kind === 'service-missing' && need.service),
    ['web'],
  );
  assert.deepEqual(getTypes(userCommand(harness, {type: 'start-service', service: 'web'})), [
    'service-wanted',
    'session-asked',
  ]);
});

test('a stop while it backs off cancels the pause', () => {
  const harness = started();
  die(harness);
  userCommand(harness, {type: 'stop-service', service: 'web'});
  assert.deepEqual(wantedKeys(harness), []);
});

test('a restart waits for the old process to be gone', () => {
  const harness = started();
  assert.deepEqual(getTypes(userCommand(harness, {type: 'restart-service', service: 'web'})), [
    'service-restarted',
  ]);
  assert.deepEqual(wantedKeys(harness), ['s1/stop']);
  assert.deepEqual(
    getTypes(report(harness, {type: 'session-exited', session: 's1', code: 0, signal: null})),
    ['session-exited', 'session-asked'],
  );
});

test('a foreign owner of the port is reported, and nothing is tried against it', () => {
  const harness = started();
  conclude(harness, 'watch-service', {
    type: 'port-taken',
    service: 'web',
    owner: 'pid 4711 (nginx)',
  });
  assert.deepEqual(wantedKeys(harness), ['s1/stop'], 'ours leaves; the other stays');
  assert.deepEqual(
    selectNeeds(harness.state).map((need) => need.kind === 'service' && need.stage.at),
    ['foreign-port'],
  );
});

test('a task that needs a service starts it, and starts itself when it is ready', () => {
  const harness = working([plannedTask('t1', {services: ['web']})]);
  assert.equal(selectTask(harness.state, 'r1.t1')!.stage.at, 'waiting');
  startSession(harness, 's2');
  assert.deepEqual(
    getTypes(
      conclude(harness, 'watch-service', {
        type: 'service-observed',
        service: 'web',
        condition: 'listening',
      }),
    ),
    ['service-observed'],
  );
  assert.deepEqual(
    getTypes(
      conclude(harness, 'watch-service', {
        type: 'service-observed',
        service: 'web',
        condition: 'ready',
      }),
    ),
    ['service-observed', 'task-begun'],
  );
});

test('a service is not started before the task that needs it could start', () => {
  const harness = working([
    plannedTask('t1'),
    plannedTask('t2', {after: ['t1'], services: ['web']}),
  ]);
  assert.equal(web(harness).desire, 'none');
  validate(harness, 'r1.t1');
  assert.equal(web(harness).desire, 'none');
  assert.deepEqual(getTypes(mergeTask(harness, 'r1.t1')), [
    'task-merged',
    'service-wanted',
    'session-asked',
  ]);
});

test('a process that could not even be started counts as a death', () => {
  const harness = declared();
  userCommand(harness, {type: 'start-service', service: 'web'});
  assert.deepEqual(
    getTypes(conclude(harness, 'run-session', {type: 'effect-failed', words: 'no pty left'})),
    ['session-lost', 'service-backed-off'],
  );
});

test('a new declaration replaces the old one and leaves what runs alone', () => {
  const harness = started();
  report(harness, {
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
    harness.state.services.map(({spec, stage}) => [spec.command, stage.at]),
    [
      ['npm run dev', 'up'],
      ['postgres', 'down'],
    ],
  );
});

test('a service that a task needs and that is not ready after half an hour fails and becomes a need', () => {
  const harness = working([plannedTask('t1', {services: ['web']})]);
  startSession(harness, 's2');
  const wait = wantedKeys(harness).find((key) => key.startsWith('service/web/ready/'));
  harness.time = web(harness).starts[0]! + 30 * 60_000 - 1000 - 1;
  assert.deepEqual(getTypes(report(harness, {type: 'time-passed'}, wait)), []);
  assert.deepEqual(getTypes(report(harness, {type: 'time-passed'}, wait)), ['service-failed']);
  assert.deepEqual(
    selectNeeds(harness.state).map(
      (need) => need.kind === 'service' && need.stage.at === 'failed' && need.stage.why,
    ),
    [{kind: 'not-ready', limit: 30 * 60_000}],
  );
});

test('a service that no task needs may take as long as it wants', () => {
  const harness = started();
  harness.time += 24 * 60 * 60_000;
  assert.deepEqual(getTypes(report(harness, {type: 'time-passed'})), []);
  assert.equal(web(harness).stage.at, 'up');
});

test('a service that always dies a little too late for the limit on starts is given up after ten deaths in a row', () => {
  const harness = started();
  let deaths = 0;
  for (let events: string[] = []; !events.includes('service-failed'); deaths++) {
    harness.time += 30_000;
    events = die(harness);
    const {stage} = web(harness);
    if (stage.at === 'backing-off') {
      harness.time = stage.until;
      report(harness, {type: 'time-passed'}, wantedKeys(harness)[0]);
    }
  }

  assert.equal(deaths, 10);
  assert.deepEqual(web(harness).stage, {
    at: 'failed',
    why: {kind: 'restarts', times: 10, steady: 600_000},
    since: harness.time,
  });
});

test('a service that ran for ten minutes before it died restarts its count of deaths', () => {
  const harness = started();
  for (let death = 0; death < 30; death++) {
    harness.time += death % 9 === 8 ? 600_000 : 30_000;
    die(harness);
    const {stage} = web(harness);
    if (stage.at !== 'backing-off') throw new Error(`web is ${stage.at} after ${death + 1} deaths`);
    harness.time = stage.until;
    report(harness, {type: 'time-passed'}, wantedKeys(harness)[0]);
  }
});

test('a service that cannot be watched is a need', () => {
  const harness = started();
  assert.deepEqual(
    getTypes(conclude(harness, 'watch-service', {type: 'effect-failed', words: 'EMFILE'})),
    ['service-failed'],
  );
  assert.deepEqual(
    selectNeeds(harness.state).map(
      (need) => need.kind === 'service' && need.stage.at === 'failed' && need.stage.why,
    ),
    [{kind: 'unwatchable', words: 'EMFILE'}],
  );
});

test('what is known of a service is no news', () => {
  const harness = started();
  conclude(harness, 'watch-service', {
    type: 'service-observed',
    service: 'web',
    condition: 'ready',
  });
  assert.deepEqual(
    getTypes(
      conclude(harness, 'watch-service', {
        type: 'service-observed',
        service: 'web',
        condition: 'ready',
      }),
    ),
    [],
  );
});
