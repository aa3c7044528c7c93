import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  type Decision,
  selectNeeds,
  selectService,
  selectSession,
  selectShell,
  selectTask,
} from '../../source/domain/index.ts';
import {conclude, type Harness, report, send, userCommand, wantedKeys} from './support/harness.ts';
import {change, green} from './support/samples.ts';
import {
  atWork,
  getTypes,
  makeWorktree,
  mergeTask,
  startSession,
  thinking,
  validate,
} from './support/stages.ts';
import {openShell} from './support/tools.ts';

test('a shell is opened once, in the worktree of its task, and stays', () => {
  const harness = atWork();
  assert.deepEqual(openShell(harness).events, [
    {
      type: 'session-asked',
      at: harness.time,
      session: 's3',
      purpose: {for: 'shell', task: 'r1.t1', name: 'main'},
    },
  ]);
  assert.deepEqual(openShell(harness), {events: []});
  startSession(harness, 's3');
  assert.deepEqual(wantedKeys(harness), ['s2/run', 's3/run']);
  assert.equal(
    openShell(harness, {program: 'python3'}).refused,
    'the shell main already runs a shell; choose another name',
  );
  assert.deepEqual(getTypes(openShell(harness, {name: 'python', program: 'python3'})), [
    'session-asked',
  ]);
});

test('a shell outlives the attempt, and keeps neither the change from being captured nor the next attempt from starting', () => {
  const harness = atWork();
  openShell(harness);
  startSession(harness, 's3');
  report(harness, {type: 'session-exited', session: 's2', code: 0, signal: null});
  conclude(harness, 'read-outcome', {
    type: 'agent-finished',
    task: 'r1.t1',
    attempt: 1,
    words: 'done',
  });
  assert.deepEqual(wantedKeys(harness), ['s3/run', 'r1.t1.a1/capture']);
  conclude(harness, 'capture', {type: 'change-captured', task: 'r1.t1', attempt: 1, change});
  conclude(harness, 'judge', {
    type: 'change-judged',
    task: 'r1.t1',
    attempt: 1,
    judgement: {...green, outside: ['x']},
  });
  assert.equal(selectTask(harness.state, 'r1.t1')?.attempts.length, 2);
  assert.equal(selectSession(harness.state, 's4')?.purpose.for, 'attempt');
  assert.equal(selectShell(harness.state, 'r1.t1', 'main')?.id, 's3');
});

test('a shell ends with what it is for', () => {
  const ends: readonly (readonly [string, (harness: Harness) => unknown])[] = [
    [
      'merged',
      (harness) => {
        validate(harness, 'r1.t1');
        mergeTask(harness, 'r1.t1');
      },
    ],
    ['discarded', (harness) => userCommand(harness, {type: 'discard', what: 'r1.t1'})],
    ['the run discarded', (harness) => userCommand(harness, {type: 'discard', what: 'r1'})],
    ['the run stopped', (harness) => userCommand(harness, {type: 'stop', what: 'r1'})],
    ['the task stopped', (harness) => userCommand(harness, {type: 'stop', what: 'r1.t1'})],
    [
      'its worktree gone',
      (harness) => report(harness, {type: 'worktree-vanished', owner: 'r1.t1'}),
    ],
    ["a person's word", (harness) => userCommand(harness, {type: 'stop', what: 's3'})],
  ];
  for (const [what, end] of ends) {
    const harness = atWork();
    openShell(harness);
    startSession(harness, 's3');
    end(harness);
    assert.ok(wantedKeys(harness).includes('s3/stop'), what);
    assert.ok(
      !wantedKeys(harness).includes('r1.t1/remove'),
      `${what}: nothing is removed under a process`,
    );
  }
});

test('a person who stops a shell stops the shell alone', () => {
  const harness = atWork();
  openShell(harness);
  startSession(harness, 's3');
  assert.deepEqual(getTypes(userCommand(harness, {type: 'stop', what: 's3'})), [
    'session-stop-asked',
  ]);
  assert.equal(openShell(harness).refused, 'the shell main is stopping; ask again in a moment');
  report(harness, {type: 'session-exited', session: 's3', code: null, signal: 'SIGTERM'});
  assert.equal(selectTask(harness.state, 'r1.t1')?.hold, undefined);
  assert.deepEqual(getTypes(openShell(harness)), ['session-asked']);
});

test('a shell that dies is no interruption of the attempt, and one that cannot be opened is no trouble of the task', () => {
  const harness = atWork();
  openShell(harness);
  startSession(harness, 's3');
  assert.deepEqual(
    getTypes(report(harness, {type: 'session-lost', session: 's3', why: 'killed'})),
    ['session-lost'],
  );
  openShell(harness);
  assert.deepEqual(
    getTypes(report(harness, {type: 'effect-failed', words: 'no such program'}, 's4/run')),
    ['session-lost'],
  );
  assert.equal(selectTask(harness.state, 'r1.t1')?.trouble, undefined);
});

