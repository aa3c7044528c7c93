import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {eventually} from '../support/eventually.ts';
import {createPlace, end, isRunning, launcher, type Place} from './support/place.ts';

/** Counts aloud until it finds the file `enough`, tells of every hang-up, and ends with status 7. */
const counter =
  'trap "echo hung up" HUP; i=0; while [ ! -e enough ]; do i=$((i+1)); echo "line $i"; done; echo "last $i"; exit 7';

/** What the counter must have written, byte for byte, by its own last word. */
function expectedOf(output: string): string {
  const last = Number(/last (\d+)\r\n$/.exec(output)?.[1]);
  return `${Array.from({length: last}, (_, index) => `line ${index + 1}\r\n`).join('')}last ${last}\r\n`;
}

async function hasCounted(place: Place, session: string): Promise<void> {
  await eventually('it has counted for a while', () => readIfThere(place, session).length > 1000);
}

async function checkCounter(place: Place, session: string): Promise<void> {
  await hasCounted(place, session);
  writeFileSync(path.join(place.root, 'enough'), '');
  const {status, ended} = await place.endOf(session);
  assert.deepEqual([status, ended?.code, ended?.signal], ['exited', 7, null]);
  const output = place.outputOf(session);
  assert.ok(output === expectedOf(output), 'every byte is there once');
}

test('ten times kill -9 of the daemon under a flood of output: nothing is lost, nobody is hung up', async (t) => {
  const place = createPlace(t);
  await place.start('sh', '-c', counter);
  for (let kills = 0; kills < 10; kills++) {
    await place.killDaemon('SIGKILL');
    await place.ask({about: 'daemon'});
  }

  // Each of those that were killed may have come to nothing.
  await eventually('it runs', async () => (await place.sessionOf('s1'))?.status === 'running');
  await checkCounter(place, 's1');
  assert.deepEqual(
    place
      .events()
      .filter(({type}) => type.startsWith('session-'))
      .map(({type}) => type),
    ['session-asked', 'session-created', 'session-running', 'session-exited'],
  );
});

test('what ends while no daemon runs is known to the next one, with its exit status', async (t) => {
  const place = createPlace(t);
  await place.start('sh', '-c', counter);
  await place.start('sh', '-c', 'kill -KILL $$');
  await place.endOf('s2');
  await hasCounted(place, 's1');
  const child = await eventually(
    'it is written down who the program is',
    () => place.metaOf('s1').child,
  );
  await place.killDaemon('SIGKILL');
  writeFileSync(path.join(place.root, 'enough'), '');
  await eventually('it has ended', () => !isRunning(child.pid));
  await checkCounter(place, 's1');
  assert.deepEqual((await place.sessionOf('s2'))?.ended?.signal, 'SIGKILL');
});

test('a question that was asked while no daemon ran is seen by the next one, and an answer reaches the program once', async (t) => {
  const place = createPlace(t);
  await place.start(
    'sh',
    '-c',
    'until [ -e ask ]; do sleep 0.05; done; printf "port? "; read port; echo "took $port"',
  );
  await eventually('it runs', async () => (await place.sessionOf('s1'))?.status === 'running');
  await place.killDaemon('SIGKILL');
  writeFileSync(path.join(place.root, 'ask'), '');
  await eventually('it asks', () => place.outputOf('s1').includes('port? '));
  const asked = await eventually('it is seen that it waits', async () =>
    (await place.sessions()).find(({status}) => status === 'waiting'),
  );
  assert.equal(asked.waiting?.question, 'port?');
  assert.equal(asked.waiting.proof, 'proven');
  assert.equal(place.run('send', 's1', '3000').code, 0);
  await place.endOf('s1');
  assert.equal(place.outputOf('s1'), 'port? 3000\r\ntook 3000\r\n');
});

