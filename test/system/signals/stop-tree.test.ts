import assert from 'node:assert/strict';
import path from 'node:path';
import {type TestContext, test} from 'node:test';
import {setTimeout as pass} from 'node:timers/promises';
import {
  type Process,
  type ProcessControl,
  readProcessTree,
  type SessionRoot,
  signalProcess,
  type Stopped,
  type StopStep,
  stopSteps,
  stopTree,
} from '../../../source/system/index.ts';
import {eventually} from '../../support/eventually.ts';
import {temporaryDirectory} from '../fixtures.ts';
import {freePort} from '../support/free-port.ts';
import {isAlive, kernel, processAt} from '../support/own-kernel.ts';
import {type FakeProc, fakeBootId, createFakeProc} from '../support/fake-proc.ts';
import {startInTerminal} from '../support/terminal-program.ts';
import {createTestProcesses} from '../support/test-processes.ts';

const server = path.join(import.meta.dirname, '../programs', 'serve.mjs');

/** The real steps, with less patience for the deaf. */
const quick: readonly StopStep[] = [
  {reach: 'terminal', signal: 'SIGTERM', forMs: 500},
  {reach: 'terminal', signal: 'SIGKILL', forMs: 5000},
  {reach: 'all', signal: 'SIGTERM', forMs: 500},
  {reach: 'all', signal: 'SIGKILL', forMs: 5000},
];

/** For those who obey: however slow the machine is, nobody loses patience with them. */
const patient: readonly StopStep[] = stopSteps.map((step) => ({...step, forMs: 60_000}));

async function stop(
  session: SessionRoot,
  steps = stopSteps,
  control?: ProcessControl,
): Promise<Stopped> {
  const stopped = await stopTree(session, kernel, {
    steps,
    ...(control === undefined ? {} : {control}),
  });
  if ('unknown' in stopped) throw new Error(stopped.unknown);
  return stopped.value;
}

async function getMembers(session: SessionRoot): Promise<readonly Process[]> {
  const tree = await readProcessTree(session, kernel);
  return 'value' in tree ? tree.value.members : [];
}

async function isGone({identity}: Process): Promise<boolean> {
  return !isAlive(await processAt(identity.pid));
}

/**
 * A session on a terminal, when the script has come to its end and so many of its processes sleep.
 */
async function startSession(
  t: TestContext,
  script: string,
  sleepers: number,
): Promise<SessionRoot> {
  const [testProcesses, cwd] = [createTestProcesses(t), temporaryDirectory(t)];
  const cookie = testProcesses.cookie('stop');
  const program = await startInTerminal(t, ['bash', '-c', `${script}\necho begun\nwait`], {
    cwd,
    cookie,
    env: {NODE: process.execPath, SERVER: server},
  });
  const session: SessionRoot = {id: 's1', cookie, root: program.root.identity};
  await eventually('the session has begun', () => program.screen().includes('begun'));
  await eventually(
    'all sleep',
    async () => (await getMembers(session)).filter(({name}) => name === 'sleep').length >= sleepers,
  );
  return session;
}

/** signal and name of everything that got one. */
function getSummary({signals}: Stopped): string[] {
  return signals
    .filter(({outcome}) => outcome.at === 'signalled')
    .map(({signal, name}) => `${signal} ${name}`);
}

test('an obedient session ends by one gentle signal', async (t) => {
  const session = await startSession(t, 'sleep 1000 & sleep 1001 &', 2);
  const stopped = await stop(session, patient);
  assert.deepEqual(getSummary(stopped).toSorted(), [
    'SIGTERM bash',
    'SIGTERM sleep',
    'SIGTERM sleep',
  ]);
  assert.deepEqual([stopped.survivors, stopped.unproven, stopped.ports], [[], [], []]);
});

test('who ignores the gentle signal gets the hard one, and only he', async (t) => {
  const session = await startSession(
    t,
    `sleep 1000 & bash -c 'trap "" TERM HUP; sleep 1001; sleep 1002' &`,
    2,
  );
  // Time passes only when those who obey have ended: the deaf shell and its sleeper are left.
  const stopped = await stop(
    session,
    quick,
    createWaitingControl(async () => (await getMembers(session)).length <= 2),
  );
  assert.deepEqual(
    getSummary(stopped)
      .filter((text) => text.startsWith('SIGKILL'))
      .toSorted(),
    ['SIGKILL bash', 'SIGKILL sleep'],
  );
  assert.deepEqual(stopped.survivors, []);
});

