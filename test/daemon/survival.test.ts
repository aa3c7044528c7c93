import assert from 'node:assert/strict';
import path from 'node:path';
import {spawn} from 'node:child_process';
import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {eventually} from '../support/eventually.ts';
import {
  createDaemonFixture,
  type DaemonFixture,
  end,
  isRunning,
  launcher,
} from './support/daemon-fixture.ts';

/**
 * Counts aloud until it finds the file `enough`, tells of every hang-up, and ends with status 7.
 */
const counter =
  'trap "echo hung up" HUP; i=0; while [ ! -e enough ]; do i=$((i+1)); echo "line $i"; done; echo "last $i"; exit 7';

/** What the counter must have written, byte for byte, by its own last word. */
function getExpected(output: string): string {
  const last = Number(/last (\d+)\r\n$/.exec(output)?.[1]);
  return `${Array.from({length: last}, (_, index) => `line ${index + 1}\r\n`).join('')}last ${last}\r\n`;
}

async function hasCounted(fixture: DaemonFixture, session: string): Promise<void> {
  await eventually('it has counted for a while', () => readIfThere(fixture, session).length > 1000);
}

async function checkCounter(fixture: DaemonFixture, session: string): Promise<void> {
  await hasCounted(fixture, session);
  writeFileSync(path.join(fixture.root, 'enough'), '');
  const {status, ended} = await fixture.endOf(session);
  assert.deepEqual([status, ended?.code, ended?.signal], ['exited', 7, null]);
  const output = fixture.outputOf(session);
  assert.ok(output === getExpected(output), 'every byte is there once');
}

test('ten times kill -9 of the daemon under a flood of output: nothing is lost, nobody is hung up', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.start('sh', '-c', counter);
  for (let kills = 0; kills < 10; kills++) {
    await fixture.killDaemon('SIGKILL');
    await fixture.ask({about: 'daemon'});
  }

  // Each of those that were killed may have come to nothing.
  await eventually('it runs', async () => (await fixture.sessionOf('s1'))?.status === 'running');
  await checkCounter(fixture, 's1');
  assert.deepEqual(
    fixture
      .events()
      .filter(({type}) => type.startsWith('session-'))
      .map(({type}) => type),
    ['session-asked', 'session-created', 'session-running', 'session-exited'],
  );
});

test('what ends while no daemon runs is known to the next one, with its exit status', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.start('sh', '-c', counter);
  await fixture.start('sh', '-c', 'kill -KILL $$');
  await fixture.endOf('s2');
  await hasCounted(fixture, 's1');
  const child = await eventually(
    'it is written down who the program is',
    () => fixture.metaOf('s1').child,
  );
  await fixture.killDaemon('SIGKILL');
  writeFileSync(path.join(fixture.root, 'enough'), '');
  await eventually('it has ended', () => !isRunning(child.pid));
  await checkCounter(fixture, 's1');
  assert.deepEqual((await fixture.sessionOf('s2'))?.ended?.signal, 'SIGKILL');
});

test('a question that was asked while no daemon ran is seen by the next one, and an answer reaches the program once', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.start(
    'sh',
    '-c',
    'until [ -e ask ]; do sleep 0.05; done; printf "port? "; read port; echo "took $port"',
  );
  await eventually('it runs', async () => (await fixture.sessionOf('s1'))?.status === 'running');
  await fixture.killDaemon('SIGKILL');
  writeFileSync(path.join(fixture.root, 'ask'), '');
  await eventually('it asks', () => fixture.outputOf('s1').includes('port? '));
  const asked = await eventually('it is seen that it waits', async () =>
    (await fixture.sessions()).find(({status}) => status === 'waiting'),
  );
  assert.equal(asked.waiting?.question, 'port?');
  assert.equal(asked.waiting.proof, 'proven');
  assert.equal(fixture.run('send', 's1', '3000').code, 0);
  await fixture.endOf('s1');
  assert.equal(fixture.outputOf('s1'), 'port? 3000\r\ntook 3000\r\n');
});

