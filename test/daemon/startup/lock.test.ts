import assert from 'node:assert/strict';
import path from 'node:path';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {type TestContext, test} from 'node:test';
import {ensureLockName, takeLock} from '../../../source/daemon/index.ts';
import {type LockOptions, waitForLock} from '../../../source/daemon/startup/lock.ts';
import {findNameHolder, getKernel} from '../../../source/system/index.ts';
import {temporaryDirectory} from '../../system/fixtures.ts';
import {eventually} from '../../support/eventually.ts';
import {createDaemonFixture, processesIn} from '../support/daemon-fixture.ts';
import {needs} from '../../support/needs.ts';

const kernel = getKernel({path: '/usr/bin:/bin', now: Date.now});
/** As another user sees this machine: what this test holds is somebody else's to them. */
const otherUserKernel = {...kernel, uid: (process.geteuid?.() ?? 0) + 1};

function optionsIn(
  t: TestContext,
  more: Partial<LockOptions> = {},
): LockOptions & {readonly logged: string[]} {
  const directory = temporaryDirectory(t);
  const logged: string[] = [];
  return {
    stateDirectory: directory,
    socket: path.join(directory, 'd.sock'),
    formerLock: `\0orchestra-test-${path.basename(directory)}`,
    kernel,
    log: (line) => void logged.push(line),
    logged,
    ...more,
  };
}

async function taken(
  t: TestContext,
  name: string,
): Promise<{readonly release: () => Promise<void>}> {
  const lock = await takeLock(name);
  assert.ok(lock !== undefined);
  t.after(() => lock.release());
  return lock;
}