for (const [shell, ...options] of [
  ['bash', '--norc', '-i'],
  ['dash', '-i'],
] as const) {
  test(`a ${shell} that somebody types into is told that its terminal has gone, with what runs in it`, async (t) => {
    const cookie = createTestProcesses(t).cookie('stop');
    const program = await startInTerminal(t, [shell, ...options], {
      cookie,
      cwd: temporaryDirectory(t),
      env: {PS1: 'ready> ', ENV: '/dev/null'},
    });
    const session: SessionRoot = {id: 's1', cookie, root: program.root.identity};
    await eventually('it takes commands', () => program.screen().includes('ready>'));
    program.type('sleep 1000 & sleep 1001\n');
    await eventually(
      'all sleep',
      async () => (await getMembers(session)).filter(({name}) => name === 'sleep').length === 2,
    );
    const stopped = await stop(session, patient);
    assert.deepEqual(getSummary(stopped).toSorted(), [
      `SIGHUP ${shell}`,
      `SIGTERM ${shell}`,
      'SIGTERM sleep',
      'SIGTERM sleep',
    ]);
    assert.deepEqual(stopped.survivors, []);
  });
}

for (const [who, mask, expected] of [
  ['a shell of which only the mask is known', '0000000000384004', ['SIGTERM -100', 'SIGHUP 100']],
  ['one that also ignores the hangup', '0000000000384005', ['SIGTERM -100']],
  ['one that ignores SIGTERM alone', '0000000000004000', ['SIGTERM -100']],
  ['one that ignores the stop key alone', '0000000000080000', ['SIGTERM -100']],
  ['one that ignores what has higher numbers', 'ffffffff00000000', ['SIGTERM -100']],
  ['one whose mask is no number', 'none', ['SIGTERM -100']],
] as const) {
  test(`the hangup and ${who}`, async (t) => {
    const fakeProc = createFakeProc(t);
    fakeProc.put({pid: 100, startTime: 10, environ: 'ORCH_SESSION=c\0'});
    fakeProc.putFile(
      '100/status',
      `Name:\tx\nSigBlk:\t0000000000010000\nSigIgn:\t${mask}\nSigCgt:\tffffffffffffffff\n`,
    );
    const {control, kills} = recordControl(() => undefined);
    await stopTree(
      {id: 's1', cookie: 'c', root: {pid: 100, startTime: 10, bootId: fakeBootId}},
      fakeProc.kernel,
      {control, steps: brief.slice(0, 1)},
    );
    assert.deepEqual(kills, expected);
  });
}

test('the hangup is said again to a shell that sleeps on, and to nobody else', async (t) => {
  const fakeProc = createFakeProc(t);
  fakeProc.put(
    {pid: 100, startTime: 10, environ: 'ORCH_SESSION=c\0'},
    {pid: 101, parent: 100, group: 101, session: 100, startTime: 11, environ: 'ORCH_SESSION=c\0'},
  );
  fakeProc.putFile('100/status', 'Name:\tbash\nSigIgn:\t0000000000384004\n');
  fakeProc.putFile('101/status', 'Name:\tdeaf\nSigIgn:\t0000000000004000\n');
  const {control, kills} = recordControl(() => undefined);
  const stopped = await stopTree(
    {id: 's1', cookie: 'c', root: {pid: 100, startTime: 10, bootId: fakeBootId}},
    fakeProc.kernel,
    {control, steps: [{reach: 'terminal', signal: 'SIGTERM', forMs: 1200}]},
  );
  assert.deepEqual(kills, [
    'SIGTERM -100',
    'SIGTERM -101',
    'SIGHUP 100',
    'SIGHUP 100',
    'SIGHUP 100',
  ]);
  assert.deepEqual(
    'value' in stopped &&
      stopped.value.signals.map(({signal, identity: {pid}}) => `${signal} ${pid}`),
    ['SIGTERM 100', 'SIGTERM 101', 'SIGHUP 100'],
    'who got what is told once',
  );
});