test('neither the end of a client nor a stop, a restart, a SIGTERM of the daemon is felt by a session', async (t) => {
  const fixture = createDaemonFixture(t);
  const client = spawn(process.execPath, [launcher, 'start', '--', 'sh', '-c', counter], {
    cwd: fixture.root,
    env: fixture.env,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  await eventually(
    'the session is there',
    async () => (await fixture.sessionOf('s1'))?.status === 'running',
  );
  client.kill('SIGKILL');
  const follower = spawn(process.execPath, [launcher, 'logs', 's1', '--follow'], {
    cwd: fixture.root,
    env: fixture.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await eventually('somebody reads', () => follower.stdout.readableLength > 0);
  follower.kill('SIGKILL');

  const {pid, child} = fixture.metaOf('s1');
  assert.equal(fixture.run('daemon', 'stop').code, 0);
  assert.equal(fixture.run('daemon', 'restart').code, 0);
  const daemon = (await fixture.daemonPid())!;
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGPIPE'] as const) end(daemon, fixture.home, signal);
  assert.equal(
    ((await fixture.ask({about: 'daemon'})) as {pid: number}).pid,
    daemon,
    'it does not listen to those',
  );
  await fixture.killDaemon('SIGTERM');
  // What was under way when its patience ended may be told after it.
  assert.equal(
    fixture.events().findLast(({type}) => type.startsWith('daemon-'))?.type,
    'daemon-stopping',
  );
  assert.deepEqual(
    await fixture.sessionOf('s1').then((session) => [session?.status, session?.pid]),
    ['running', child?.pid],
  );
  assert.equal(fixture.metaOf('s1').pid, pid);
  await checkCounter(fixture, 's1');
});

test('kill -9 of a keeper loses that session and no other, says so, and leaves nothing running', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.start(
    'bash',
    '-c',
    'setsid sleep 1001 & trap "" HUP; echo up; while :; do sleep 0.1; done',
  );
  await fixture.start('sleep', '1002');
  await eventually('it is up', () => readIfThere(fixture, 's1').includes('up'));
  const explained = (await fixture.ask({about: 'explain', session: 's1'})) as {
    processes: {pid: number}[];
  };
  end(fixture.metaOf('s1').pid, fixture.home);
  const missing = await fixture.endOf('s1');
  assert.equal(missing.status, 'lost');
  assert.match(
    missing.ended?.why ?? '',
    /^its keeper is gone and left no exit status; \d processes that it left were ended$/,
  );
  assert.deepEqual(
    explained.processes.filter(({pid}) => isRunning(pid)),
    [],
  );
  assert.match(fixture.run('sessions', '--all').out, /s1 +lost: its keeper is gone/);
  assert.equal(fixture.run('logs', 's1').out, 'up\r\n');
  assert.equal((await fixture.sessionOf('s2'))?.status, 'running');
  await fixture.ask({about: 'wish', wish: {type: 'stop', what: 's2'}});
  await fixture.endOf('s2');
  await eventually(
    "no socket is left but the daemon's",
    () =>
      readdirSync(fixture.current().runtimeDirectory).filter((name) => name.endsWith('.sock'))
        .length === 1,
  );
});

test('the death of a keeper while no daemon runs is found out by the next one', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.start('sleep', '1001');
  await eventually('it runs', async () => (await fixture.sessionOf('s1'))?.status === 'running');
  const {pid} = fixture.metaOf('s1');
  await fixture.killDaemon('SIGKILL');
  end(pid, fixture.home);
  await eventually('the keeper is gone', () => !isRunning(pid));
  assert.equal((await fixture.endOf('s1')).status, 'lost');
});

test('a keeper that cannot be reached but lives is not given up', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.start('sh', '-c', counter);
  await eventually('it runs', async () => (await fixture.sessionOf('s1'))?.status === 'running');
  await fixture.killDaemon('SIGKILL');
  rmSync(fixture.metaOf('s1').socket);
  assert.equal((await fixture.sessionOf('s1'))?.status, 'running');
  await checkCounter(fixture, 's1');
});

test('a keeper that does not answer holds nobody up: not the other sessions, not the end of the daemon', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.start('sleep', '1001');
  await eventually('it runs', async () => (await fixture.sessionOf('s1'))?.status === 'running');
  const {pid} = fixture.metaOf('s1');
  end(pid, fixture.home, 'SIGSTOP');
  t.after(() => {
    end(pid, fixture.home, 'SIGCONT');
  });
  await fixture.killDaemon('SIGKILL');
  await fixture.start('true');
  assert.equal((await fixture.endOf('s2')).ended?.code, 0);
  const daemon = await fixture.daemonPid();
  assert.equal(fixture.run('daemon', 'stop').code, 0);
  await eventually('it is gone', () => !isRunning(daemon!));
  end(pid, fixture.home, 'SIGCONT');
  assert.equal((await fixture.sessionOf('s1'))?.status, 'running');
});

test('a daemon that is killed while sessions start leaves none half-started', async (t) => {
  const fixture = createDaemonFixture(t);
  for (let round = 1; round <= 4; round++) {
    const daemon = await fixture
      .connect()
      .catch(() => fixture.ask({about: 'daemon'}).then(() => fixture.connect()));
    const command = {
      type: 'start-session',
      name: 'n',
      command: ['sh', '-c', 'echo once >> ran; exit 5'],
      directory: fixture.root,
    } as const;
    const asked = Array.from({length: 5}, () =>
      daemon
        .ask({about: 'wish', wish: command, env: {...fixture.env, ROUND: String(round)}})
        .catch(() => undefined),
    );
    await Promise.race([...asked, eventually('some moment passes', () => Math.random() < 0.1)]);
    end(daemon.welcome.pid, fixture.home);
    await Promise.all(asked);
    await eventually('it is gone', () => !isRunning(daemon.welcome.pid));
  }

  const sessions = await eventually('all have ended', async () => {
    const all = await fixture.sessions();
    return all.every(({ended}) => ended !== undefined) ? all : undefined;
  });
  assert.deepEqual(
    sessions.filter(({ended}) => ended?.code !== 5),
    [],
  );
  assert.equal(
    sessions.length,
    fixture.events().filter(({type}) => type === 'session-asked').length,
  );
  assert.equal(
    sessions.length === 0 ? '' : readFileSync(path.join(fixture.root, 'ran'), 'utf8'),
    'once\n'.repeat(sessions.length),
  );
});

test('a daemon that a program in a session started is not part of that session', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.start(
    'sh',
    '-c',
    `${process.execPath} ${launcher} daemon restart; exec sleep 1001`,
  );
  await eventually('it was replaced', () => readIfThere(fixture, 's1').includes('restarted'));
  await fixture.start('sleep', '1002');
  await eventually(
    'the other one runs',
    async () => (await fixture.sessionOf('s2'))?.status === 'running',
  );
  const pid = await fixture.daemonPid();
  await fixture.ask({about: 'wish', wish: {type: 'stop', what: 's1'}});
  await fixture.endOf('s1');
  assert.equal(await fixture.daemonPid(), pid);
  assert.equal((await fixture.sessionOf('s2'))?.status, 'running');
});

function readIfThere(fixture: DaemonFixture, session: string): string {
  try {
    return fixture.outputOf(session);
  } catch {
    return '';
  }
}