test('the name of the lock is random, for its owner alone, and the same for everybody who starts', (t) => {
  const [one, other] = [temporaryDirectory(t), temporaryDirectory(t)];
  const name = ensureLockName(one);
  assert.match(name, /^\0orchestra-[\da-f]{32}$/);
  assert.equal(ensureLockName(one), name);
  assert.notEqual(ensureLockName(other), name);
  assert.equal(statSync(path.join(one, 'lock-name')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(one), ['lock-name']);
});

test('a name that is damaged is told, and never replaced: somebody may hold the lock by it', (t) => {
  for (const text of ['', 'abc\n', 'a'.repeat(32), `${'a'.repeat(33)}\n`]) {
    const directory = temporaryDirectory(t);
    writeFileSync(path.join(directory, 'lock-name'), text);
    assert.throws(
      () => ensureLockName(directory),
      /lock-name: expected 32 hexadecimal digits.*then remove the file/,
    );
    assert.equal(readFileSync(path.join(directory, 'lock-name'), 'utf8'), text);
  }
});

test('two never have the lock at once, and who has it holds the name of older daemons too', async (t) => {
  const options = optionsIn(t);
  const first = await waitForLock(options);
  assert.ok(first !== undefined);
  assert.equal(await takeLock(options.formerLock), undefined);
  const second = waitForLock(options);
  await first.release();
  const lock = await second;
  assert.ok(lock !== undefined);
  await lock.release();
  assert.deepEqual(await findNameHolder(options.formerLock, kernel), {at: 'nobody'});
});

test('what those left that were killed while they chose a name goes', async (t) => {
  const options = optionsIn(t);
  writeFileSync(path.join(options.stateDirectory, 'lock-name.0123456789ab'), '');
  await (await waitForLock(options))?.release();
  assert.deepEqual(readdirSync(options.stateDirectory), ['lock-name']);
});

test('a daemon of an older version that serves is not joined by another', async (t) => {
  const options = optionsIn(t);
  await taken(t, options.formerLock);
  const server = createServer().listen(options.socket);
  t.after(() => server.close());
  await once(server, 'listening');
  assert.equal(await waitForLock(options), undefined);
  assert.deepEqual(
    await findNameHolder(ensureLockName(options.stateDirectory), kernel),
    {at: 'nobody'},
    'the new name is free again',
  );
});

test('a daemon of an older version that does not answer is waited for, and then named', async (t) => {
  const options = optionsIn(t);
  const former = await taken(t, options.formerLock);
  await assert.rejects(
    waitForLock(options),
    new RegExp(
      `process ${process.pid} \\(.+\\) has the lock of this repository, but does not answer at .*d\\.sock. It is a daemon of an older version that hangs, or was started with another XDG_RUNTIME_DIR. Look at it: ps .*-p ${process.pid}$`,
    ),
  );
  const waiting = waitForLock(options);
  await former.release();
  const lock = await waiting;
  assert.ok(lock !== undefined);
  await lock.release();
});

test("the old name in somebody else's hands keeps no daemon from starting", async (t) => {
  const options = optionsIn(t, {kernel: otherUserKernel});
  await taken(t, options.formerLock);
  const lock = await waitForLock(options);
  assert.ok(lock !== undefined);
  await lock.release();
  assert.match(
    options.logged.join('\n'),
    /another user's process.* uses the lock name of older daemons/,
  );
});

test("the new name in somebody else's hands is told as that, with the way out", async (t) => {
  const options = optionsIn(t, {kernel: otherUserKernel});
  const squatter = await taken(t, ensureLockName(options.stateDirectory));
  await assert.rejects(
    waitForLock(options),
    /of another user .*uses the lock name of this repository, and no daemon of yours runs. Choose another name: rm .*lock-name$/,
  );
  rmSync(path.join(options.stateDirectory, 'lock-name'));
  const lock = await waitForLock(options);
  assert.ok(lock !== undefined);
  await lock.release();
  await squatter.release();
});

/**
 * Only root can be another user for a moment; elsewhere it is this user, who may as well hold the
 * name without listening.
 */
test(
  'a name that is bound and not listened on has a holder, which the kernel tells',
  needs('python3'),
  async (t) => {
    const name = `orchestra-test-bound-${process.pid}`;
    const isRoot = process.geteuid?.() === 0;
    const script = `import socket, sys\ns = socket.socket(socket.AF_UNIX)\ns.bind("\\0${name}")\nprint("bound", flush=True)\nsys.stdin.read()`;
    const child = spawn('python3', ['-c', script], {
      cwd: '/',
      stdio: ['pipe', 'pipe', 'inherit'],
      ...(isRoot ? {uid: 65_534, gid: 65_534} : {}),
    });
    t.after(() => {
      child.stdin.end();
    });
    await once(child.stdout, 'data');
    const holder = await findNameHolder(`\0${name}`, kernel);
    assert.equal(holder.at, isRoot ? 'other' : 'own');
    assert.equal('process' in holder ? holder.process.identity.pid : undefined, child.pid);
    assert.equal((await findNameHolder(`\0${name}`, otherUserKernel)).at, 'other');
    child.stdin.end();
    await once(child, 'exit');
    assert.deepEqual(await findNameHolder(`\0${name}`, kernel), {at: 'nobody'});
  },
);

test('a command says who has the lock, and not that a variable is wrong', async (t) => {
  const fixture = createDaemonFixture(t);
  const {stateDirectory} = fixture.current();
  mkdirSync(stateDirectory, {recursive: true, mode: 0o700});
  await taken(t, ensureLockName(stateDirectory));
  const {code, err} = await fixture.launch('sessions');
  assert.equal(code, 2);
  assert.match(err, new RegExp(`process ${process.pid} \\(.+\\) has the lock of this repository`));
  await eventually('no daemon is left', () => processesIn(fixture.home).length === 0);
});

test(
  "taking the name that everybody can compute keeps nobody out, when another user does it; a process of one's own is named",
  needs('python3'),
  async (t) => {
    const isRoot = process.geteuid?.() === 0;
    const fixture = createDaemonFixture(t);
    const name = fixture.current().formerLock.slice(1);
    const child = spawn(
      'python3',
      [
        '-c',
        `import socket, sys\ns = socket.socket(socket.AF_UNIX)\ns.bind("\\0${name}")\ns.listen()\nprint("bound", flush=True)\nsys.stdin.read()`,
      ],
      {cwd: '/', stdio: ['pipe', 'pipe', 'inherit'], ...(isRoot ? {uid: 65_534, gid: 65_534} : {})},
    );
    t.after(() => {
      child.stdin.end();
    });
    await once(child.stdout, 'data');
    const {code, err} = await fixture.launch('daemon', 'start');
    assert.equal(code, isRoot ? 0 : 2, err);
    if (!isRoot) assert.match(err, new RegExp(`process ${child.pid ?? 0} `));
    child.stdin.end();
    await once(child, 'exit');
  },
);