test('a stopped process is woken to end', async (t) => {
  const session = await startSession(
    t,
    'sleep 1000 & until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done; kill -STOP $!; until grep -q "^State:.T" /proc/$!/status; do :; done',
    1,
  );
  const stopped = await stop(session, patient);
  assert.deepEqual(getSummary(stopped).toSorted(), ['SIGTERM bash', 'SIGTERM sleep']);
  assert.deepEqual(stopped.survivors, []);
});

test('those that left the terminal are swept up, and the ports are free', async (t) => {
  const port = await freePort();
  const session = await startSession(
    t,
    `(setsid nohup "$NODE" "$SERVER" 127.0.0.1:${port} > served 2>&1 &); env -i setsid sleep 1000 & (setsid bash -c 'trap "" TERM; sleep 1001; sleep 1002' &)\nuntil grep -q listening served 2>/dev/null; do sleep 0.01; done`,
    2,
  );
  const stopped = await stop(session, quick);
  assert.deepEqual(stopped.survivors, []);
  assert.deepEqual(stopped.ports, [{where: {address: '127.0.0.1', port}, isFree: true}]);
  assert.ok(getSummary(stopped).includes('SIGKILL bash'), 'the deaf one');
  assert.deepEqual(await getMembers(session), []);
});

test('a crowd that keeps forking is stopped', async (t) => {
  const session = await startSession(
    t,
    `trap '' TERM; (while :; do (sleep 0.05; sleep 1000) & sleep 0.02; done) &`,
    1,
  );
  const stopped = await stop(session, quick);
  assert.deepEqual(stopped.survivors, []);
  assert.deepEqual(await getMembers(session), []);
});

test("who may be the session's and cannot be proven to be is named and left alone", async (t) => {
  const [testProcesses, directory] = [createTestProcesses(t), temporaryDirectory(t)];
  const cookie = testProcesses.cookie('stop');
  const {
    process: {identity: root},
    line,
  } = await testProcesses.start(
    ['bash', '-c', '(env -i setsid bash -c "echo \\$\\$; exec sleep 1000" &); sleep 1001'],
    {cookie, cwd: directory, isLeader: true},
  );
  const stray = await processAt(Number(await line()));
  assert.ok(stray);
  testProcesses.adopt(stray.identity);
  await eventually(
    'no link leads to it any more',
    async () =>
      !(await getMembers({id: 's1', cookie, root})).some(
        ({identity}) => identity.pid === stray.identity.pid,
      ),
  );
  const stopped = await stopTree({id: 's1', cookie, root}, kernel, {directory, steps: quick});
  assert.deepEqual(
    'value' in stopped &&
      stopped.value.unproven.map(({process: {identity}, because}) => ({
        pid: identity.pid,
        because,
      })),
    [{pid: stray.identity.pid, because: 'directory'}],
  );
  assert.equal(await isGone(stray), false);
});

test('nobody else is touched: not a neighbour in the same directory, not another session, not us', async (t) => {
  const session = await startSession(t, 'sleep 1000 &', 1);
  const testProcesses = createTestProcesses(t);
  const neighbours = [
    await testProcesses.start(['sleep', '1000'], {isLeader: true}),
    await testProcesses.start(['sleep', '1000'], {
      cookie: testProcesses.cookie('other'),
      isLeader: true,
    }),
  ];
  const stopped = await stop(session);
  assert.deepEqual(stopped.survivors, []);
  for (const {process: neighbour} of neighbours) assert.equal(await isGone(neighbour), false);
});

test('a session of which nothing is left is no work', async (t) => {
  const session: SessionRoot = {id: 's1', cookie: createTestProcesses(t).cookie('nothing')};
  assert.deepEqual(await stop(session), {signals: [], survivors: [], unproven: [], ports: []});
});