test('shells are for those who work, four at most, and each task has its own', () => {
  const harness = atWork(['t1'], ['t2']);
  for (const name of ['a', 'b', 'c', 'd']) openShell(harness, {name});
  assert.equal(openShell(harness, {name: 'e'}).refused, 'r1.t1 already has 4 open shells');
  makeWorktree(harness, 'r1.t2');
  const other = harness.state.live.find(
    (id) => selectSession(harness.state, id)?.purpose.for === 'attempt' && id !== 's2',
  )!;
  startSession(harness, other);
  assert.deepEqual(getTypes(openShell(harness, {session: other, name: 'a'})), ['session-asked']);
  const shell = selectShell(harness.state, 'r1.t1', 'a')!.id;
  assert.equal(
    report(harness, {type: 'shell-told', session: other, shell, text: 'rm -r .\r'}).refused,
    `${shell} is not a shell of your task`,
  );
  assert.equal(openShell(harness, {session: 's1', name: 'x'}).refused, 's1 is no longer needed');
  const planning = thinking();
  startSession(planning, 's1');
  assert.equal(
    report(planning, {type: 'shell-asked', session: 's1', name: 'main'}).refused,
    'only sessions that work on a task have shells',
  );
});

test('what is typed into a shell is typed at most once', () => {
  const harness = atWork();
  openShell(harness);
  startSession(harness, 's3');
  assert.deepEqual(
    getTypes(report(harness, {type: 'shell-told', session: 's2', shell: 's3', text: 'ls\r'})),
    ['input-asked'],
  );
  assert.ok(wantedKeys(harness).includes('s3/type-1'));
  report(harness, {type: 'input-uncertain', session: 's3', input: 1}, 's3/type-1');
  assert.deepEqual(selectNeeds(harness.state), [], 'the agent is told, not the person');
  assert.ok(!wantedKeys(harness).includes('s3/type-1'));
});

test('an agent starts and stops declared services, but not those of others', () => {
  const harness = atWork(['t1'], ['t2', {services: ['web']}]);
  const session = harness.state.live.find(
    (id) => selectSession(harness.state, id)?.purpose.for === 'attempt',
  )!;
  const notify = (want: 'up' | 'down', service = 'web'): Decision =>
    report(harness, {type: 'service-told', session, service, want});
  const web = (): string | undefined => selectService(harness.state, 'web')?.desire;
  assert.equal(web(), 'wanted', 'the second task needs it');
  assert.equal(notify('down').refused, 'r1.t2 also needs web');
  assert.equal(notify('up', 'db').refused, 'there is no service "db"; there are web');
  userCommand(harness, {type: 'discard', what: 'r1.t2'});
  assert.deepEqual(notify('down').events.slice(0, 1), [
    {type: 'service-stopped', at: harness.time, service: 'web', by: 'r1.t1'},
  ]);
  assert.equal(web(), 'none');
  assert.deepEqual(notify('down'), {events: []});
  assert.deepEqual(getTypes(notify('up')).slice(0, 1), ['service-wanted']);
  assert.deepEqual(notify('up'), {events: []});
  userCommand(harness, {type: 'restart-service', service: 'web'});
  assert.equal(notify('down').refused, 'a person started web; only a person can stop it');
  userCommand(harness, {type: 'stop-service', service: 'web'});
  assert.equal(
    notify('up').refused,
    'only a person can start web again: it is stopped by a person',
  );
});

test('shells that end are opened again, but fifty times in an attempt and no more', () => {
  const harness = atWork();
  let opened = 0;
  for (let times = 0; times < 200; times++) {
    const {events, refused} = openShell(harness);
    if (refused !== undefined) {
      assert.match(refused, /this attempt on r1\.t1 has opened 50 shells, which is the limit/);
      break;
    }

    opened += 1;
    const asked = events.find(({type}) => type === 'session-asked');
    if (asked?.type !== 'session-asked') throw new Error('no shell was asked for');
    startSession(harness, asked.session);
    report(harness, {type: 'session-exited', session: asked.session, code: 0, signal: null});
  }

  assert.equal(opened, 50);
});

test('an agent that stops a service and starts it again, without end, is held up after five starts within a minute', () => {
  const harness = atWork();
  const notify = (want: 'up' | 'down'): Decision =>
    send(harness, {
      type: 'report',
      at: harness.time,
      saw: {type: 'service-told', session: 's2', service: 'web', want},
    });
  const stop = (): void => {
    notify('down');
    const live = harness.state.live.find(
      (id) => selectSession(harness.state, id)?.purpose.for === 'service',
    );
    if (live !== undefined)
      send(harness, {
        type: 'report',
        at: harness.time,
        saw: {type: 'session-exited', session: live, code: null, signal: 'SIGTERM'},
      });
  };

  for (let times = 0; times < 5; times++) {
    assert.equal(notify('up').refused, undefined);
    stop();
  }

  assert.match(
    notify('up').refused ?? '',
    /web was started 5 times within a minute; wait before you start it again/,
  );
  const asAgent = send(harness, {
    type: 'start-service',
    service: 'web',
    at: harness.time,
    by: {kind: 'agent', session: 's2'},
  });
  assert.match(asAgent.refused ?? '', /started 5 times within a minute/);
  harness.time += 60_000;
  assert.equal(notify('up').refused, undefined);
});