test('neither the end of a client nor a stop, a restart, a SIGTERM of the daemon is felt by a session', async (t) => {
  const place = createPlace(t);
  const client = spawn(process.execPath, [launcher, 'start', '--', 'sh', '-c', counter], {
    cwd: place.root,
    env: place.env,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  await eventually(
    'the session is there',
    async () => (await place.sessionOf('s1'))?.status === 'running',
  );
  client.kill('SIGKILL');
  const follower = spawn(process.execPath, [launcher, 'logs', 's1', '--follow'], {
    cwd: place.root,
    env: place.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await eventually('somebody reads', () => follower.stdout.readableLength > 0);
  follower.kill('SIGKILL');

  const {pid, child} = place.metaOf('s1');
  assert.equal(place.run('daemon', 'stop').code, 0);
  assert.equal(place.run('daemon', 'restart').code, 0);
  const daemon = (await place.daemonPid())!;
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGPIPE'] as const) end(daemon, place.home, signal);
  assert.equal(
    ((await place.ask({about: 'daemon'})) as {pid: number}).pid,
    daemon,
    'it does not listen to those',
  );
  await place.killDaemon('SIGTERM');
  // What was under way when its patience ended may be told after it.
  assert.equal(
    place.events().findLast(({type}) => type.startsWith('daemon-'))?.type,
    'daemon-stopping',
  );
  assert.deepEqual(await place.sessionOf('s1').then((session) => [session?.status, session?.pid]), [
    'running',
    child?.pid,
  ]);
  assert.equal(place.metaOf('s1').pid, pid);
  await checkCounter(place, 's1');
});

test('kill -9 of a keeper loses that session and no other, says so, and leaves nothing running', async (t) => {
  const place = createPlace(t);
  await place.start(
    'bash',
    '-c',
    'setsid sleep 1001 & trap "" HUP; echo up; while :; do sleep 0.1; done',
  );
  await place.start('sleep', '1002');
  await eventually('it is up', () => readIfThere(place, 's1').includes('up'));
  const explained = (await place.ask({about: 'explain', session: 's1'})) as {
    processes: {pid: number}[];
  };
  end(place.metaOf('s1').pid, place.home);
  const lost = await place.endOf('s1');
  assert.equal(lost.status, 'lost');
  assert.match(
    lost.ended?.why ?? '',
    /^its keeper is gone and left no exit status; \d processes that it left were ended$/,
  );
  assert.deepEqual(
    explained.processes.filter(({pid}) => isRunning(pid)),
    [],
  );
  assert.match(place.run('sessions', '--all').out, /s1 +lost: its keeper is gone/);
  assert.equal(place.run('logs', 's1').out, 'up\r\n');
  assert.equal((await place.sessionOf('s2'))?.status, 'running');
  await place.ask({about: 'wish', wish: {type: 'stop', what: 's2'}});
  await place.endOf('s2');
  await eventually(
    "no socket is left but the daemon's",
    () =>
      readdirSync(place.here().runtimeDirectory).filter((name) => name.endsWith('.sock')).length ===
      1,
  );
});

test('the death of a keeper while no daemon runs is found out by the next one', async (t) => {
  const place = createPlace(t);
  await place.start('sleep', '1001');
  await eventually('it runs', async () => (await place.sessionOf('s1'))?.status === 'running');
  const {pid} = place.metaOf('s1');
  await place.killDaemon('SIGKILL');
  end(pid, place.home);
  await eventually('the keeper is gone', () => !isRunning(pid));
  assert.equal((await place.endOf('s1')).status, 'lost');
});

test('a keeper that cannot be reached but lives is not given up', async (t) => {
  const place = createPlace(t);
  await place.start('sh', '-c', counter);
  await eventually('it runs', async () => (await place.sessionOf('s1'))?.status === 'running');
  await place.killDaemon('SIGKILL');
  rmSync(place.metaOf('s1').socket);
  assert.equal((await place.sessionOf('s1'))?.status, 'running');
  await checkCounter(place, 's1');
});

test('a keeper that does not answer holds nobody up: not the other sessions, not the end of the daemon', async (t) => {
  const place = createPlace(t);
  await place.start('sleep', '1001');
  await eventually('it runs', async () => (await place.sessionOf('s1'))?.status === 'running');
  const {pid} = place.metaOf('s1');
  end(pid, place.home, 'SIGSTOP');
  t.after(() => {
    end(pid, place.home, 'SIGCONT');
  });
  await place.killDaemon('SIGKILL');
  await place.start('true');
  assert.equal((await place.endOf('s2')).ended?.code, 0);
  const daemon = await place.daemonPid();
  assert.equal(place.run('daemon', 'stop').code, 0);
  await eventually('it is gone', () => !isRunning(daemon!));
  end(pid, place.home, 'SIGCONT');
  assert.equal((await place.sessionOf('s1'))?.status, 'running');
});

test('a daemon that is killed while sessions start leaves none half-started', async (t) => {
  const place = createPlace(t);
  for (let round = 1; round <= 4; round++) {
    const daemon = await place
      .connect()
      .catch(() => place.ask({about: 'daemon'}).then(() => place.connect()));
    const wish = {
      type: 'start-session',
      name: 'n',
      command: ['sh', '-c', 'echo once >> ran; exit 5'],
      directory: place.root,
    } as const;
    const asked = Array.from({length: 5}, () =>
      daemon
        .ask({about: 'wish', wish, env: {...place.env, ROUND: String(round)}})
        .catch(() => undefined),
    );
    await Promise.race([...asked, eventually('some moment passes', () => Math.random() < 0.1)]);
    end(daemon.welcome.pid, place.home);
    await Promise.all(asked);
    await eventually('it is gone', () => !isRunning(daemon.welcome.pid));
  }

  const sessions = await eventually('all have ended', async () => {
    const all = await place.sessions();
    return all.every(({ended}) => ended !== undefined) ? all : undefined;
  });
  assert.deepEqual(
    sessions.filter(({ended}) => ended?.code !== 5),
    [],
  );
  assert.equal(sessions.length, place.events().filter(({type}) => type === 'session-asked').length);
  assert.equal(
    sessions.length === 0 ? '' : readFileSync(path.join(place.root, 'ran'), 'utf8'),
    'once\n'.repeat(sessions.length),
  );
});

test('a daemon that a program in a session started is not part of that session', async (t) => {
  const place = createPlace(t);
  await place.start('sh', '-c', `${process.execPath} ${launcher} daemon restart; exec sleep 1001`);
  await eventually('it was replaced', () => readIfThere(place, 's1').includes('restarted'));
  await place.start('sleep', '1002');
  await eventually(
    'the other one runs',
    async () => (await place.sessionOf('s2'))?.status === 'running',
  );
  const pid = await place.daemonPid();
  await place.ask({about: 'wish', wish: {type: 'stop', what: 's1'}});
  await place.endOf('s1');
  assert.equal(await place.daemonPid(), pid);
  assert.equal((await place.sessionOf('s2'))?.status, 'running');
});

function readIfThere(place: Place, session: string): string {
  try {
    return place.outputOf(session);
  } catch {
    return '';
  }
}