test('a signal goes to the very process that was meant, or to none', async (t) => {
  const {process: sleeper} = await createTestProcesses(t).start(['sleep', '1000']);
  const {identity} = sleeper;
  const send = (target: typeof identity): ReturnType<typeof signalProcess> =>
    signalProcess({identity: target}, 'SIGTERM', kernel);
  assert.deepEqual(await send({...identity, startTime: identity.startTime - 1}), {
    at: 'refused',
    why: 'another-process',
  });
  assert.deepEqual(await send({...identity, bootId: 'another'}), {
    at: 'refused',
    why: 'another-process',
  });
  assert.deepEqual(
    await signalProcess({identity, group: identity.pid}, 'SIGTERM', kernel),
    {at: 'refused', why: 'gone'},
    'it is not in that group',
  );
  assert.deepEqual(
    await signalProcess({identity: {...identity, pid: process.pid}}, 'SIGTERM', kernel),
    {at: 'refused', why: 'ourselves'},
  );
  assert.equal(await isGone(sleeper), false);
  assert.deepEqual(await send(identity), {at: 'signalled'});
  await eventually('it has ended', () => isGone(sleeper));
  assert.deepEqual(await send(identity), {at: 'refused', why: 'gone'});
});

test('where processes cannot be read, nobody is signalled', async (t) => {
  const {kernel: fakeKernel} = createFakeProc(t);
  const nowhere = {...fakeKernel, proc: '/no/such/directory'};
  assert.deepEqual(
    await signalProcess({identity: {pid: 999_999, startTime: 1, bootId: 'x'}}, 'SIGKILL', nowhere),
    {at: 'refused', why: 'unreadable'},
  );
  assert.ok('unknown' in (await stopTree({id: 's1', cookie: 'c'}, nowhere)));
});

/** The real control, with a clock that advances only while the condition holds. */
function createWaitingControl(isSo: () => Promise<boolean>): ProcessControl {
  let now = 0;
  return {
    kill: (pid, signal) => {
      process.kill(pid, signal);
    },
    wait: async (ms) => {
      await pass(ms);
      if (await isSo()) now += ms;
    },
    now: () => now,
  };
}

/** On the clock of the control below: two looks each. */
const brief = quick.map((step) => ({...step, forMs: 30}));

/** Hands that only write down what they would do; the clock is theirs. */
function recordControl(during: (kills: readonly string[]) => void): {
  readonly control: ProcessControl;
  readonly kills: string[];
} {
  const kills: string[] = [];
  let now = 0;
  return {
    kills,
    control: {
      kill: (pid, signal) => {
        kills.push(`${signal} ${pid}`);
        during(kills);
      },
      wait: (ms) => {
        now += ms;
        during(kills);
        return Promise.resolve();
      },
      now: () => now,
    },
  };
}

function addSession(fakeProc: FakeProc): SessionRoot {
  const environ = 'ORCH_SESSION=c\0';
  fakeProc.put(
    {pid: 100, startTime: 10, environ},
    {pid: 101, parent: 100, group: 101, session: 100, startTime: 11, environ},
    {pid: 102, parent: 1, group: 102, session: 102, startTime: 12, environ},
    {pid: 900, parent: 1, group: 900, session: 900, startTime: 1},
  );
  return {id: 's1', cookie: 'c', root: {pid: 100, startTime: 10, bootId: fakeBootId}};
}

test('the whole ladder, on processes that never die', async (t) => {
  const fakeProc = createFakeProc(t);
  const session = addSession(fakeProc);
  const {control, kills} = recordControl(() => undefined);
  const stopped = await stopTree(session, fakeProc.kernel, {control, steps: brief});
  assert.deepEqual(kills, [
    'SIGTERM -100',
    'SIGTERM -101',
    'SIGKILL -100',
    'SIGKILL -101',
    'SIGTERM -102',
    'SIGKILL -102',
  ]);
  assert.deepEqual(
    'value' in stopped &&
      stopped.value.survivors.map(({process: {identity}, found}) => `${identity.pid} ${found}`),
    ['100 cookie', '101 cookie', '102 cookie'],
  );
});

test('a number that is used again between two steps belongs to somebody else', async (t) => {
  const fakeProc = createFakeProc(t);
  const session = addSession(fakeProc);
  const {control, kills} = recordControl(() => {
    fakeProc.put({pid: 101, parent: 1, group: 101, session: 101, startTime: 5000});
  });
  await stopTree(session, fakeProc.kernel, {control, steps: brief});
  assert.deepEqual(kills, ['SIGTERM -100', 'SIGKILL -100', 'SIGTERM -102', 'SIGKILL -102']);
});

