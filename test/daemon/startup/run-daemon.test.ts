import assert from 'node:assert/strict';
import path from 'node:path';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {createServer} from 'node:net';
import {test} from 'node:test';
import {ensureLockName, takeLock} from '../../../source/daemon/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createDaemonFixture, end, isRunning, processesIn} from '../support/daemon-fixture.ts';

test('ten clients that race to start the daemon reach one, five times', async (t) => {
  const fixture = createDaemonFixture(t);
  for (let round = 1; round <= 5; round++) {
    const outcomes = await Promise.all(
      Array.from({length: 10}, () => fixture.launch('daemon', 'start')),
    );
    assert.deepEqual(
      outcomes.filter(({code}) => code !== 0),
      [],
    );
    const pids = new Set(outcomes.map(({out}) => /pid\D*(\d+)/.exec(out)?.[1]));
    assert.equal(pids.size, 1, `round ${round}: ${[...pids].join(', ')}`);
    await eventually('those that lost are gone', () => processesIn(fixture.home).length === 1);
    await fixture.killDaemon(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
  }
});

test('a socket that nobody listens on is no daemon, and what is no socket is replaced', async (t) => {
  const fixture = createDaemonFixture(t);
  const {runtimeDirectory, socket} = fixture.current();
  mkdirSync(runtimeDirectory, {mode: 0o700});
  const stale = createServer().listen(socket);
  await eventually('it listens', () => stale.listening);
  renameSync(socket, `${socket}.aside`);
  stale.close();
  renameSync(`${socket}.aside`, socket);
  assert.ok(existsSync(socket));
  assert.equal(fixture.run('sessions').code, 0);
  await fixture.killDaemon('SIGKILL');
  writeFileSync(`${socket}.new`, '');
  renameSync(`${socket}.new`, socket);
  assert.equal(fixture.run('sessions').code, 0);
});

test('a daemon waits for one that is just ending, and does not wait for one that serves', async (t) => {
  const fixture = createDaemonFixture(t);
  const {stateDirectory} = fixture.current();
  mkdirSync(stateDirectory, {recursive: true, mode: 0o700});
  const lock = await takeLock(ensureLockName(stateDirectory));
  const starting = fixture.launch('daemon', 'start');
  await eventually('a daemon waits', () => processesIn(fixture.home).length >= 2);
  await lock?.release();
  assert.match((await starting).out, /^started: pid/);
  const {code, err} = await fixture.launch('daemon', 'run');
  assert.equal(code, 0);
  assert.match(err, /another daemon serves this repository/);
});

test('a daemon that does not answer is told of, and nobody waits for ever', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.ask({about: 'daemon'});
  const pid = (await fixture.daemonPid())!;
  end(pid, fixture.home, 'SIGSTOP');
  t.after(() => {
    end(pid, fixture.home, 'SIGCONT');
  });
  const {code, err} = await fixture.launch('sessions');
  end(pid, fixture.home, 'SIGCONT');
  assert.equal(code, 2);
  assert.match(err, /the daemon does not answer/);
  assert.equal(await fixture.daemonPid(), pid, 'and it is still the one');
});

test('a place that others could write to, or a link, is refused with what to do', async (t) => {
  const places = ['state', 'runtime'] as const;
  for (const which of places) {
    for (const how of ['open', 'link'] as const) {
      const fixture = createDaemonFixture(t);
      const {stateDirectory, runtimeDirectory} = fixture.current();
      const directory = which === 'state' ? stateDirectory : runtimeDirectory;
      mkdirSync(path.dirname(directory), {recursive: true, mode: 0o700});
      if (how === 'open') mkdirSync(directory);
      else symlinkSync(fixture.root, directory);
      if (how === 'open') chmodSync(directory, 0o777);
      const {code, err} = await fixture.launch('start', '--', 'true');
      assert.equal(code, 2, err);
      assert.match(
        err,
        how === 'open'
          ? /mode 0777, open to other users. Close it: chmod 700/
          : /a symbolic link to .* Remove the link/,
      );
      assert.doesNotMatch(err, /^ +at /m);
      if (how === 'open') chmodSync(directory, 0o700);
    }
  }
});

test('the socket and the token are for their owner alone', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.ask({about: 'daemon'});
  const {socket, tokenFile, stateDirectory} = fixture.current();
  assert.equal(statSync(socket).mode & 0o777, 0o600);
  assert.equal(statSync(tokenFile).mode & 0o777, 0o600);
  assert.equal(statSync(path.join(stateDirectory, 'journal.jsonl')).mode & 0o777, 0o600);
});

test('a daemon with nothing to keep and nobody there ends itself, and not while a session lives', async (t) => {
  const fixture = createDaemonFixture(t);
  await fixture.start('sh', '-c', 'until [ -e enough ]; do sleep 0.05; done');
  // The impatient one finds the session: before, it might have ended itself while we were on our
  // way to it.
  await fixture.killDaemon('SIGKILL');
  Object.assign(fixture.env, {ORCHESTRA_IDLE_MS: '300'});
  await fixture.ask({about: 'daemon'});
  const pid = (await fixture.daemonPid())!;
  await eventually(
    'ten times its patience passes',
    (() => {
      const begun = performance.now();
      return () => performance.now() - begun > 3000;
    })(),
  );
  assert.ok(isRunning(pid), 'a session lives');
  writeFileSync(path.join(fixture.root, 'enough'), '');
  await eventually('it ends itself', () => !isRunning(pid));
  assert.equal(fixture.events().at(-1)?.type, 'daemon-stopping');
  assert.equal(existsSync(fixture.current().socket), false);
});