test('a number that is used again between the look and the signal is seen directly before it', async (t) => {
  const fakeProc = createFakeProc(t);
  const session = addSession(fakeProc);
  const {control, kills} = recordControl(([first]) => {
    if (first !== 'SIGTERM -100') return;
    fakeProc.put(
      {pid: 101, parent: 1, group: 101, session: 101, startTime: 5000},
      {pid: 102, parent: 1, group: 102, session: 102, startTime: 5001},
    );
  });
  const stopped = await stopTree(session, fakeProc.kernel, {control, steps: brief});
  assert.deepEqual(kills, ['SIGTERM -100', 'SIGKILL -100']);
  assert.deepEqual(
    'value' in stopped &&
      stopped.value.signals
        .filter(({outcome}) => outcome.at === 'refused')
        .map(({identity, outcome}) => ({pid: identity.pid, outcome})),
    [{pid: 101, outcome: {at: 'refused', why: 'another-process'}}],
  );
});

test('a group in which somebody else is gets no signal as a group', async (t) => {
  const fakeProc = createFakeProc(t);
  const session = addSession(fakeProc);
  fakeProc.put({
    pid: 103,
    parent: 101,
    group: 101,
    session: 100,
    startTime: 13,
    environ: 'ORCH_SESSION=of another\0',
  });
  const {control, kills} = recordControl(() => undefined);
  const apart = [{pid: 103, startTime: 13, bootId: fakeBootId}];
  await stopTree({...session, apart}, fakeProc.kernel, {control, steps: brief.slice(0, 1)});
  assert.deepEqual(kills, ['SIGTERM -100', 'SIGTERM 101']);
});

test('who has given itself the mark of another session is ended with the others', async (t) => {
  const fakeProc = createFakeProc(t);
  const session = addSession(fakeProc);
  fakeProc.put({
    pid: 103,
    parent: 101,
    group: 103,
    session: 103,
    startTime: 13,
    environ: 'ORCH_SESSION=told\0',
  });
  const {control, kills} = recordControl(() => undefined);
  await stopTree(session, fakeProc.kernel, {control, steps: brief});
  assert.ok(kills.includes('SIGKILL -103'), kills.join(', '));
});

test('we do not signal ourselves, not as one of a group either', async (t) => {
  const fakeProc = createFakeProc(t);
  const session = addSession(fakeProc);
  fakeProc.put({
    pid: process.pid,
    parent: 100,
    group: 101,
    session: 100,
    startTime: 15,
    environ: 'ORCH_SESSION=c\0',
  });
  const {control, kills} = recordControl(() => undefined);
  await stopTree(session, fakeProc.kernel, {control, steps: brief.slice(0, 1)});
  assert.deepEqual(kills, ['SIGTERM -100', 'SIGTERM 101']);
});

test('a stopped process is woken although the first of its group has already gone', async (t) => {
  const fakeProc = createFakeProc(t);
  const session = addSession(fakeProc);
  fakeProc.put({
    pid: 105,
    parent: 100,
    group: 100,
    session: 100,
    state: 'T',
    startTime: 15,
    environ: 'ORCH_SESSION=c\0',
  });
  const {control, kills} = recordControl(([first]) => {
    if (first === 'SIGTERM -100') fakeProc.remove(100);
  });
  await stopTree(session, fakeProc.kernel, {control, steps: brief.slice(0, 1)});
  assert.deepEqual(kills, ['SIGTERM -100', 'SIGCONT 105', 'SIGTERM -101']);
});

test('who loses its parent on the way is not lost from sight', async (t) => {
  const fakeProc = createFakeProc(t);
  const session = addSession(fakeProc);
  fakeProc.put({pid: 104, parent: 101, group: 104, session: 104, startTime: 14});
  const {control, kills} = recordControl((all) => {
    if (!all.includes('SIGTERM -101')) return;
    fakeProc.remove(101);
    fakeProc.put({pid: 104, parent: 1, group: 104, session: 104, startTime: 14});
  });
  await stopTree(session, fakeProc.kernel, {control, steps: brief});
  assert.deepEqual(
    kills.filter((text) => text.endsWith('104')),
    ['SIGTERM -104', 'SIGKILL -104'],
  );
});
